import { finished } from '../steps.ts';
import type { Turns } from '../text/turns.ts';
import { type BoundaryModels, boundaryLogits } from './boundary-classifier.ts';
import { boundaryFeatures, boundaryWords } from './boundary-features.ts';
import { bestPartition } from './partition.ts';

/** The boundaries between topics of a conversation. */
export interface Boundaries {
  /** Utterances that open a part, in ascending order, without 0. */
  starts: number[];
  /**
   * Evidence from the words for each boundary above its threshold, log-odds, without hints. [i - 1] is before utterance
   * i.
   */
  gains: Float32Array;
}

/**
 * Largest number of turns at which a conversation is read as a chat only. From `MEETING_TURNS` on it is read as a
 * meeting only, and in between as both.
 */
const CHAT_TURNS = 60;
const MEETING_TURNS = 120;
/** A conversation with fewer turns than this is not divided. */
const MIN_TURNS = 4;

/** Parameters for decoding a model's log-odds into a partition. Chosen with bench/segmentation.ts on the open half. */
interface Decoding {
  /** Log-odds above which a boundary has a positive gain. */
  threshold: number;
  /** Number of parts expected in a conversation of ordinary length. */
  phases: number;
  spread: number;
  weight: number;
}
const CHAT: Decoding = { threshold: -0.8, phases: 4, spread: 0.67, weight: 0.3 };
const MEETING: Decoding = { threshold: -2, phases: 4, spread: 1, weight: 0.3 };
/**
 * Number of turns in the conversations from which the chat model learned its share of boundaries. A longer chat has the
 * same number of parts, but longer ones.
 */
const CHAT_LENGTH = 30;
/** Distance in turns within which words are read, as in training. */
export const CHAT_NEARBY = 1;
export const MEETING_NEARBY = 4;

/** Weight of the meeting model depending on the length of the conversation, 0 to 1. */
const meetingShare = (count: number): number =>
  Math.min(1, Math.max(0, (count - CHAT_TURNS) / (MEETING_TURNS - CHAT_TURNS)));

/**
 * Divides a conversation where its topic changes. A classifier over cohesion, cues and words computes the log-odds of a
 * boundary. Dynamic programming follows, with a length prior that depends on the length of the conversation.
 * @param hints added to the gain of a boundary because of pauses, transitions and moments; [i - 1] is before utterance
 * i
 */
export const findBoundaries = (turns: Turns, models: BoundaryModels, hints?: ArrayLike<number>): Boundaries =>
  finished(boundariesInSteps(turns, models, hints));

/** `findBoundaries` in steps. */
export function* boundariesInSteps(
  turns: Turns,
  models: BoundaryModels,
  hints?: ArrayLike<number>,
): Generator<void, Boundaries> {
  const { count } = turns;
  if (count < MIN_TURNS || spokenWords(turns) === 0)
    return { starts: [], gains: new Float32Array(Math.max(0, count - 1)) };
  const share = meetingShare(count);
  const features = boundaryFeatures(turns);
  yield;
  const gains = new Float32Array(count - 1);
  if (share < 1) {
    const logits = boundaryLogits(features, boundaryWords(turns, CHAT_NEARBY), models.chat);
    const bias = CHAT.threshold + Math.log(Math.max(1, count / CHAT_LENGTH));
    for (let i = 0; i < gains.length; i++) gains[i]! += (1 - share) * (logits[i]! - bias);
    yield;
  }
  if (share > 0) {
    const logits = boundaryLogits(features, boundaryWords(turns, MEETING_NEARBY), models.meeting);
    for (let i = 0; i < gains.length; i++) gains[i]! += share * (logits[i]! - MEETING.threshold);
    yield;
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
  for (let step = 1; starts.length + 1 < least && step <= RELAXING_STEPS; step++) {
    yield;
    starts = startsAt(step * RELAXING);
  }
  for (let step = 1; starts.length + 1 > mostPhases(count) && step <= RELAXING_STEPS; step++) {
    yield;
    starts = startsAt(-step * RELAXING);
  }
  return { starts, gains };
}

/** Fewest parts that a reader expects: one for a few turns, two from 10 turns, and three from 30. */
const leastPhases = (count: number): number => (count < 10 ? 1 : count < 30 ? 2 : 3);
/** Number of words in a long turn. A conversation of few turns is measured by its words instead. */
const TURN_WORDS = 15;
const spokenWords = ({ words }: Turns): number => words.reduce((sum, spoken) => sum + spoken.length, 0);
/** Most parts that a reader can tell apart: eight in a chat, and in a longer conversation eight per chat length. */
const mostPhases = (count: number): number => 8 * Math.max(1, count / CHAT_TURNS);
/** Step by which the threshold is lowered or raised until there are neither too few nor too many parts, log-odds. */
const RELAXING = 0.4;
const RELAXING_STEPS = 20;
