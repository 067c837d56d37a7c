import { AnalysisOutput } from '../containers/pipeline/analysis-output.ts';
import type { AnalysisResponse } from '../src/contract/analysis.ts';
import type { TimelineEntry } from '../src/contract/timeline-entry.ts';
import { writtenDialogues } from './own-data.ts';
import { timelineEntry } from './timeline-entry.ts';

/** The speakers and texts of a dialogue, in order. */
export interface SpokenDialogue {
  id: string;
  turns: { speaker: string; text: string }[];
}

/** Duration of a word, and of the pause between two turns, s. */
const WORD_S = 0.4;
const GAP_S = 0.5;

/**
 * The 2,657 invented dialogues in data/moments that are not by this project's author. They read like a recogniser's
 * output.
 */
export const dialogues = (): SpokenDialogue[] => writtenDialogues().filter(({ writer }) => writer !== 'author');

/** A dialogue with word times, as a pipeline would produce them. */
export function timelineOf(conversationId: string, { turns }: Pick<SpokenDialogue, 'turns'>): TimelineEntry[] {
  let at = 0;
  return turns.map(({ speaker, text }, n) => {
    const start = at;
    const words = text.split(/\s+/).filter((word) => word !== '');
    const timed = words.map((word, i) => ({
      word,
      t_start: round(start + i * WORD_S),
      t_end: round(start + (i + 1) * WORD_S),
      confidence: 0.9,
    }));
    const end = round(start + Math.max(1, words.length) * WORD_S);
    at = end + GAP_S;
    return { ...timelineEntry(conversationId, n, text, speaker), t_start: round(start), t_end: end, words: timed };
  });
}

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The stored documents of that timeline, produced by the real code. */
export function documentsOf(conversationId: string, timeline: TimelineEntry[], goal = ''): Map<string, string> {
  const telling = new AnalysisOutput({
    conversation_id: conversationId,
    suffix: '.wav',
    goal,
    affect: 'full',
    artifact_dir: `t/${conversationId}/`,
    upload_path: `t/${conversationId}/upload.wav`,
    agent_outputs_path: `t/${conversationId}/agent_outputs.json`,
    material: false,
    live: false,
  });
  telling.open();
  for (const entry of timeline) telling.take({ type: 'utterance', entry, latency_ms: 10 });
  telling.take({
    type: 'end',
    utterances: timeline.length,
    media: { duration_s: timeline.at(-1)!.t_end + 0.5, channels: 1, speaker_per_channel: false },
    speakers: { count: new Set(timeline.map(({ speaker }) => speaker)).size, confidence: 0.8, source: 'estimated' },
    warnings: [],
  });
  return new Map(
    telling.documents!.map(({ name, parts }) => [name, Buffer.concat(parts.map((p) => p.bytes)).toString()]),
  );
}

export const resultOf = (conversationId: string, timeline: TimelineEntry[], goal = ''): AnalysisResponse =>
  JSON.parse(documentsOf(conversationId, timeline, goal).get('result.json')!) as AnalysisResponse;
