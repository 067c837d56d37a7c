/** One analysis that waits for a place. */
export interface WaitingAnalysis {
  id: string;
  tenant: string;
  /** About how long its sound is, seconds; what its tenant pays for the turn. */
  cost: number;
  /** Whether somebody stays on the line for it: within a tenant such go first. */
  isAttended: boolean;
}

/** What a tenant was given, and how it stands. */
interface Account {
  /** Seconds below what everybody was offered: 0 for who may go at once, less for who had its turn. */
  credit: number;
  waiting: WaitingAnalysis[];
  /** Turns count up: of two that stand alike the one goes that went longer ago. */
  lastTurn: number;
}

/**
 * Whose turn it is, by deficit round robin over seconds of sound (Shreedhar and Varghese, 1995), paid afterwards: every
 * tenant that waits is offered the same, one goes when it owes nothing, and then owes what its recording costs. So who
 * comes new goes next, however many recordings of others wait; and who left before it paid comes back as a debtor, unless
 * the others were given as much meanwhile. Pure.
 */
export class FairOrder {
  readonly #accounts = new Map<string, Account>();
  #turns = 0;

  add(entry: WaitingAnalysis): void {
    const account = this.#accounts.get(entry.tenant) ?? { credit: 0, waiting: [], lastTurn: -1 };
    this.#accounts.set(entry.tenant, account);
    const place = account.waiting.findIndex(({ isAttended }) => entry.isAttended && !isAttended);
    account.waiting.splice(place < 0 ? account.waiting.length : place, 0, entry);
  }

  remove({ tenant, id }: Pick<WaitingAnalysis, 'tenant' | 'id'>): void {
    const account = this.#accounts.get(tenant);
    if (account) account.waiting = account.waiting.filter((entry) => entry.id !== id);
  }

  /**
   * Takes out who goes next; undefined when nobody may. When nobody waits, nobody owes anybody anything.
   * @param mayGo asked of each tenant that waits
   */
  next(mayGo: (tenant: string) => boolean = () => true): WaitingAnalysis | undefined {
    const waiting = [...this.#accounts].filter(([, account]) => account.waiting.length > 0);
    if (waiting.length === 0) this.#accounts.clear();
    const candidates = waiting.filter(([tenant]) => mayGo(tenant)).map(([, account]) => account);
    const [first] = candidates.sort((a, b) => b.credit - a.credit || a.lastTurn - b.lastTurn);
    if (!first) return undefined;
    this.#offer(-first.credit);
    const entry = first.waiting.shift()!;
    first.credit -= entry.cost;
    first.lastTurn = this.#turns++;
    return entry;
  }

  /** How many of a tenant's wait. */
  waitingOf(tenant: string, isAttended: boolean): number {
    return this.#accounts.get(tenant)?.waiting.filter((entry) => entry.isAttended === isAttended).length ?? 0;
  }

  /** Rounds until everybody was given so many seconds. Who does not wait saves nothing up. */
  #offer(seconds: number): void {
    if (seconds === 0) return;
    for (const [tenant, account] of this.#accounts) {
      account.credit = Math.min(0, account.credit + seconds);
      if (account.credit === 0 && account.waiting.length === 0) this.#accounts.delete(tenant);
    }
  }
}
