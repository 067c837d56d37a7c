/** Smallest overlap with the end of another speaker's turn that can be an interruption (methods, section 9) ... */
const INTERRUPTION_LEAD_MS = 300;
/** ... if the other speaker then stops within this time ... */
const INTERRUPTION_YIELD_MS = 1000;
/** ... and the turn has at least this many words. */
const INTERRUPTION_WORDS = 3;

/** An utterance as the detection of interruptions sees it. */
export interface TimedTurn {
  speaker: string;
  startMs: number;
  endMs: number;
  words: number;
  backChannel: boolean;
}

/** The latest ends of two different speakers. They suffice to know the latest end of any other speaker. */
export class LatestEnds<S extends TimedTurn> {
  #latest: S[] = [];

  /** The utterance of another speaker that ended last. */
  otherThan(speaker: string): S | undefined {
    return this.#latest.find((one) => one.speaker !== speaker);
  }

  add(spoken: S): void {
    const rest = this.#latest.filter((one) => one.speaker !== spoken.speaker || one.endMs > spoken.endMs);
    if (!rest.some((one) => one.speaker === spoken.speaker)) rest.push(spoken);
    this.#latest = rest.sort((a, b) => b.endMs - a.endMs).slice(0, 2);
  }
}

/**
 * The overlap with which an utterance cuts another speaker off, ms; 0 if it does not.
 * @param other the utterance of another speaker that ended last
 */
export function interruptionMs(turn: TimedTurn, other: TimedTurn | undefined): number {
  if (!other || turn.words < INTERRUPTION_WORDS || turn.backChannel) return 0;
  const left = other.endMs - turn.startMs;
  const yields = left >= INTERRUPTION_LEAD_MS && left <= INTERRUPTION_YIELD_MS && turn.endMs > other.endMs;
  return yields ? left : 0;
}
