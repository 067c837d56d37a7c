/**
 * State shared by the requests of one isolate. When its client leaves, the runtime may drop a waiting request without
 * running `finally`, and a promise that another request awaits may then never settle. Therefore nothing here awaits
 * another request's promise, and a request's memory counts only while the request shows signs of life.
 */

/** The memory of one request. */
export interface Holding {
  bytes: number;
  /** Time of its last sign of life, Unix time, ms. */
  seenAt: number;
}

/** How long a request may be silent, ms: slightly longer than an upload may stall. */
const ABANDONED_MS = 120_000;
const holdings = new Set<Holding>();

export function hold(): Holding {
  const holding = { bytes: 0, seenAt: Date.now() };
  holdings.add(holding);
  return holding;
}

export const release = (holding: Holding): boolean => holdings.delete(holding);

/** Memory of all live requests, bytes. */
export function heldBytes(): number {
  let sum = 0;
  for (const holding of holdings) {
    if (Date.now() - holding.seenAt > ABANDONED_MS) holdings.delete(holding);
    else sum += holding.bytes;
  }
  return sum;
}

/** Silence after which a request counts as dropped, ms. A step of a segmentation takes less than a second. */
const LOST_MS = 10_000;
const ASK_MS = 10;
let turn: { seenAt: number } | undefined;

/**
 * Runs one piece of work at a time, because each temporarily needs as much memory again as its request.
 * @param work calls `seen` between its steps
 * @param seen also called while waiting
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
