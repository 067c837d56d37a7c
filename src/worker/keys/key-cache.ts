/** How long an answer is trusted, by what it was: the bounds on how late a revocation and a new key are seen. */
export interface KeyCacheTimes {
  yesMs: number;
  noMs: number;
}

interface Learnt<T> {
  value: T;
  until: number;
}

/**
 * What an isolate learnt of keys by their ids, for a while. Made-up ids cannot fill its memory, nor push out what was
 * learnt of keys that stand.
 */
export class KeyCache<T> {
  readonly #most: number;
  readonly #yes = new Map<string, Learnt<T>>();
  readonly #no = new Map<string, Learnt<null>>();

  /** @param most entries of each kind */
  constructor(most: number) {
    this.#most = most;
  }

  /** Null for a key that was not there, undefined when it has to be asked. */
  get(id: string, now: number): T | null | undefined {
    const learnt = this.#yes.get(id) ?? this.#no.get(id);
    return learnt && learnt.until > now ? learnt.value : undefined;
  }

  learn(id: string, value: T | null, { yesMs, noMs }: KeyCacheTimes, now: number): void {
    this.#yes.delete(id);
    this.#no.delete(id);
    if (value === null) keep(this.#no, id, { value, until: now + noMs }, this.#most);
    else keep(this.#yes, id, { value, until: now + yesMs }, this.#most);
  }

  get size(): number {
    return this.#yes.size + this.#no.size;
  }
}

/** The one learnt longest ago goes. */
function keep<T>(map: Map<string, Learnt<T>>, id: string, learnt: Learnt<T>, most: number): void {
  const [oldest] = map.keys();
  if (map.size >= most && oldest !== undefined) map.delete(oldest);
  map.set(id, learnt);
}
