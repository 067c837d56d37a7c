import { fail, type Refusal } from '../../contract/result.ts';

/**
 * Limit of the database of one object, bytes (developers.cloudflare.com/durable-objects/platform/limits/). All of a
 * tenant's rows share it: conversations and their searchable text, keys, jobs, webhooks and logs.
 */
const DATABASE_BYTES = 10_000_000_000;
/** The share from which the operator is warned, and the one from which new recordings are refused. */
const NEARLY_FULL = 0.6;
const FULL = 0.9;
/** Shortest time between two warnings, ms. */
const WARNING_MS = 3_600_000;

/**
 * The size of a tenant's database, with its limits. Only recordings are refused: the last tenth is for edits,
 * deletions, keys and jobs, without which nothing could be removed.
 */
export class DatabaseSize {
  readonly #bytes: () => number;
  #warnedAt = Number.NEGATIVE_INFINITY;

  /** @param bytes current size of the database */
  constructor(bytes: () => number) {
    this.#bytes = bytes;
  }

  /** The used share, 0 to 1. */
  get share(): number {
    return this.#bytes() / DATABASE_BYTES;
  }

  /** The reason why no recording is accepted. Null when one is. */
  refusal(): Refusal | null {
    if (this.share < FULL) return null;
    const percent = Math.floor(this.share * 100);
    return fail(
      'STORAGE_FULL',
      `The database of this tenant is ${percent} % full; it takes no new recordings from ${FULL * 100} % of 10 GB on: delete conversations, or ask the operator`,
    );
  }

  /** The used share, if the operator should be warned of it now; null otherwise. At most once an hour. */
  takeWarning(now: number): number | null {
    if (this.share < NEARLY_FULL || now - this.#warnedAt < WARNING_MS) return null;
    this.#warnedAt = now;
    return this.share;
  }
}
