import { ANNOUNCE_EVERY_S } from '../../contract/pool.ts';

/** How long a pipeline that joined the pool itself is a member after its last announcement, ms: three are missed. */
const ANNOUNCED_MS = 3.5 * ANNOUNCE_EVERY_S * 1000;

/**
 * The addresses of the pipelines that joined the pool themselves, and until when they are members. They are stored when
 * they change, so that an object that was reset asks them before their next announcement.
 */
export class JoinedProcesses {
  readonly #kv: SyncKvStorage;
  /** Unix time, ms. */
  #untils: Map<string, number> | null = null;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  get #until(): Map<string, number> {
    const until = Date.now() + ANNOUNCED_MS;
    this.#untils ??= new Map((this.#kv.get<string[]>('announced') ?? []).map((url) => [url, until]));
    return this.#untils;
  }

  /** All of them, with those that no longer announce themselves. */
  get urls(): string[] {
    return [...this.#until.keys()];
  }

  /** Those that announced themselves lately. */
  get present(): string[] {
    return this.urls.filter((url) => !this.isOverdue(url));
  }

  has(url: string): boolean {
    return this.#until.has(url);
  }

  renew(url: string): void {
    const isNew = !this.has(url);
    this.#until.set(url, Date.now() + ANNOUNCED_MS);
    if (isNew) this.#store();
  }

  /** Whether a process that joined no longer announces itself. */
  isOverdue(url: string): boolean {
    const until = this.#until.get(url);
    return until !== undefined && until < Date.now();
  }

  remove(url: string): void {
    if (this.#until.delete(url)) this.#store();
  }

  #store(): void {
    this.#kv.put('announced', this.urls);
  }
}
