import { RpcTarget } from 'cloudflare:workers';
import {
  type Commitment,
  type CommitmentEntry,
  type CommitmentExportQuery,
  type CommitmentList,
  type CommitmentPatch,
  type CommitmentQuery,
  type OpenQuestion,
  REPORTED_COMMITMENTS,
} from '../../../contract/commitments.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import type { KnownPeople } from '../../results/edits/people.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import type { TenantConversations } from '../catalogue/tenant-conversations.ts';
import type { TenantWebhooks } from '../webhooks/tenant-webhooks.ts';
import { CommitmentTable, type Owner } from './commitment-table.ts';

/** Limit on the commitments of one export. */
const MAX_EXPORTED = 10_000;
const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown commitment');

/** The parts of the tenant's object that commitments use. */
export interface CommitmentsHost {
  sql: Sql;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** The people of these ids as they are now. */
  people: (ids: readonly string[]) => KnownPeople;
  conversations: Pick<TenantConversations, 'find' | 'setCommitment'>;
  webhooks: Pick<TenantWebhooks, 'send'>;
}

/** The commitments of one tenant, kept in step with the results. */
export class TenantCommitments extends RpcTarget {
  readonly #host: CommitmentsHost;
  readonly #table: CommitmentTable;

  constructor(host: CommitmentsHost) {
    super();
    this.#host = host;
    this.#table = new CommitmentTable(host.sql);
  }

  async list(query: CommitmentQuery): Promise<Result<CommitmentList>> {
    if (!this.#host.exists()) return ok(NOTHING);
    try {
      return ok(this.#table.list(query, this.#owner(query.person)));
    } catch (error) {
      if (error instanceof ServiceError) return fail(error.code, error.detail);
      throw error;
    }
  }

  /** The commitments of an export, in the order of the list. */
  async all(query: CommitmentExportQuery): Promise<CommitmentEntry[]> {
    return this.#host.exists() ? this.#table.all(query, this.#owner(query.person), MAX_EXPORTED) : [];
  }

  /**
   * Sets the status of a commitment, which is kept with the conversation.
   * @param key id of the key that sets it, with its tenant
   */
  async patch(id: string, { status }: CommitmentPatch, key: string): Promise<Result<CommitmentEntry>> {
    const known = this.#host.exists() ? this.#table.find(id) : null;
    if (!known) return UNKNOWN;
    const { conversation_id, quote } = known;
    const set = await this.#host.conversations.setCommitment(conversation_id, { id, quote, status, key });
    if (!set.ok) return set;
    this.#table.restatus(conversation_id);
    const changed = this.#table.find(id);
    return changed ? ok(changed) : UNKNOWN;
  }

  /** The number of commitments of each of these conversations that have any, by their ids. */
  counts(conversations: readonly string[]): ReturnType<CommitmentTable['counts']> {
    return this.#table.counts(conversations);
  }

  /** Whether a conversation has commitments. */
  isOwed(conversationId: string): boolean {
    return this.#table.of(conversationId).length > 0;
  }

  /**
   * Stores the commitments and open questions of a shown result. A failure does not keep the result from being stored.
   */
  index(n: number, commitments: readonly Commitment[], questions: readonly OpenQuestion[]): void {
    try {
      this.#table.index(n, commitments);
      this.#table.indexQuestions(n, questions);
    } catch (error) {
      logFault(asServiceError(error), { task: 'commitments' });
    }
  }

  /** Reports the commitments of a new conversation to the webhooks. Those of a repeated analysis are not new. */
  async report(conversationId: string): Promise<void> {
    const record = (await this.#host.conversations.find(conversationId))?.record;
    const commitments = this.#table.of(conversationId);
    if (!record || record.run !== conversationId || commitments.length === 0) return;
    const data = { conversation_id: conversationId, commitments: commitments.slice(0, REPORTED_COMMITMENTS) };
    await this.#host.webhooks.send('commitment.made', data, Date.now());
  }

  #owner(person: string | undefined): Owner | null {
    if (person === undefined) return null;
    const known = this.#host.people([person])[person];
    return known ? { name: known.name, personId: person } : { name: person };
  }
}

const NOTHING: CommitmentList = {
  commitments: [],
  counts: {
    statuses: { offered: 0, open: 0, accepted: 0, declined: 0, done: 0 },
    undated: 0,
    owners: [],
    open_questions: 0,
  },
  open_questions: [],
  next_cursor: null,
};
