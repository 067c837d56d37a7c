import type { PoolRegion } from '../../contract/regions.ts';

/** A request that waits for a place in the pool. */
export interface PoolWaiting {
  id: string;
  kind: 'live' | 'conclude' | 'batch';
  tenant: string;
  /** Seconds of audio that the work is expected to take; 0 for a live session, whose length nobody knows. */
  weight: number;
  /** When it began to wait, Unix time, ms. */
  since: number;
  /** When it is refused if it still waits, Unix time, ms; null if it waits however long it takes. */
  until: number | null;
  /** The region where it should run, or else near it; null for any. */
  region: PoolRegion | null;
  /** Instances that have failed it. */
  avoid: readonly string[];
  /** Seconds of audio that an instance must analyse again before the work is where it was. */
  backlogS: number;
  /** Whether a client stays connected for it. It goes before the tenant's requests without one. */
  isAttended?: boolean | undefined;
}

/** One tenant's part of a line. */
interface TenantLine {
  /** The line's clock at which the tenant's next request goes, in seconds of audio. */
  turn: number;
  waiting: readonly PoolWaiting[];
  /** Total weight of the waiting requests. */
  seconds: number;
}

/**
 * A line that serves its tenants in turn, however many requests each has. Start-time fair queueing (Goyal, Vin
 * and Cheng, 1996): every tenant has a clock of the seconds of audio that it was given, and the one that is furthest
 * behind goes next. It is charged after its turn. A newcomer starts at the line's clock, so it goes next and cannot
 * save up turns.
 */
export interface FairLine {
  /** The turn of the request that was served last. */
  clock: number;
  tenants: ReadonlyMap<string, TenantLine>;
  length: number;
}

export const emptyLine: FairLine = { clock: 0, tenants: new Map(), length: 0 };

/** The charge of a request. Without a length, each counts the same. */
const chargeOf = ({ weight }: PoolWaiting): number => weight || 1;
const sumOf = (entries: readonly PoolWaiting[]): number => entries.reduce((sum, entry) => sum + chargeOf(entry), 0);

function withTenant(queue: FairLine, tenant: string, next: TenantLine, clock = queue.clock): FairLine {
  const before = queue.tenants.get(tenant)?.waiting.length ?? 0;
  const length = queue.length - before + next.waiting.length;
  // Debts are forgotten when nobody waits.
  if (length === 0) return emptyLine;
  const tenants = new Map(queue.tenants);
  if (next.waiting.length === 0 && next.turn <= clock) tenants.delete(tenant);
  else tenants.set(tenant, next);
  return { clock, tenants, length };
}

/** The line with a request at its end. A request with a client goes before those of its tenant without one. */
export function lineWith(queue: FairLine, entry: PoolWaiting): FairLine {
  const { turn = 0, waiting = [], seconds = 0 } = queue.tenants.get(entry.tenant) ?? {};
  const before = entry.isAttended ? waiting.findIndex(({ isAttended }) => !isAttended) : -1;
  return withTenant(queue, entry.tenant, {
    turn: waiting.length > 0 ? turn : Math.max(turn, queue.clock),
    waiting: waiting.toSpliced(before < 0 ? waiting.length : before, 0, entry),
    seconds: seconds + chargeOf(entry),
  });
}

/** The waiting request with this id. */
export const waitingIn = (queue: FairLine, tenant: string, id: string): PoolWaiting | undefined =>
  queue.tenants.get(tenant)?.waiting.find((entry) => entry.id === id);

/** The line without a request that stops waiting. */
export function lineWithout(queue: FairLine, tenant: string, id: string): FairLine {
  const account = queue.tenants.get(tenant);
  if (!account?.waiting.some((entry) => entry.id === id)) return queue;
  const waiting = account.waiting.filter((entry) => entry.id !== id);
  return withTenant(queue, tenant, { turn: account.turn, waiting, seconds: sumOf(waiting) });
}

/** The request that goes next. @param mayGo whether a given tenant may go now */
export function nextInLine(queue: FairLine, mayGo: (tenant: string) => boolean = () => true): PoolWaiting | undefined {
  let next: PoolWaiting | undefined;
  let first = Number.POSITIVE_INFINITY;
  for (const [tenant, { turn, waiting }] of queue.tenants) {
    const entry = waiting[0];
    if (!entry || turn > first || (turn === first && next && entry.since >= next.since) || !mayGo(tenant)) continue;
    next = entry;
    first = turn;
  }
  return next;
}

/** The line after the request at the head of its tenant's part was served. */
export function servedLine(queue: FairLine, entry: PoolWaiting): FairLine {
  const account = queue.tenants.get(entry.tenant);
  if (!account) return queue;
  const [, ...waiting] = account.waiting;
  const charge = chargeOf(entry);
  return withTenant(
    queue,
    entry.tenant,
    { turn: account.turn + charge, waiting, seconds: waiting.length === 0 ? 0 : account.seconds - charge },
    Math.max(queue.clock, account.turn),
  );
}

/** The work before a waiting request: its position, from 1, and the seconds of audio. */
export function aheadInLine(queue: FairLine, { tenant, id }: PoolWaiting): { position: number; seconds: number } {
  const own = queue.tenants.get(tenant);
  const index = own?.waiting.findIndex((entry) => entry.id === id) ?? -1;
  if (!own || index < 0) return { position: 1, seconds: 0 };
  let seconds = sumOf(own.waiting.slice(0, index));
  let position = index + 1;
  const turn = own.turn + seconds;
  for (const [other, account] of queue.tenants) {
    if (other === tenant || account.waiting.length === 0) continue;
    const before = Math.min(Math.max(turn - account.turn, 0), account.seconds);
    seconds += before;
    position += Math.round((account.waiting.length * before) / account.seconds);
  }
  return { position, seconds };
}
