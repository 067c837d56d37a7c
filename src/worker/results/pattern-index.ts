import { isAnswerable, type MomentEvent } from '../../contract/findings.ts';
import type { SpeakerMetrics } from '../../contract/insights.ts';
import {
  ANSWER_CATEGORIES,
  FOLLOWS_WITHIN_S,
  type MomentOutcome,
  NOTHING_FOLLOWED,
  OBJECTION_CATEGORIES,
  QUOTE_CHARS,
  SURE_FROM,
} from '../../contract/patterns.ts';
import type { RuleFacts } from '../../conversation/rules/facts.ts';

/** A moment in the index. Times are milliseconds from the start of the recording. */
export interface IndexedMoment {
  id: string;
  category: MomentEvent['category'];
  /** Index of the speaker. */
  speaker: number;
  start: number;
  end: number;
  confidence: number;
  /** Number of the utterance with the quote. */
  line: number;
  quote: string;
  outcome: MomentOutcome;
  /** Index of the moment that followed; null when nothing did. */
  follows: number | null;
}

/** A speaker in the index. Measures that are not known are null. Times are seconds. */
export interface IndexedSpeaker {
  name: string;
  person: string | null;
  role: string | null;
  talk: number;
  ratio: number | null;
  longest: number | null;
  patience: number | null;
  questions: number;
  words: number;
  interruptions: number;
  /** Valence times seconds, over the utterances that have a valence, and their seconds. */
  tone: number;
  toned: number;
  /** Speech, and speech whose words are unsure or were not understood. */
  spoken: number;
  unsure: number;
}

/** The part of a conversation that lists over all conversations read, apart from the texts. */
export interface PatternIndex {
  /** When the recording began, Unix time, ms; null if it is not known. */
  began: number | null;
  /** BCP 47; null if it is not known. */
  language: string | null;
  /** Length of the recording, its silence, and its speech whose words are unsure or were not understood, seconds. */
  duration: number;
  silence: number;
  unsure: number;
  speakers: IndexedSpeaker[];
  moments: IndexedMoment[];
  /** For each line, the index of its speaker, its end in ms, and the recogniser's confidence in per cent (-1: unknown). */
  speaker: number[];
  ends: number[];
  confidence: number[];
}

/** The members of a result that the index is made of. */
export interface PatternResult {
  timeline: readonly {
    utterance_id: string;
    speaker: string;
    t_start: number;
    t_end: number;
    asr_confidence?: number | undefined;
    unread?: unknown;
    pad_scores?: { valence: number } | null;
  }[];
  moments: readonly Pick<
    MomentEvent,
    | 'moment_id'
    | 'category'
    | 'speaker_id'
    | 'start_ms'
    | 'end_ms'
    | 'utterance_ids'
    | 'evidence'
    | 'confidence'
    | 'answers'
  >[];
  insights: { metrics: { speakers: Record<string, SpeakerMetrics>; silence_share: number } };
  media: { duration_s: number };
  language?: string | null | undefined;
  options?: { recorded_at?: string | null | undefined } | undefined;
}

/** @param speakers by name, with the people and roles that are known */
export function patternsOf(result: PatternResult, speakers: RuleFacts['speakers']): PatternIndex {
  const { timeline, language, insights, media, options } = result;
  const numbers = new Map(speakers.map(({ name }, i) => [name, i]));
  const began = Date.parse(options?.recorded_at ?? '');
  return {
    began: Number.isNaN(began) ? null : began,
    language: language === undefined || language === 'unknown' ? null : language,
    duration: media.duration_s,
    silence: insights.metrics.silence_share * media.duration_s,
    unsure: timeline.reduce((sum, one) => sum + (isUnsure(one) ? one.t_end - one.t_start : 0), 0),
    speakers: speakers.map((speaker) => speakerOf(speaker, result)),
    moments: momentsOf(result, numbers),
    speaker: timeline.map(({ speaker }) => numbers.get(speaker) ?? 0),
    ends: timeline.map(({ t_end }) => Math.round(t_end * 1000)),
    confidence: timeline.map(({ asr_confidence: p }) => (p === undefined ? -1 : Math.round(p * 100))),
  };
}

const isUnsure = ({ unread, asr_confidence }: PatternResult['timeline'][number]): boolean =>
  Boolean(unread) || (asr_confidence !== undefined && asr_confidence < SURE_FROM);

function speakerOf(
  { name, person, role }: RuleFacts['speakers'][number],
  { timeline, insights }: PatternResult,
): IndexedSpeaker {
  const metrics = insights.metrics.speakers[name];
  let [tone, toned, spoken, unsure] = [0, 0, 0, 0];
  for (const utterance of timeline) {
    if (utterance.speaker !== name) continue;
    const seconds = utterance.t_end - utterance.t_start;
    spoken += seconds;
    if (isUnsure(utterance)) unsure += seconds;
    if (!utterance.pad_scores) continue;
    tone += utterance.pad_scores.valence * seconds;
    toned += seconds;
  }
  return {
    name,
    person: person ?? null,
    role: role ?? null,
    talk: metrics?.talk_time_s ?? 0,
    ratio: metrics?.talk_ratio ?? null,
    longest: metrics?.longest_monologue_s ?? null,
    patience: metrics?.patience_s ?? null,
    questions: metrics?.questions ?? 0,
    words: metrics?.words ?? 0,
    interruptions: metrics?.interruptions ?? 0,
    tone,
    toned,
    spoken,
    unsure,
  };
}

function momentsOf({ moments, timeline }: PatternResult, speakers: ReadonlyMap<string, number>): IndexedMoment[] {
  const lines = new Map(timeline.map(({ utterance_id }, i) => [utterance_id, i]));
  const sorted = [...moments].sort((a, b) => a.start_ms - b.start_ms);
  const answers = sorted.map(({ category }) => ANSWER_CATEGORIES.includes(category));
  const linked = linkedAnswers(sorted);
  const objections = sorted.map(({ category }) => OBJECTION_CATEGORIES.includes(category));
  return sorted.map((moment, i): IndexedMoment => {
    const answer = isAnswerable(moment.category) ? linked.get(moment.moment_id) : followerOf(sorted, i, answers);
    const follows = answer ?? followerOf(sorted, i, objections);
    const [evidence] = moment.evidence;
    const quote = evidence?.quote ?? '';
    return {
      id: moment.moment_id,
      category: moment.category,
      speaker: speakers.get(moment.speaker_id) ?? 0,
      start: moment.start_ms,
      end: moment.end_ms,
      confidence: moment.confidence,
      line: lines.get(evidence?.utterance_id ?? moment.utterance_ids[0] ?? '') ?? 0,
      quote: quote.length <= QUOTE_CHARS ? quote : `${quote.slice(0, QUOTE_CHARS - 1).trimEnd()}…`.toWellFormed(),
      outcome: follows === undefined ? NOTHING_FOLLOWED : (sorted[follows]!.category as MomentOutcome),
      follows: follows ?? null,
    };
  });
}

/** For each offer that is answered, the index of its first answer: the link of the result, and no other moment. */
function linkedAnswers(moments: readonly Pick<MomentEvent, 'answers'>[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const [i, { answers }] of moments.entries())
    if (answers !== undefined && !first.has(answers)) first.set(answers, i);
  return first;
}

/** Index of the first moment of a kind that starts after moment `i`, and soon enough. */
function followerOf(moments: readonly { start_ms: number }[], i: number, isOfKind: readonly boolean[]) {
  const start = moments[i]!.start_ms;
  for (let next = i + 1; next < moments.length; next++) {
    const after = moments[next]!.start_ms - start;
    if (after > FOLLOWS_WITHIN_S * 1000) return undefined;
    if (after > 0 && isOfKind[next]) return next;
  }
  return undefined;
}
