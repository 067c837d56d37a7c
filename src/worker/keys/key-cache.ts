/** How long an answer is cached, by kind. These times limit how late a revocation or a new key takes effect. */
export interface KeyCacheTimes {
  yesMs: number;
  noMs: number;
}

interface Learnt<T> {
  value: T;
  until: number;
}

/** Caches keys by id. Invented ids can neither fill the memory nor evict valid keys. */
export class KeyCache<T> {
  readonly #most: number;
  readonly #yes = new Map<string, Learnt<T>>();
  readonly #no = new Map<string, Learnt<null>>();

  /** @param most limit on the entries of each kind */
  constructor(most: number) {
    this.#most = most;
  }

  /** Null for an unknown key. Undefined when the key has to be looked up in the tenant. */
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

/** Evicts the entry cached longest ago. */
function keep<T>(map: Map<string, Learnt<T>>, id: string, learnt: Learnt<T>, most: number): void {
  const [oldest] = map.keys();
  if (map.size >= most && oldest !== undefined) map.delete(oldest);
  map.set(id, learnt);
}
