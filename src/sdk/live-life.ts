import type { LiveSession } from './wire.ts';

/** The position of a session. It is all that another page or process needs to continue the session. */
export interface LivePosition {
  session: LiveSession;
  next_chunk_seq: number;
  /** The number of the last received event. Absent if no event was received. */
  last_event_id?: number | undefined;
}

/** Limits and default for how long a session stays open without activity from its client, ms. */
const TTL_MS = { min: 60_000, max: 3_600_000, default: 900_000 };

/** Estimates whether a session is still open while the service does not respond. */
export class SessionLife {
  /** After this long without a chunk or a keepalive, the session is removed. */
  readonly ttlMs: number;
  /** Aborted when the client has finished with the session. */
  readonly signal: AbortSignal;
  #activeAt = Date.now();

  constructor({ expires_at }: LiveSession, signal: AbortSignal) {
    const left = Date.parse(expires_at) - Date.now();
    // The two clocks may differ.
    this.ttlMs = left > TTL_MS.min / 2 && left <= TTL_MS.max * 1.1 ? left : TTL_MS.default;
    this.signal = signal;
  }

  /** Records that the service responded. */
  noteActivity(): void {
    this.#activeAt = Date.now();
  }

  /** Whether the session may still be open, so that another attempt makes sense. */
  get mayBeOpen(): boolean {
    return Date.now() - this.#activeAt <= this.ttlMs;
  }
}
