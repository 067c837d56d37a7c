import { ServiceError } from '../../../contract/errors.ts';
import { isAnswerable, MOMENT_CATEGORY_NAMES } from '../../../contract/findings.ts';
import {
  ANSWER_CATEGORIES,
  FOLLOWS_WITHIN_S,
  type MomentOutcome,
  NOTHING_FOLLOWED,
  OBJECTION_CATEGORIES,
  SURE_FROM,
} from '../../../contract/patterns.ts';
import type {
  ConversationRule,
  FollowedBy,
  RuleFeedback,
  RuleHit,
  RuleMatch,
  RuleMatchesQuery,
  RuleMatchList,
} from '../../../contract/rules.ts';
import { RuleEvaluation } from '../../../conversation/rules/evaluation.ts';
import type { RuleConversation, RuleFacts } from '../../../conversation/rules/facts.ts';
import { type RecordedTime, recordedAt, type StoredRecord, titleOf } from '../../results/record.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { Conditions, inConversations } from '../filters/conversation-filter.ts';
import { hitsOf } from './hits.ts';
import type { EnabledRule } from './rule-book.ts';

/** Number of conversations to which one alarm applies a rule. */
const APPLIED_AT_ONCE = 20;
/** Text and facts of the conversations that one call returns, characters. */
const PAGE_CHARS = 4_000_000;

/** A conversation as a trial reads it. */
export interface TriedConversation {
  n: number;
  id: string;
  title: string;
  createdAt: number;
  recorded: RecordedTime;
  /** The texts, one a line, and the facts as JSON. */
  words: string;
  facts: string;
}

/** The conversations that a trial reads: those created in a period, Unix time, ms. */
export interface Tried {
  after: number;
  before: number;
}

interface SpokenRow extends Record<string, SqlValue> {
  n: number;
  id: string;
  record: string;
  created_at: number;
  words: string;
  facts: string;
}

const SPOKEN = `SELECT rule_facts.n AS n, id, record, created_at, words, facts
  FROM rule_facts JOIN conversations USING (n) JOIN texts USING (n)`;

/** The outcomes of a tenant's rules in its conversations, and the facts that they are made from. */
export class RuleResults {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Stores the facts of a conversation, null when it has no result, and applies the rules to it. */
  index(n: number, facts: RuleFacts | null, rules: readonly EnabledRule[]): void {
    this.#sql.exec('DELETE FROM rule_results WHERE n = ?', n);
    this.#sql.exec('DELETE FROM rule_facts WHERE n = ?', n);
    if (!facts) return;
    const utterances = facts.speaker.length;
    this.#sql.exec('INSERT INTO rule_facts VALUES (?, ?, ?)', n, utterances, JSON.stringify(facts));
    const [row] = this.#sql.exec<SpokenRow>(`${SPOKEN} WHERE rule_facts.n = ?`, n).toArray();
    if (row) this.#apply(row, rules);
    // A rule that was applied to everything before has now been applied to this, too.
    this.#sql.exec(
      `UPDATE rules SET applied = ?1 WHERE is_enabled AND applied < ?1
       AND applied >= (SELECT coalesce(max(n), 0) FROM rule_facts WHERE n < ?1)`,
      n,
    );
  }

  /**
   * Applies rules to the conversations that they have yet to read.
   * @returns whether conversations are left
   */
  applyDue(rules: readonly EnabledRule[]): boolean {
    for (const rule of rules) {
      const rows = this.#sql
        .exec<SpokenRow>(
          `${SPOKEN} WHERE rule_facts.n > (SELECT applied FROM rules WHERE rules.id = ?) ORDER BY rule_facts.n LIMIT ?`,
          rule.id,
          APPLIED_AT_ONCE,
        )
        .toArray();
      const last = rows.at(-1);
      if (!last) continue;
      for (const row of rows) this.#apply(row, [rule]);
      this.#sql.exec('UPDATE rules SET applied = ? WHERE id = ?', last.n, rule.id);
      return true;
    }
    return false;
  }

  #apply({ n, id, words, facts }: SpokenRow, rules: readonly EnabledRule[]): void {
    if (rules.length === 0) return;
    const evaluation = new RuleEvaluation(spokenOf(words, facts));
    for (const rule of rules) {
      const { outcome, hits, total } = evaluation.evaluate(rule.when);
      if (outcome === 'not_matched') continue;
      const shown = JSON.stringify(hitsOf(hits, id));
      this.#sql.exec('INSERT OR REPLACE INTO rule_results VALUES (?, ?, ?, ?, ?)', rule.id, n, outcome, total, shown);
    }
  }

  /** The outcomes in one conversation. */
  of(conversationId: string): ConversationRule[] {
    const rows = this.#sql.exec<ResultRow & { rule: string; name: string; version: number; n: number }>(
      `SELECT rule, name, version, rule_results.n AS n, outcome, hit_count, hits
       FROM rule_results JOIN rules ON rules.id = rule JOIN conversations USING (n) WHERE conversations.id = ?
       ORDER BY rules.created_at, rule`,
      conversationId,
    );
    return [...rows].map(({ rule, name, version, n, ...row }) => ({
      rule_id: rule,
      name,
      version,
      ...this.#outcomeOf(rule, n, row),
    }));
  }

  /** Whether a conversation has outcomes. */
  isMatched(conversationId: string): boolean {
    const sql = 'SELECT 1 AS one FROM rule_results JOIN conversations USING (n) WHERE id = ? LIMIT 1';
    return this.#sql.exec(sql, conversationId).toArray().length > 0;
  }

  /** @throws ServiceError INVALID_REQUEST for a bad cursor */
  matches(
    rule: string,
    version: number,
    { cursor, limit, outcome, followed_by, ...filter }: RuleMatchesQuery,
  ): RuleMatchList {
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
    if (!Number.isSafeInteger(before))
      throw new ServiceError('INVALID_REQUEST', 'cursor: does not belong to this list');
    const on = new Conditions();
    on.and('rule = ?', rule);
    inConversations(on, filter);
    const counts = this.#counts(on);
    on.when('outcome = ?', outcome);
    const followed = followed_by === 'true' && cursor === undefined ? this.#followedBy(on) : undefined;
    on.and('created_at < ?', before);
    const rows = this.#sql
      .exec<ResultRow & { n: number; id: string; record: string; created_at: number }>(
        `SELECT n, id, record, created_at, outcome, hit_count, hits
         FROM rule_results JOIN conversations USING (n) ${on.where} ORDER BY created_at DESC LIMIT ?`,
        ...on.bindings,
        limit + 1,
      )
      .toArray();
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      version,
      ...counts,
      matches: shown.map(
        ({ n, id, record, created_at, ...row }): RuleMatch => ({
          conversation_id: id,
          ...namedBy(record),
          created_at: new Date(created_at).toISOString(),
          ...this.#outcomeOf(rule, n, row),
        }),
      ),
      ...(followed && { followed_by: followed }),
      next_cursor: rows.length > limit && last ? String(last.created_at) : null,
    };
  }

  /**
   * The first answer after each hit; without one, the first objection. A hit where an offer begins has the outcome of the
   * offer. It is the same for moments (`pattern-index`).
   */
  #followedBy({ where, bindings }: Conditions): FollowedBy {
    const rows = this.#sql.exec<{ followed: string; count: number; unsure: number }>(
      `WITH results AS (SELECT n, hits FROM rule_results ${where}),
       places AS (
         SELECT began, n, CAST(round(1000 * json_extract(value, '$.t_start')) AS INTEGER) AS start
         FROM results JOIN pattern_conversations USING (n), json_each(hits)
       ),
       followers AS (
         SELECT coalesce(
           ${OFFER_OUTCOME}, ${followerIn(ANSWER_CATEGORIES)}, ${followerIn(OBJECTION_CATEGORIES)}
         ) AS follower FROM places
       )
       SELECT coalesce(json_extract(follower, '$[0]'), '${NOTHING_FOLLOWED}') AS followed, count(*) AS count,
         coalesce(sum(json_extract(follower, '$[1]') < ${SURE_FROM}), 0) AS unsure
       FROM followers GROUP BY followed ORDER BY followed`,
      ...bindings,
    );
    return Object.fromEntries(
      [...rows].map(({ followed, count, unsure }) => [followed as MomentOutcome, { count, unsure }]),
    );
  }

  #counts({ where, bindings }: Conditions): { matched: number; unknown: number } {
    const sql = `SELECT outcome, count(*) AS count FROM rule_results ${where} GROUP BY outcome`;
    const rows = this.#sql.exec<{ outcome: string; count: number }>(sql, ...bindings);
    const counts = new Map([...rows].map(({ outcome, count }) => [outcome, count]));
    return { matched: counts.get('matched') ?? 0, unknown: counts.get('unknown') ?? 0 };
  }

  #outcomeOf(rule: string, n: number, { outcome, hit_count, hits }: ResultRow) {
    const thumbs = this.#thumbs('rule = ?1 AND n = ?2', rule, n);
    const judged = (JSON.parse(hits) as RuleHit[]).map((hit): RuleHit => {
      const thumb = thumbs.get(hit.utterance_ids[0] ?? '');
      return thumb ? { ...hit, thumb } : hit;
    });
    return { outcome, hits: judged, hit_count };
  }

  /** Utterances of the conversations that a trial reads. */
  utterances({ after, before }: Tried): number {
    return this.#sql
      .exec<{ n: number }>(
        `SELECT coalesce(sum(utterances), 0) AS n FROM rule_facts JOIN conversations USING (n)
         WHERE created_at > ? AND created_at < ?`,
        after,
        before,
      )
      .one().n;
  }

  /** A page of the conversations that a trial reads, newest first. It continues before the last `createdAt`. */
  page({ after, before }: Tried): TriedConversation[] {
    const page: TriedConversation[] = [];
    let chars = 0;
    const rows = this.#sql.exec<SpokenRow>(
      `${SPOKEN} WHERE created_at > ? AND created_at < ? ORDER BY created_at DESC`,
      after,
      before,
    );
    for (const { n, id, record, created_at, words, facts } of rows) {
      const { title, ...recorded } = namedBy(record);
      page.push({ n, id, title, createdAt: created_at, recorded, words, facts });
      chars += words.length + facts.length;
      if (chars >= PAGE_CHARS) break;
    }
    return page;
  }

  /** Every judgement on a rule's hits, by utterance. */
  thumbs(rule: string): Map<string, 'up' | 'down'> {
    return this.#thumbs('rule = ?1', rule);
  }

  #thumbs(where: string, ...bindings: SqlValue[]): Map<string, 'up' | 'down'> {
    const sql = `SELECT utterance, thumb FROM rule_thumbs WHERE ${where}`;
    return new Map(
      [...this.#sql.exec<{ utterance: string; thumb: 'up' | 'down' }>(sql, ...bindings)].map((row) => [
        row.utterance,
        row.thumb,
      ]),
    );
  }

  /** @returns false when the conversation has no such utterance */
  judge(rule: string, { conversation_id, utterance_id, thumb }: RuleFeedback): boolean {
    const [found] = this.#sql
      .exec<{ n: number; utterances: number }>(
        'SELECT n, utterances FROM rule_facts JOIN conversations USING (n) WHERE id = ?',
        conversation_id,
      )
      .toArray();
    const number = /^(.+)_utt_(\d{1,6})$/.exec(utterance_id);
    if (!found || number?.[1] !== conversation_id || Number(number[2]) >= found.utterances) return false;
    this.#sql.exec('DELETE FROM rule_thumbs WHERE rule = ? AND n = ? AND utterance = ?', rule, found.n, utterance_id);
    if (thumb) this.#sql.exec('INSERT INTO rule_thumbs VALUES (?, ?, ?, ?)', rule, found.n, utterance_id, thumb);
    return true;
  }

  /** Forgets the judgements on a conversation, whose utterances are those of another run now. */
  forgetThumbs(conversationId: string): void {
    const sql = 'DELETE FROM rule_thumbs WHERE n = (SELECT n FROM conversations WHERE id = ?)';
    this.#sql.exec(sql, conversationId);
  }

  /** Notes that a match is reported. @returns false when it already was, or there is no such conversation */
  isFirstAlert(rule: string, conversationId: string): boolean {
    const sql = `INSERT OR IGNORE INTO rule_alerts SELECT ?, n FROM conversations WHERE id = ? RETURNING n`;
    return this.#sql.exec(sql, rule, conversationId).toArray().length > 0;
  }
}

/** @param record of a conversation, as JSON */
function namedBy(record: string): { title: string } & RecordedTime {
  const stored: StoredRecord = JSON.parse(record);
  return { title: titleOf(stored), ...recordedAt(stored) };
}

/** SQL: texts that have no quotation mark, as a list. */
const listOf = (texts: readonly string[]): string => texts.map((one) => `'${one}'`).join(', ');

/** SQL: the category and the confidence of the first moment of these categories soon after a place, as JSON. */
const followerIn = (categories: readonly string[]): string =>
  `(SELECT json_array(category, confidence) FROM pattern_moments AS m
    WHERE m.began = places.began AND m.n = places.n AND category IN (${listOf(categories)})
      AND m.start > places.start AND m.start <= places.start + ${FOLLOWS_WITHIN_S * 1000}
    ORDER BY m.start, m.i LIMIT 1)`;

/** SQL: the outcome of the offer that begins at a place, and its confidence, as JSON. */
const OFFER_OUTCOME = `(SELECT json_array(outcome, followed) FROM pattern_moments AS m
    WHERE m.began = places.began AND m.n = places.n AND m.start = places.start
      AND category IN (${listOf(MOMENT_CATEGORY_NAMES.filter(isAnswerable))})
    ORDER BY m.i LIMIT 1)`;

interface ResultRow extends Record<string, SqlValue> {
  outcome: 'matched' | 'unknown';
  hit_count: number;
  hits: string;
}

/** A stored conversation as rules read it. */
export const spokenOf = (words: string, facts: string): RuleConversation => ({
  facts: JSON.parse(facts) as RuleFacts,
  texts: words.split('\n'),
  isOpen: false,
});
