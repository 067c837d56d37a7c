import type { ConversationEntry, Match } from '../../../contract/conversations.ts';
import type { MomentEvent } from '../../../contract/findings.ts';
import type { TenantOptions } from '../../../contract/options.ts';
import type { StoredReceipt } from '../../../contract/receipts.ts';
import type { Result } from '../../../contract/result.ts';
import type { Env } from '../../identity/env.ts';
import type { KnownPeople } from '../../results/edits/people.ts';
import type { StoredRedacting } from '../../results/record.ts';
import type { DueTimes } from '../../sqlite/due-times.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import type { JobRequest } from '../jobs/job.ts';
import type { IndexListener } from './catalogue.ts';
import type { SyncHost } from './catalogue-sync.ts';

/** The parts of the tenant's object that conversations use. */
export interface ConversationsHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  tenant: string;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
  /** The tenant's retention, days. Null: conversations are kept until they are deleted. */
  retentionDays: () => number | null;
  /** Begins a job that a workflow runs. */
  begin: (request: JobRequest) => Promise<Result<unknown>>;
  /** Whether the run has or had a job. */
  hasJob: (run: string) => Promise<boolean>;
  /** Whether the run's job has not ended. */
  isOpen: (run: string) => Promise<boolean>;
  /** Whether the run's job is waiting for its turn. */
  isQueued: (run: string) => Promise<boolean>;
  /**
   * Removes every trace of the jobs of runs.
   * @returns whether any of them existed
   */
  forgetJobs: (runs: readonly string[]) => Promise<boolean>;
  /** Applies the rules to the result of a conversation. */
  onIndexed: IndexListener;
  /** Reports the rules that match a new result. */
  onInstalled: (id: string) => Promise<void>;
  /** Whether a rule has an outcome in the conversation. */
  isMatched: (id: string) => boolean;
  /** The words of the first sure moments of a category in each of these conversations, by their ids. */
  quotes: (ids: readonly string[], category: MomentEvent['category']) => Map<string, Match[]>;
  /** The number of commitments of each of these conversations that have any, by their ids. */
  commitmentCounts: (ids: readonly string[]) => Map<string, NonNullable<ConversationEntry['commitments']>>;
  /** Whether a conversation has commitments. */
  isOwed: (id: string) => boolean;
  /** Whether pieces of a conversation are in playlists. */
  isListed: (id: string) => boolean;
  /** Whether a conversation has or had shares. */
  isShared: (id: string) => boolean;
  /** Whether a conversation was erased. */
  isErased: (id: string) => boolean;
  /** Notes that a conversation is erased, before it is. */
  onErased: (id: string) => Promise<void>;
  /** Adds a receipt. */
  onReceipt: (receipt: StoredReceipt) => void;
  /** The notes of playlists on pieces of a conversation. */
  notesOn: SyncHost['notesOn'];
  onRedacted: SyncHost['onRedacted'];
  onRedactionDone: SyncHost['onRedactionDone'];
  /** A redaction did not succeed. The conversation is as it was. */
  onRedactionFailed: (id: string, redacting: StoredRedacting) => Promise<void>;
  /** The tenant's settings for its analyses. */
  options: () => TenantOptions;
  /** The people of these ids as they are now. */
  people: (ids: readonly string[]) => KnownPeople;
}
