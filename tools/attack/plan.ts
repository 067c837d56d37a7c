import type { Attempt, Draft } from './attempt.ts';
import { Dice } from './dice.ts';
import { controlAttempt, hugeAttempt, segmentAttempt, startAttempt } from './json-attempts.ts';
import { eventsAttempt, healthAttempt, metricsAttempt, unknownAttempt } from './route-attempts.ts';
import { socketAttempt } from './socket-attempts.ts';
import { tableAttempt } from './table-attempts.ts';
import { analyzeAttempt, chunkAttempt } from './upload-attempts.ts';

/** Shares of the kinds of attempts in per cent. One in five can only be sent over a raw socket. */
const SHARES: readonly (readonly [number, (dice: Dice) => Draft])[] = [
  [20, socketAttempt],
  [30, (dice) => tableAttempt(dice)],
  [14, analyzeAttempt],
  [12, segmentAttempt],
  [7, chunkAttempt],
  [4, startAttempt],
  [4, controlAttempt],
  [3, eventsAttempt],
  [4, unknownAttempt],
  [1, metricsAttempt],
  [1, healthAttempt],
];

/** From this number on, an attempt is one of the largest. A warm-up with these takes each process to its maximum. */
export const HUGE_FROM = 2_000_000;

/** The attempt of this number, identical for the same seed. */
export function attemptOf(seed: number, index: number): Attempt {
  const dice = new Dice(seed, index);
  if (index >= HUGE_FROM) return { ...hugeAttempt(dice), index };
  return { ...dice.weighted(SHARES)(dice), index };
}
