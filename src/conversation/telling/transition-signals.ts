import type { Utterance } from '../../contract/timeline.ts';
import type { Tone } from '../affect/tone.ts';
import { PHASE_KINDS } from '../lexicon/en/phase-kinds.ts';
import type { TopicWord } from '../topics/topic-words.ts';
import { clean, shorten, splitSentences } from '../words/sentences.ts';

/** A phase before it is worded. */
export interface PhaseDraft {
  /** Utterances `from` to `to`, exclusive. */
  from: number;
  to: number;
  /** Index in `PHASE_KINDS`; -1 where none fits. */
  kind: number;
  topics: TopicWord[];
  tone: Tone;
  /** Share of the words of each speaker. */
  floor: Map<string, number>;
}

/** A pause worth telling, seconds. */
const TOLD_PAUSE_S = 3;
/** Share of the words from which somebody holds the floor. */
const HOLDS_FLOOR = 0.6;
/** Change of mean valence between phases worth telling. */
const TOLD_VALENCE = 0.12;
/** Words of a quoted announcement. */
const QUOTE_WORDS = 12;

/** A sentence that announces something new. */
const ANNOUNCES =
  /^(let's|let us|moving on|next|now|anyway|by the way|speaking of|before (we|i)|another (thing|question|point)|one more|first of all|finally|back to|turning to)\b|\b((talk|ask|hear) (a (little|bit) )?(you )?about|move on to|i('d| would) like to (ask|discuss|talk|start|show)|shall we|next (item|point|topic|question|thing))\b/i;
const MIN_ANNOUNCEMENT_WORDS = 4;

const holder = (floor: Map<string, number>): string | undefined =>
  [...floor].find(([, share]) => share >= HOLDS_FLOOR)?.[0];

/** By what one recognises that a new phase begins, strongest sign first. */
export function transitionSignal(
  before: PhaseDraft,
  phase: PhaseDraft,
  utterances: Utterance[],
  pause: number,
): string {
  const first = utterances[phase.from]!;
  const announcement = splitSentences(first.text)
    .map(clean)
    .find((s) => ANNOUNCES.test(s) && s.split(' ').length >= MIN_ANNOUNCEMENT_WORDS);
  if (announcement) return `${first.speaker} announces it: “${shorten(announcement, QUOTE_WORDS)}”`;
  if (pause >= TOLD_PAUSE_S) return `a long silence, then ${first.speaker} speaks`;
  if (first.text.includes('?'))
    return `${first.speaker} asks: “${shorten(clean(questionOf(first.text)), QUOTE_WORDS)}”`;
  const [topic] = phase.topics;
  const [old] = before.topics;
  const opening = splitSentences(first.text)
    .map(clean)
    .find((s) => s.split(' ').length >= MIN_ANNOUNCEMENT_WORDS);
  const kind = PHASE_KINDS[phase.kind]?.name;
  if (kind !== undefined && kind !== PHASE_KINDS[before.kind]?.name && opening)
    return `${first.speaker} turns to ${kind.toLowerCase()}: “${shorten(opening, QUOTE_WORDS)}”`;
  const past = holder(before.floor);
  const now = holder(phase.floor);
  if (past && now && past !== now) return `${now} takes the floor from ${past}${topic ? `, on ${topic.surface}` : ''}`;
  if (
    before.tone.valence !== null &&
    phase.tone.valence !== null &&
    Math.abs(phase.tone.valence - before.tone.valence) >= TOLD_VALENCE
  )
    return `the mood turns from ${before.tone.word} to ${phase.tone.word}`;
  if (topic && old && topic.stem !== old.stem) return `talk of ${old.surface} gives way to ${topic.surface}`;
  return `${first.speaker} goes on to something new`;
}

const questionOf = (text: string): string =>
  splitSentences(text).find((s) => s.includes('?') && clean(s) !== '') ?? text;
