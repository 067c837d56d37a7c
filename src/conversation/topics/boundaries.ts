import type { Turns } from '../text/turns.ts';
import { type BoundaryModels, boundaryLogits } from './boundary-classifier.ts';
import { boundaryFeatures, boundaryWords } from './boundary-features.ts';
import { bestPartition } from './partition.ts';

/** Where a conversation falls apart. */
export interface Boundaries {
  /** Utterances that open a phase, ascending, without 0. */
  starts: number[];
  /** What the words say for each boundary beyond what it needs, log-odds, without hints; [i - 1] is before utterance i. */
  gains: Float32Array;
}

/** Up to this many turns a conversation is read as a chat, from `MEETING_TURNS` on as a meeting, between as both. */
const CHAT_TURNS = 60;
const MEETING_TURNS = 120;
/** Below this there is nothing to cut. */
const MIN_TURNS = 4;

/** How a model's log-odds become a partition; chosen with bench/segmentation.ts on the open half. */
interface Decoding {
  /** Log-odds from which a boundary gains. */
  threshold: number;
  /** Phases expected in a conversation of ordinary length. */
  phases: number;
  spread: number;
  weight: number;
}
const CHAT: Decoding = { threshold: -0.8, phases: 4, spread: 0.67, weight: 0.3 };
const MEETING: Decoding = { threshold: -2, phases: 4, spread: 1, weight: 0.3 };
/** Turns whose share of boundaries the chat model was trained on; a longer chat has as many phases, only longer ones. */
const CHAT_LENGTH = 30;
/** How many turns off words are read, as in training. */
export const CHAT_NEARBY = 1;
export const MEETING_NEARBY = 4;

/** How far the conversation is a meeting by its length, 0..1. */
const meetingShare = (count: number): number =>
  Math.min(1, Math.max(0, (count - CHAT_TURNS) / (MEETING_TURNS - CHAT_TURNS)));

/**
 * Cuts a conversation where its topic changes: log-odds of a boundary from a classifier over cohesion, cues and words,
 * then dynamic programming with a length prior that follows the length of the conversation.
 * @param hints gain added to a boundary, [i - 1] for the one before utterance i: pauses, transitions, moments.
 */
export function findBoundaries(turns: Turns, models: BoundaryModels, hints?: ArrayLike<number>): Boundaries {
  const { count } = turns;
  if (count < MIN_TURNS) return { starts: [], gains: new Float32Array(Math.max(0, count - 1)) };
  const share = meetingShare(count);
  const features = boundaryFeatures(turns);
  const gains = new Float32Array(count - 1);
  if (share < 1) {
    const logits = boundaryLogits(features, boundaryWords(turns, CHAT_NEARBY), models.chat);
    const bias = CHAT.threshold + Math.log(Math.max(1, count / CHAT_LENGTH));
    for (let i = 0; i < gains.length; i++) gains[i]! += (1 - share) * (logits[i]! - bias);
  }
  if (share > 0) {
    const logits = boundaryLogits(features, boundaryWords(turns, MEETING_NEARBY), models.meeting);
    for (let i = 0; i < gains.length; i++) gains[i]! += share * (logits[i]! - MEETING.threshold);
  }
  const hinted = hints ? gains.map((gain, i) => gain + hints[i]!) : gains;
  const blend = (key: 'phases' | 'spread' | 'weight') => (1 - share) * CHAT[key] + share * MEETING[key];
  const prior = { mean: count / blend('phases'), spread: blend('spread'), weight: blend('weight') };
  const startsAt = (relaxed: number) =>
    bestPartition(
      hinted.map((gain) => gain + relaxed),
      count,
      prior,
    );
  const least = leastPhases(Math.max(count, spokenWords(turns) / TURN_WORDS));
  let starts = startsAt(0);
  for (let step = 1; starts.length + 1 < least && step <= RELAXING_STEPS; step++) starts = startsAt(step * RELAXING);
  for (let step = 1; starts.length + 1 > mostPhases(count) && step <= RELAXING_STEPS; step++)
    starts = startsAt(-step * RELAXING);
  return { starts, gains };
}

/** Phases a reader expects at least: one in a few turns, two from 10, three from 30 on. */
const leastPhases = (count: number): number => (count < 10 ? 1 : count < 30 ? 2 : 3);
/** Words of a long turn: a talk of few turns is as long as its words. */
const TURN_WORDS = 15;
const spokenWords = ({ words }: Turns): number => words.reduce((sum, spoken) => sum + spoken.length, 0);
/** Phases a reader can keep apart: eight in a chat, as many an equal length of longer talk. */
const mostPhases = (count: number): number => 8 * Math.max(1, count / CHAT_TURNS);
/** How far the threshold is let down or raised a step, log-odds, until there are no longer too few or too many. */
const RELAXING = 0.4;
const RELAXING_STEPS = 20;
