/** One analysis that waits for a slot. */
export interface WaitingAnalysis {
  id: string;
  tenant: string;
  /** Estimated length of the audio, seconds. The tenant is charged for it. */
  cost: number;
  /** Whether a client stays connected for it. Within a tenant, these analyses go first. */
  isAttended: boolean;
}

/** A tenant's account of used and owed time. */
interface Account {
  /** Credit in seconds. At 0 the tenant may go at once; a negative value is its debt for earlier turns. */
  credit: number;
  waiting: WaitingAnalysis[];
  /** Number of its last turn. When two tenants have equal credit, the one whose last turn is older goes first. */
  lastTurn: number;
}

/**
 * Deficit round robin over seconds of audio (Shreedhar and Varghese, 1995), charged afterwards. All waiting tenants
 * receive the same credit. A tenant goes when it owes nothing, and then owes the length of its recording. A newcomer
 * therefore goes next, however many recordings of other tenants are waiting. A tenant that left with a debt still owes
 * it when it returns, less the credit that the others have received in the meantime. Pure.
 */
export class FairOrder {
  readonly #accounts = new Map<string, Account>();
  #turns = 0;

  add(entry: WaitingAnalysis): void {
    const account = this.#accounts.get(entry.tenant) ?? { credit: 0, waiting: [], lastTurn: -1 };
    this.#accounts.set(entry.tenant, account);
    const index = account.waiting.findIndex(({ isAttended }) => entry.isAttended && !isAttended);
    account.waiting.splice(index < 0 ? account.waiting.length : index, 0, entry);
  }

  remove({ tenant, id }: Pick<WaitingAnalysis, 'tenant' | 'id'>): void {
    const account = this.#accounts.get(tenant);
    if (account) account.waiting = account.waiting.filter((entry) => entry.id !== id);
  }

  /**
   * Removes and returns the next analysis. Undefined when none may go. Debts are cleared when nothing waits.
   * @param mayGo whether a given waiting tenant may go now
   */
  next(mayGo: (tenant: string) => boolean = () => true): WaitingAnalysis | undefined {
    const waiting = [...this.#accounts].filter(([, account]) => account.waiting.length > 0);
    if (waiting.length === 0) this.#accounts.clear();
    const candidates = waiting.filter(([tenant]) => mayGo(tenant)).map(([, account]) => account);
    const [first] = candidates.sort((a, b) => b.credit - a.credit || a.lastTurn - b.lastTurn);
    if (!first) return undefined;
    this.#credit(-first.credit);
    const entry = first.waiting.shift()!;
    first.credit -= entry.cost;
    first.lastTurn = this.#turns++;
    return entry;
  }

  /** Number of a tenant's waiting analyses. */
  waitingOf(tenant: string, isAttended: boolean): number {
    return this.#accounts.get(tenant)?.waiting.filter((entry) => entry.isAttended === isAttended).length ?? 0;
  }

  /** Credits every tenant. A tenant without waiting analyses only pays off its debt and saves nothing. */
  #credit(seconds: number): void {
    if (seconds === 0) return;
    for (const [tenant, account] of this.#accounts) {
      account.credit = Math.min(0, account.credit + seconds);
      if (account.credit === 0 && account.waiting.length === 0) this.#accounts.delete(tenant);
    }
  }
}
