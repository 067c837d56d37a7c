import type { Utterance } from '../../contract/timeline.ts';
import type { Tone, ToneName } from '../affect/tone.ts';
import type { Language } from '../language.ts';
import type { PhaseKind } from '../lexicon/phase-kinds.ts';
import { asks } from '../text/questions.ts';
import { clean } from '../text/quotes.ts';
import { splitSentences } from '../text/sentences.ts';
import type { TopicWord } from '../topics/topic-words.ts';

/** Purpose and topics of a part of a conversation. */
export interface PhaseContent {
  /** Undefined when no kind fits. */
  kind: PhaseKind | undefined;
  /** Ordered from most to least characteristic. */
  topics: TopicWord[];
  tone: Tone;
  /** Share of the words of each speaker. */
  floor: ReadonlyMap<string, number>;
}

/** The signal that a new phase begins. The sentences are those of its first utterance, cleaned. */
export type PhaseSignal =
  | { by: 'announcement'; speaker: string; sentence: string }
  | { by: 'silence'; speaker: string }
  | { by: 'question'; speaker: string; sentence: string }
  | { by: 'purpose'; speaker: string; kind: PhaseKind; sentence: string }
  | { by: 'floor'; from: string; to: string; topic: TopicWord | undefined }
  | { by: 'mood'; from: ToneName; to: ToneName }
  | { by: 'topic'; from: TopicWord; to: TopicWord }
  | { by: 'wording'; speaker: string };

/** Shortest pause that is worth reporting, seconds. */
const REPORTED_PAUSE_S = 3;
/** Minimum share of the words for a speaker to hold the floor. */
const HOLDS_FLOOR = 0.6;
/** Smallest change of mean valence between phases that is worth reporting. */
const REPORTED_VALENCE = 0.12;

const MIN_ANNOUNCEMENT_WORDS = 4;

const holder = (floor: ReadonlyMap<string, number>): string | undefined =>
  [...floor].find(([, share]) => share >= HOLDS_FLOOR)?.[0];

/**
 * The strongest signal that a phase begins.
 * @param first its first utterance
 * @param pause silence before it, seconds
 */
export function signalOf(
  before: PhaseContent,
  phase: PhaseContent,
  { speaker, text }: Utterance,
  pause: number,
  language: Language,
): PhaseSignal {
  const sentences = splitSentences(text, language).map((sentence) => clean(sentence.text, language));
  const isLong = (s: string) => s.split(' ').length >= MIN_ANNOUNCEMENT_WORDS;
  const announcement = sentences.find((s) => language.summaryCues.announces.test(s) && isLong(s));
  if (announcement) return { by: 'announcement', speaker, sentence: announcement };
  if (pause >= REPORTED_PAUSE_S) return { by: 'silence', speaker };
  const question = sentences.find((s) => s.endsWith('?')) ?? sentences.find((s) => isLong(s) && asks(s, language));
  if (question !== undefined) return { by: 'question', speaker, sentence: question };
  const [topic] = phase.topics;
  const [old] = before.topics;
  const opening = sentences.find(isLong);
  if (phase.kind !== undefined && phase.kind !== before.kind && opening)
    return { by: 'purpose', speaker, kind: phase.kind, sentence: opening };
  const past = holder(before.floor);
  const now = holder(phase.floor);
  if (past && now && past !== now) return { by: 'floor', from: past, to: now, topic };
  const [was, is] = [before.tone, phase.tone];
  if (was.valence !== null && is.valence !== null && Math.abs(is.valence - was.valence) >= REPORTED_VALENCE)
    return { by: 'mood', from: was.word, to: is.word };
  if (topic && old && topic.stem !== old.stem) return { by: 'topic', from: old, to: topic };
  return { by: 'wording', speaker };
}
