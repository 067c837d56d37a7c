import { RpcTarget } from 'cloudflare:workers';
import { ServiceError } from '../../../contract/errors.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { RuleCondition } from '../../../contract/rule-conditions.ts';
import type {
  ConversationRule,
  MatchedRule,
  NewRule,
  RuleBody,
  RuleFeedback,
  RuleHistory,
  RuleMatchesQuery,
  RuleMatchList,
  RulePatch,
} from '../../../contract/rules.ts';
import type { RuleFacts } from '../../../conversation/rules/facts.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import type { TenantWebhooks } from '../webhooks/tenant-webhooks.ts';
import { type EnabledRule, RuleBook } from './rule-book.ts';
import { RuleResults, type Tried, type TriedConversation } from './rule-results.ts';

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown rule');

/** Hits in a message to webhooks. */
const REPORTED_HITS = 3;

/** The parts of the tenant's object that rules use. */
export interface RulesHost {
  sql: Sql;
  due: DueTimes;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
  webhooks: Pick<TenantWebhooks, 'send'>;
}

/** The rules of one tenant, and their outcomes in its conversations. */
export class TenantRules extends RpcTarget {
  readonly #host: RulesHost;
  readonly #book: RuleBook;
  readonly #results: RuleResults;

  constructor(host: RulesHost) {
    super();
    this.#host = host;
    this.#book = new RuleBook(host.sql);
    this.#results = new RuleResults(host.sql);
  }

  /** The task that applies enabled rules to everything stored. */
  get tasks(): DueTasks {
    return { rules: (now) => (this.#results.applyDue(this.#book.enabled()) ? now : null) };
  }

  async add(rule: NewRule): Promise<Result<RuleBody>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    return this.#applied(this.#book.add(rule, Date.now()));
  }

  async list(): Promise<RuleBody[]> {
    return this.#host.exists() ? this.#book.list() : [];
  }

  async read(id: string): Promise<Result<RuleHistory>> {
    return this.#host.exists() ? this.#book.history(id) : UNKNOWN;
  }

  async patch(id: string, patch: RulePatch): Promise<Result<RuleBody>> {
    return this.#host.exists() ? this.#applied(this.#book.patch(id, patch, Date.now())) : UNKNOWN;
  }

  async remove(id: string): Promise<Result<null>> {
    return this.#host.exists() && this.#book.remove(id) ? ok(null) : UNKNOWN;
  }

  /** The rules that a live session applies. */
  async enabled(): Promise<EnabledRule[]> {
    return this.#host.exists() ? this.#book.enabled() : [];
  }

  /** The condition of a version of a rule; the newest if it is not given. */
  async condition(id: string, version?: number): Promise<Result<{ version: number; when: RuleCondition }>> {
    return this.#host.exists() ? this.#book.condition(id, version) : UNKNOWN;
  }

  async matches(id: string, query: RuleMatchesQuery): Promise<Result<RuleMatchList>> {
    const rule = this.#host.exists() ? this.#book.find(id) : null;
    if (!rule) return UNKNOWN;
    try {
      return ok(this.#results.matches(id, rule.version, query));
    } catch (error) {
      if (error instanceof ServiceError) return fail(error.code, error.detail);
      throw error;
    }
  }

  async judge(id: string, feedback: RuleFeedback): Promise<Result<null>> {
    if (!this.#host.exists() || !this.#book.find(id)) return UNKNOWN;
    return this.#results.judge(id, feedback)
      ? ok(null)
      : fail('INVALID_REQUEST', 'utterance_id: there is no such utterance in this conversation');
  }

  /** The enabled rules that match a conversation, or may match it. */
  async of(conversationId: string): Promise<ConversationRule[]> {
    return this.#host.exists() ? this.#results.of(conversationId) : [];
  }

  /** Utterances of the conversations that a trial reads. */
  async utterances(tried: Tried): Promise<number> {
    return this.#host.exists() ? this.#results.utterances(tried) : 0;
  }

  /** A page of the conversations that a trial reads; see `RuleResults.page`. */
  async page(tried: Tried): Promise<TriedConversation[]> {
    return this.#host.exists() ? this.#results.page(tried) : [];
  }

  /** Every judgement on a rule's hits, by utterance. */
  async thumbs(id: string): Promise<Map<string, 'up' | 'down'>> {
    return this.#host.exists() ? this.#results.thumbs(id) : new Map();
  }

  /** Whether a rule has an outcome in a conversation. */
  isMatched(conversationId: string): boolean {
    return this.#results.isMatched(conversationId);
  }

  /** Applies the rules to a result. A failure does not keep the result from being stored. */
  index(n: number, facts: RuleFacts | null): void {
    try {
      this.#results.index(n, facts, this.#book.enabled());
    } catch (error) {
      logFault(asServiceError(error), { task: 'rules' });
    }
  }

  /** Reports the rules that match a new result to the webhooks. Judgements on an earlier result are forgotten. */
  async report(conversationId: string): Promise<void> {
    this.#results.forgetThumbs(conversationId);
    const alerting = new Set(this.#book.enabled().flatMap(({ id, alert }) => (alert ? [id] : [])));
    for (const { rule_id, name, version, outcome, hits } of this.#results.of(conversationId))
      if (outcome === 'matched' && alerting.has(rule_id))
        await this.alert(conversationId, { id: rule_id, name, version, hits });
  }

  /** Reports a match to the webhooks, once for each rule and conversation. */
  async alert(conversation_id: string, rule: MatchedRule): Promise<void> {
    if (!this.#host.exists() || !this.#results.isFirstAlert(rule.id, conversation_id)) return;
    const data = { conversation_id, rule: { ...rule, hits: rule.hits.slice(0, REPORTED_HITS) } };
    await this.#host.webhooks.send('rule.matched', data, Date.now());
  }

  /** Applies an enabled rule to everything stored. */
  async #applied(changed: Result<RuleBody>): Promise<Result<RuleBody>> {
    if (changed.ok && changed.value.pending > 0) await this.#host.due.within('rules', Date.now());
    return changed;
  }
}
