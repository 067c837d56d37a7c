import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type {
  NewRuleRequest,
  NewRuleTrialRequest,
  Rule,
  RuleFeedbackRequest,
  RuleHistory,
  RuleMatch,
  RuleMatchesQueryInput,
  RuleMatchList,
  RulePatchRequest,
  RuleTrialRequest,
  RuleTryResult,
} from './wire.ts';

/** Manages rules, which find what is said and what happens in every conversation, stored, new and live. */
export class Rules {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Adds a rule, or a category of Amazon Transcribe Call Analytics. It does nothing until it is enabled.
   *
   * @example
   * const rule = await undertone.rules.create({ name: 'Price', when: { said: { phrases: ['too expensive'] } } });
   * const { matches } = await undertone.rules.try(rule.id);
   * await undertone.rules.edit(rule.id, { is_enabled: true });
   */
  create(rule: NewRuleRequest, { signal }: CallOptions = {}): Promise<Rule> {
    return this.#connection.json('rules', { ...jsonCall('POST', rule), repeatable: false, signal });
  }

  async list({ signal }: CallOptions = {}): Promise<Rule[]> {
    return (await this.#connection.json<{ rules: Rule[] }>('rules', { repeatable: true, signal })).rules;
  }

  /** A rule with its versions. */
  get(id: string, { signal }: CallOptions = {}): Promise<RuleHistory> {
    return this.#connection.json(path`rules/${id}`, { repeatable: true, signal });
  }

  /** Changes a rule, or switches it on or off. */
  edit(id: string, patch: RulePatchRequest, { signal }: CallOptions = {}): Promise<Rule> {
    return this.#connection.json(path`rules/${id}`, { ...jsonCall('PATCH', patch), repeatable: true, signal });
  }

  /** Removes a rule with its versions, matches and judgements. */
  delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`rules/${id}`, { method: 'DELETE', repeatable: false, signal });
  }

  /** Tries a rule, or a condition that is not stored, over everything stored. */
  try(
    rule: string | NewRuleTrialRequest,
    { signal, ...trial }: RuleTrialRequest & CallOptions = {},
  ): Promise<RuleTryResult> {
    const isStored = typeof rule === 'string';
    const call = { ...jsonCall('POST', isStored ? trial : rule), repeatable: true, signal };
    return this.#connection.json(isStored ? path`rules/${rule}/try` : 'rules/try', call);
  }

  /** A page of the conversations that an enabled rule matches. */
  matches(id: string, { signal, ...query }: RuleMatchesQueryInput & CallOptions = {}): Promise<RuleMatchList> {
    return this.#connection.json(withQuery(path`rules/${id}/matches`, query), { repeatable: true, signal });
  }

  /** Every conversation that an enabled rule matches, newest first. */
  async *allMatches(id: string, options: RuleMatchesQueryInput & CallOptions = {}): AsyncGenerator<RuleMatch, void> {
    for (let cursor = options.cursor; ; ) {
      const page = await this.matches(id, { ...options, ...(cursor !== undefined && { cursor }) });
      yield* page.matches;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** Says whether a hit is right. `try` prints the precision by these judgements. */
  judge(id: string, feedback: RuleFeedbackRequest, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`rules/${id}/feedback`, {
      ...jsonCall('POST', feedback),
      repeatable: true,
      signal,
    });
  }
}
