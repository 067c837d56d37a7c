import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVAL_DATA } from '../eval-data.ts';

/** One dialogue of a corpus whose licence allows shipping weights trained on it. */
export interface CorpusDialogue {
  id: string;
  turns: string[];
  speakers: string[];
  /** Turns that open a new topic, in ascending order, without 0. Absent if topics were not labelled. */
  boundaries?: number[];
}

const at = (...parts: string[]): string => join(EVAL_DATA, ...parts);
const lines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);

interface QmsumMeeting {
  topic_list: { topic: string; relevant_text_span: [string, string][] }[];
  general_query_list: { query: string; answer: string }[];
  specific_query_list: { query: string; answer: string; relevant_text_span: [string, string][] }[];
  meeting_transcripts: { speaker: string; content: string }[];
}

/** A meeting with questions about it and their answers. */
export interface Meeting extends CorpusDialogue {
  /** Questions about the meeting as a whole. */
  general: { query: string; answer: string }[];
  /** All questions. */
  queries: { query: string; answer: string }[];
  /** Questions about a part of the meeting, with the first and last turns that answer them. */
  specific: { query: string; spans: [number, number][] }[];
}

/**
 * Labelled boundaries closer together than this, in turns, count as one. Boundaries this close to either end are
 * dropped.
 */
const MIN_GAP = 2;

/** QMSum (MIT): meetings with topic spans. Both ends of a span are boundaries. */
export function qmsum(split: 'train' | 'val'): Meeting[] {
  return lines(at('conversations/qmsum', `${split}.jsonl`)).map((line, i) => {
    const meeting = JSON.parse(line) as QmsumMeeting;
    const n = meeting.meeting_transcripts.length;
    const marks = new Set<number>();
    for (const topic of meeting.topic_list)
      for (const [from, to] of topic.relevant_text_span) marks.add(Number(from)).add(Number(to) + 1);
    const boundaries: number[] = [];
    for (const mark of [...marks].sort((a, b) => a - b))
      if (mark >= MIN_GAP && mark <= n - MIN_GAP && mark - (boundaries.at(-1) ?? -MIN_GAP) >= MIN_GAP)
        boundaries.push(mark);
    return {
      id: `qmsum_${split}_${i}`,
      // {vocalsound} and <unk> are transcription marks, not words.
      turns: meeting.meeting_transcripts.map((t) => t.content.replace(/\{[a-z]+\}|<[a-z]+>/g, '').trim()),
      speakers: meeting.meeting_transcripts.map((t) => t.speaker),
      boundaries,
      general: meeting.general_query_list,
      specific: meeting.specific_query_list.map(({ query, relevant_text_span }) => ({
        query,
        spans: relevant_text_span.map(([from, to]): [number, number] => [Number(from), Number(to)]),
      })),
      queries: [...meeting.general_query_list, ...meeting.specific_query_list],
    };
  });
}

/** CaSiNo (CC BY): two campers divide firewood, water and food. */
export function casino(): CorpusDialogue[] {
  const raw = JSON.parse(readFileSync(at('conversations/casino/train.json'), 'utf8')) as {
    dialogue_id: number;
    chat_logs: { text: string; id: string }[];
  }[];
  return raw.map(({ dialogue_id, chat_logs }) => {
    const spoken = chat_logs.filter((m) => !/^(Submit|Accept|Reject|Walk)-/.test(m.text));
    return { id: `casino_${dialogue_id}`, turns: spoken.map((m) => m.text), speakers: spoken.map((m) => m.id) };
  });
}

/** ABCD (MIT): customer service chats, from the sample that is available. */
export function abcd(): CorpusDialogue[] {
  const raw = JSON.parse(readFileSync(at('conversations/abcd/abcd_sample.json'), 'utf8')) as {
    convo_id: number;
    original: [string, string][];
  }[];
  return raw.map(({ convo_id, original }) => {
    const spoken = original.filter(([who]) => who !== 'action');
    return { id: `abcd_${convo_id}`, turns: spoken.map((t) => t[1]), speakers: spoken.map((t) => t[0]) };
  });
}

/** GoEmotions (CC BY): Reddit comments, unrelated to each other. */
export function goEmotions(): string[] {
  return lines(at('text-emotion/goemotions_original/train.tsv')).map((line) => line.split('\t')[0] ?? '');
}
