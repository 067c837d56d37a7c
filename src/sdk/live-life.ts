import type { LiveSession } from './wire.ts';

/** Where a session stands: enough for another page or process to go on with it. */
export interface LivePosition {
  session: LiveSession;
  next_chunk_seq: number;
  /** Number of the last event that was received; absent when none was. */
  last_event_id?: number | undefined;
}

/** Bounds of a session's life without a sign of its client, and what it is unless told, ms. */
const TTL_MS = { min: 60_000, max: 3_600_000, usual: 900_000 };

/** How long a session can be believed to live while nothing is heard of it. */
export class Life {
  /** The session is removed when it gets no chunk and no keepalive for so long. */
  readonly ttlMs: number;
  /** Aborted when nothing of the session is wanted any more. */
  readonly signal: AbortSignal;
  #heardAt = Date.now();

  constructor({ expires_at }: LiveSession, signal: AbortSignal) {
    const left = Date.parse(expires_at) - Date.now();
    // Two clocks were compared, and one may be wrong.
    this.ttlMs = left > TTL_MS.min / 2 && left <= TTL_MS.max * 1.1 ? left : TTL_MS.usual;
    this.signal = signal;
  }

  /** The service gave a sign. */
  heard(): void {
    this.#heardAt = Date.now();
  }

  /** Whether trying again makes sense: the session may still be there. */
  get lasts(): boolean {
    return Date.now() - this.#heardAt <= this.ttlMs;
  }
}
