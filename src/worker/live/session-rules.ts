import type { ServiceEvent } from '../../contract/events.ts';
import type { RuleMatchEvent } from '../../contract/rules.ts';
import { LiveRules } from '../../conversation/rules/live-rules.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Env } from '../identity/env.ts';
import type { EnabledRule } from '../tenant/rules/rule-book.ts';
import { tenantOf } from '../tenant/tenant.ts';
import type { SessionLog, SessionOptions } from './log.ts';

/** The tenant's rules in a live session, as they were when it began or was resumed. */
export class SessionRules {
  readonly #env: Env;
  readonly #options: SessionOptions;
  readonly #rules: ReadonlyMap<string, EnabledRule>;
  readonly #live: LiveRules;

  private constructor(env: Env, options: SessionOptions, rules: readonly EnabledRule[]) {
    this.#env = env;
    this.#options = options;
    this.#rules = new Map(rules.map((rule) => [rule.id, rule]));
    // The language of the words is known only at the end.
    this.#live = new LiveRules(rules, null);
  }

  /** The rules, which have read the events that the session already has. Without them, a session goes on. */
  static async load(env: Env, options: SessionOptions, log: SessionLog): Promise<SessionRules> {
    const { tenant, conversationId: conversation_id } = options;
    const rules = await tenantOf(env, tenant)
      .rules.enabled()
      .catch((error: unknown): EnabledRule[] => {
        logFault(asServiceError(error), { task: 'rules', conversation_id });
        return [];
      });
    const session = new SessionRules(env, options, rules);
    if (rules.length > 0)
      for (const event of log.events(['final_transcript', 'moment', 'transition'])) session.#live.take(event);
    return session;
  }

  /**
   * Reads an event of the session, and reports the matches that it adds to the webhooks.
   * @returns the events of these matches
   */
  take(event: ServiceEvent): ServiceEvent[] {
    if (this.#rules.size === 0) return [];
    return this.#live.take(event).map(({ rule: id, utteranceIds, speaker, start, end, quote, spans }) => {
      const { name, version, alert } = this.#rules.get(id)!;
      const hit = { utterance_ids: utteranceIds, speaker, t_start: start, t_end: end, quote, spans };
      const data: RuleMatchEvent = { rule_id: id, name, version, ...hit };
      if (alert) this.#alert({ id, name, version, hits: [hit] });
      return { event: 'rule_match', data };
    });
  }

  #alert(rule: Parameters<ReturnType<typeof tenantOf>['rules']['alert']>[1]): void {
    const { tenant, conversationId } = this.#options;
    // The report of the result repeats one that failed.
    tenantOf(this.#env, tenant)
      .rules.alert(conversationId, rule)
      .catch((error: unknown) => logFault(asServiceError(error), { task: 'rules', conversation_id: conversationId }));
  }
}
