import type { Utterance } from '../../contract/timeline.ts';
import { ENCODING_DIMENSIONS } from '../encoding.ts';
import { flag } from './features.ts';

/** A turn as the networks see it. */
export interface HeardTurn {
  /** Place in the conversation, from 0. */
  index: number;
  utterance: Utterance;
  /** What it says (`encoding.ts`); `SILENT` where it came without. */
  encoding: Float32Array;
  words: number;
  /** Different speakers up to here. */
  speakers: number;
  /** `TurnReading.business` when it was read; absent where it came without an encoding. */
  business?: number;
}

/** In hindsight a turn is read with the one after it; nothing where the conversation ended, or nothing is known of it. */
export interface SeenAfter {
  next: HeardTurn | undefined;
}

/** The encoding of a turn of which nothing is known. */
export const SILENT: Float32Array = new Float32Array(ENCODING_DIMENSIONS);

/** What reads turns, at once or in hindsight; both take them latest first and answer in log-odds. */
export interface Reading {
  /** @returns one number for each of `TURN_OUTPUTS` (turn-reader.ts) */
  turn(turns: readonly HeardTurn[], after?: SeenAfter): ArrayLike<number>;
  /** Whether the latest turn accepts or rejects the one so many before it. @returns two numbers */
  pair(turns: readonly HeardTurn[], back: number, after?: SeenAfter): ArrayLike<number>;
}

/** How far back an answer is read against what it may answer, turns. */
export const PAIR_TURNS = 10;
/** Turns after which a conversation is well under way, words of a middling turn, speakers of a small group. */
const EARLY_TURNS = 10;
const MIDDLING_WORDS = 15;
const GROUP = 3;

/** What the first network is told beside the encodings. */
export function turnFlags([turn, before, earlier]: readonly HeardTurn[]): number[] {
  const { index, utterance, words, speakers } = turn!;
  return [
    flag(before?.utterance.speaker === utterance.speaker),
    flag(earlier?.utterance.speaker === utterance.speaker),
    Math.min(EARLY_TURNS, index) / EARLY_TURNS,
    flag(index === 0),
    words / MIDDLING_WORDS,
    speakers / GROUP,
  ];
}

/** What the second network is told beside the encodings. */
export function pairFlags(turns: readonly HeardTurn[], back: number): number[] {
  const between = turns.slice(1, back).map((t) => t.utterance.speaker);
  const turnsOf = (turn: HeardTurn) => between.filter((speaker) => speaker === turn.utterance.speaker).length;
  return [
    flag(back === 1),
    flag(back === 2),
    back / PAIR_TURNS,
    turnsOf(turns[back]!) / GROUP,
    turnsOf(turns[0]!) / GROUP,
    1,
  ];
}

/** What both networks are told beside the encoding of the turn after. */
export function afterFlags([turn, before]: readonly HeardTurn[], next: HeardTurn | undefined): number[] {
  const speaker = next?.utterance.speaker;
  return [
    flag(speaker === turn!.utterance.speaker),
    flag(speaker === undefined),
    flag(speaker !== undefined && speaker === before?.utterance.speaker),
  ];
}
