import type { Utterance } from '../../contract/timeline.ts';
import { ENCODING_DIMENSIONS, SENTENCE_DIMENSIONS } from '../encoding.ts';
import type { Language } from '../language.ts';
import { asks } from '../text/questions.ts';
import { wordRuns } from './word-runs.ts';

/** A turn as the network reads it. */
export interface TurnFeatures {
  utterance: Utterance;
  /** Position in the conversation, from 0. */
  index: number;
  /** Distinct speakers so far. */
  speakers: number;
  /** Encoding of its text (`encoding.ts`); zeros when there is none. */
  encoding: Float32Array;
  runs: readonly number[];
  /** `OWN_FACTS` numbers. */
  facts: readonly number[];
}

/** A turn and its neighbours. A missing neighbour is absent. */
export interface TurnWindow {
  turn: TurnFeatures;
  before: TurnFeatures | undefined;
  earlier: TurnFeatures | undefined;
  next: TurnFeatures | undefined;
}

/** Stands in for a missing encoding. */
const SILENT: Float32Array = new Float32Array(ENCODING_DIMENSIONS);

/** Number of words that is scaled to 1, and the largest number of words counted. */
const WORDS = 20;
const MAX_WORDS = 60;
/** Number of turns after which a conversation counts as well under way. */
const EARLY_TURNS = 10;

export const OWN_FACTS = 5;
export const WINDOW_FACTS = 12;

const flag = (is: boolean): number => (is ? 1 : 0);
const sameSpeaker = (a: TurnFeatures | undefined, b: TurnFeatures | undefined): number =>
  flag(a !== undefined && a.utterance.speaker === b?.utterance.speaker);

export function turnFeatures(
  utterance: Utterance,
  { encoding, ...position }: { index: number; speakers: number; encoding: Float32Array | undefined },
  language: Language,
): TurnFeatures {
  const { text } = utterance;
  const words = Math.min(MAX_WORDS, text.split(/\s+/).length);
  return {
    ...position,
    utterance,
    encoding: encoding ?? SILENT,
    runs: wordRuns(text),
    facts: [
      words / WORDS,
      flag(asks(text, language, 'trained')),
      flag(/\d/.test(text)),
      flag(position.index === 0),
      flag(encoding !== undefined),
    ],
  };
}

/** Similarity of two turns, -1 to 1. 0 if one is absent or has no encoding. */
function likeness(a: TurnFeatures | undefined, b: TurnFeatures | undefined): number {
  if (!a || !b) return 0;
  let sum = 0;
  for (let i = 0; i < SENTENCE_DIMENSIONS; i++) sum += a.encoding[i]! * b.encoding[i]!;
  return sum;
}

/**
 * Facts about a turn other than its words and those of its neighbours: who speaks, how far the conversation has got,
 * and how similar the turns are.
 */
export function windowFacts({ turn, before, earlier, next }: TurnWindow): number[] {
  const toBefore = likeness(turn, before);
  const toNext = likeness(turn, next);
  const across = likeness(before, next);
  return [
    sameSpeaker(before, turn),
    sameSpeaker(earlier, turn),
    sameSpeaker(next, turn),
    flag(next === undefined),
    Math.min(EARLY_TURNS, turn.index) / EARLY_TURNS,
    flag(turn.speakers > 2),
    toBefore,
    likeness(turn, earlier),
    toNext,
    across,
    // Similarity of the turns before to those after.
    (toBefore + likeness(turn, earlier) + across + likeness(earlier, next)) / 4,
    likeness(before, earlier),
  ];
}
