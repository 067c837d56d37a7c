/**
 * What requests of one isolate share. A request whose client left may never go on: the runtime drops it where it waits,
 * `finally` and all, and a promise of one request that another awaits may never settle. So nothing here waits for another
 * request's promise, and what a request took counts only while it shows that it lives.
 */

/** What one request holds of the isolate's memory. */
export interface Holding {
  bytes: number;
  /** When it last showed that it lives, ms. */
  seenAt: number;
}

/** A request may be silent for as long as an upload may stall, and some more. */
const ABANDONED_MS = 120_000;
const holdings = new Set<Holding>();

export function hold(): Holding {
  const holding = { bytes: 0, seenAt: Date.now() };
  holdings.add(holding);
  return holding;
}

export const release = (holding: Holding): boolean => holdings.delete(holding);

/** Bytes that all requests hold which still live. */
export function heldBytes(): number {
  let sum = 0;
  for (const holding of holdings) {
    if (Date.now() - holding.seenAt > ABANDONED_MS) holdings.delete(holding);
    else sum += holding.bytes;
  }
  return sum;
}

/** A step of a segmentation takes under a second; one that took none for so long was dropped. */
const LOST_MS = 10_000;
const ASK_MS = 10;
let turn: { seenAt: number } | undefined;

/**
 * Does one work at a time: what each needs on the way is as much as a request holds.
 * @param work calls `seen` between its steps
 * @param seen called while it waits, too
 */
export async function inTurn<T>(work: (seen: () => void) => Promise<T>, seen: () => void): Promise<T> {
  while (turn && Date.now() - turn.seenAt < LOST_MS) {
    seen();
    await scheduler.wait(ASK_MS);
  }
  const mine = { seenAt: Date.now() };
  turn = mine;
  try {
    return await work(() => {
      mine.seenAt = Date.now();
      seen();
    });
  } finally {
    if (turn === mine) turn = undefined;
  }
}
