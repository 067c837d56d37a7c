import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamEvent, UndertoneError } from '../../src/sdk/index.ts';
import { isLasting } from '../../support/stream-events.ts';

const ASK_AGAIN_MS = 250;

/** A broken bar. */
export interface BrokenBar {
  what: string;
  /** An excerpt of what was observed. */
  seen: string;
}

/** A conversation whose end was acknowledged to a client. */
export interface KnownConversation {
  id: string;
  /** The recording and the mode, which determine the words. */
  kind: string;
  /** Bytes of the recording. */
  bytes: Uint8Array;
  /** The titles that it may have: several while the outcome of an edit is unknown. */
  titles: Set<string | null>;
  /** Ids of its acknowledged comments. */
  comments: Set<string>;
  completedAt: number;
}

/** The count of everything that a row of the table shows. */
export interface SoakCounts {
  live: number;
  files: number;
  cancelled: number;
  edits: number;
  deleted: number;
  messages: number;
  kills: number;
}

/** Everything that the service has acknowledged, and every bar that it has broken. */
export class Ledger {
  readonly findings: BrokenBar[] = [];
  readonly conversations = new Map<string, KnownConversation>();
  /** Conversations whose deletion was acknowledged, or is under way. */
  readonly deleted = new Set<string>();
  readonly deleting = new Set<string>();
  /** Ids of analyses whose only answer was lost in a fault: the service may have stored their results. */
  answersLost = 0;
  readonly counts: SoakCounts = { live: 0, files: 0, cancelled: 0, edits: 0, deleted: 0, messages: 0, kills: 0 };
  /** The ids of the messages about each end of an analysis. */
  readonly messages = new Map<string, Set<string>>();
  readonly statuses = new Map<string, number>();
  readonly #references = new Map<string, string>();
  #faultUntil = 0;

  add(what: string, seen: string): void {
    this.findings.push({ what, seen: seen.slice(0, 600) });
    console.log(`finding: ${what}: ${seen.slice(0, 600)}`);
  }

  /** Notes that a process was killed. Until `recovered`, requests may fail. */
  beginFault(): void {
    this.counts.kills++;
    this.#faultUntil = Number.POSITIVE_INFINITY;
  }

  /** @param settleMs for how much longer the results of the fault may arrive */
  recovered(settleMs: number): void {
    this.#faultUntil = Date.now() + settleMs;
  }

  get isInFault(): boolean {
    return Date.now() < this.#faultUntil;
  }

  /** @param words the lasting part of the result: the same for every run over one recording in one mode */
  completed(one: Pick<KnownConversation, 'id' | 'kind' | 'bytes'>, words: string): void {
    const reference = this.#references.get(one.kind);
    if (reference === undefined) this.#references.set(one.kind, words);
    else if (reference !== words)
      this.add('another result for the same recording', `${one.kind} ${one.id}: ${difference(reference, words)}`);
    this.conversations.set(one.id, { ...one, titles: new Set(), comments: new Set(), completedAt: Date.now() });
  }

  /** Counts a message. A repetition under the same id is allowed. */
  message(id: string, type: string, conversation: string): void {
    this.counts.messages++;
    if (!type.startsWith('analysis.')) return;
    const ids = this.messages.get(conversation) ?? new Set();
    this.messages.set(conversation, ids.add(`${type} ${id}`));
    if (ids.size === 2)
      this.add('two messages about one end of an analysis', `${conversation}: ${[...ids].join(', ')}`);
  }

  status(route: string, status: number | string): void {
    const name = `${route} ${status}`;
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
  }
}

/**
 * Whether the service may have carried out a request that failed: there was no answer, or one that neither refuses the
 * request nor names a kept upload.
 */
export const isOutcomeUnknown = ({ code, status, conversationId }: UndertoneError): boolean =>
  code === 'CONNECTION_FAILED' || (status === 500 && conversationId === undefined);

/** Asks every 250 ms until the answer is yes, or until it is too late. @returns whether it was yes */
export async function comesTrue(ask: () => Promise<boolean>, isTooLate: () => boolean): Promise<boolean> {
  for (;;) {
    // A machine under load may give another answer the second time.
    if (await ask()) return true;
    if (isTooLate()) return false;
    await sleep(ASK_AGAIN_MS);
  }
}

/** The surroundings of the first difference. */
function difference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `...${a.slice(Math.max(0, at - 40), at + 120)}... became ...${b.slice(Math.max(0, at - 40), at + 120)}...`;
}

/** Faults of the events that a consumer received: gaps, and lasting events that came twice. */
export function faultsOfEvents(events: readonly StreamEvent[]): string[] {
  const faults: string[] = [];
  const gap = events.findIndex(({ id }, i) => id !== i);
  if (gap !== -1) faults.push(`event ${gap} has the id ${events[gap]?.id}`);
  const ends = events.filter(({ event }) => event === 'done').length;
  if (ends !== 1) faults.push(`${ends} events \`done\``);
  const lasting = events.filter(isLasting).map(({ event, data }) => JSON.stringify([event, data]));
  if (new Set(lasting).size < lasting.length) faults.push('a lasting event came twice');
  return faults;
}
