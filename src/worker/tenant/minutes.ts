/** Number of minutes remembered. At the turn of a minute, counts for the previous one are still arriving. */
const REMEMBERED = 2;

/**
 * Requests of a tenant's keys by minute, across all isolates. They are kept only in memory, because they matter only
 * for a minute.
 */
export class Minutes {
  readonly #minutes = new Map<number, Map<string, number>>();

  add(minute: number, key: string, requests: number): void {
    const counts = this.#minutes.get(minute) ?? new Map<string, number>();
    counts.set(key, (counts.get(key) ?? 0) + requests);
    this.#minutes.set(minute, counts);
    for (const old of this.#minutes.keys()) if (old <= minute - REMEMBERED) this.#minutes.delete(old);
  }

  of(minute: number, key: string): number {
    return this.#minutes.get(minute)?.get(key) ?? 0;
  }

  all(minute: number): number {
    let sum = 0;
    for (const requests of this.#minutes.get(minute)?.values() ?? []) sum += requests;
    return sum;
  }
}
