import type { ServiceEvent } from '../../contract/events.ts';
import { RULE_LIMITS, type RuleCondition } from '../../contract/rule-conditions.ts';
import { RuleEvaluation, type RuleEvidence } from './evaluation.ts';
import { FactsBuilder } from './facts.ts';

/** A rule as a live session needs it. */
export interface LiveRule {
  id: string;
  when: RuleCondition;
}

/** A new hit of a rule. Its utterances are ids. */
export interface LiveHit extends Omit<RuleEvidence, 'utterances'> {
  rule: string;
  utteranceIds: string[];
}

/**
 * Evaluates rules while a conversation is still going on. A hit is reported once, when it is certain: a rule with `not`
 * or about the end of the recording waits until nothing can change its outcome. Sentiment is known only at the end.
 */
export class LiveRules {
  readonly #rules: readonly LiveRule[];
  readonly #builder: FactsBuilder;
  readonly #evaluation: RuleEvaluation;
  readonly #ids: string[] = [];
  /** The hits that were reported, by rule. */
  readonly #reported = new Map<string, Set<string>>();

  /** @param language BCP 47; null if it is not known */
  constructor(rules: readonly LiveRule[], language: string | null) {
    this.#rules = rules;
    this.#builder = new FactsBuilder(language);
    this.#evaluation = new RuleEvaluation(this.#builder.conversation);
  }

  /**
   * Reads an event of the session.
   * @returns the hits that it adds
   */
  take(event: ServiceEvent): LiveHit[] {
    if (!this.#isAdded(event)) return [];
    return this.#rules.flatMap(({ id, when }) => {
      const { outcome, hits } = this.#evaluation.evaluate(when);
      return outcome === 'matched' ? this.#fresh(id, hits) : [];
    });
  }

  #isAdded(event: ServiceEvent): boolean {
    if (event.event === 'final_transcript') {
      this.#builder.add(event.data);
      this.#ids.push(event.data.utterance_id);
    } else if (event.event === 'moment') this.#builder.addMoment(event.data);
    else if (event.event === 'transition') this.#builder.addTransition(event.data);
    else return false;
    return true;
  }

  #fresh(rule: string, hits: readonly RuleEvidence[]): LiveHit[] {
    const reported = this.#reported.get(rule) ?? new Set();
    this.#reported.set(rule, reported);
    return hits.flatMap(({ utterances, ...hit }): LiveHit[] => {
      const key = `${hit.start} ${utterances.join()}`;
      if (reported.has(key) || reported.size >= RULE_LIMITS.hits) return [];
      reported.add(key);
      return [{ ...hit, rule, utteranceIds: utterances.flatMap((u) => this.#ids[u] ?? []) }];
    });
  }
}
