import { fail, ok, type Result } from '../../../contract/result.ts';
import { nodesOf, RULE_LIMITS, type RuleCondition } from '../../../contract/rule-conditions.ts';
import { conditionIn, type NewRule, type RuleBody, type RuleHistory, type RulePatch } from '../../../contract/rules.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { isoOf } from '../../sqlite/values.ts';

/**
 * `rules` contains the rules, `rule_versions` their conditions. `rule_facts` contains what rules read from each
 * conversation, by its number in the catalogue, and `rule_results` the outcome of each enabled rule in it unless it
 * does not match. `rule_thumbs` contains judgements on hits, and `rule_alerts` what was reported.
 */
export const RULE_TABLES = [
  `CREATE TABLE rules (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT NULL, alert INTEGER NOT NULL, is_enabled INTEGER NOT NULL,
    nodes INTEGER NOT NULL, applied INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE rule_versions (
    rule TEXT NOT NULL, version INTEGER NOT NULL, condition TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (rule, version)
  ) WITHOUT ROWID;
  CREATE TABLE rule_facts (n INTEGER PRIMARY KEY, utterances INTEGER NOT NULL, facts TEXT NOT NULL);
  CREATE TABLE rule_results (
    rule TEXT NOT NULL, n INTEGER NOT NULL, outcome TEXT NOT NULL, hit_count INTEGER NOT NULL, hits TEXT NOT NULL, PRIMARY KEY (rule, n)
  ) WITHOUT ROWID;
  CREATE INDEX rule_results_of ON rule_results (n);
  CREATE TABLE rule_thumbs (
    rule TEXT NOT NULL, n INTEGER NOT NULL, utterance TEXT NOT NULL, thumb TEXT NOT NULL, PRIMARY KEY (rule, n, utterance)
  ) WITHOUT ROWID;
  CREATE TABLE rule_alerts (rule TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (rule, n)) WITHOUT ROWID;
  CREATE TRIGGER rules_forget AFTER DELETE ON conversations BEGIN
    DELETE FROM rule_facts WHERE n = old.n;
    DELETE FROM rule_results WHERE n = old.n;
    DELETE FROM rule_thumbs WHERE n = old.n;
    DELETE FROM rule_alerts WHERE n = old.n;
  END;`,
];

/** Conditions and phrases of all enabled rules of a tenant together, which bounds the work for every new result. */
const MAX_ENABLED_NODES = 1_000;

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown rule');

/** A rule that is applied. */
export interface EnabledRule {
  id: string;
  name: string;
  version: number;
  alert: boolean;
  when: RuleCondition;
}

interface RuleRow extends Record<string, SqlValue> {
  id: string;
  name: string;
  version: number;
  alert: number;
  is_enabled: number;
  nodes: number;
  created_at: number;
  updated_at: number;
  condition: string;
  pending: number;
}

const SELECT = `SELECT rules.*, condition, (SELECT count(*) FROM rule_facts WHERE is_enabled AND n > applied) AS pending
  FROM rules JOIN rule_versions ON rule = id AND rule_versions.version = rules.version`;

/** The rules of one tenant, with their versions. */
export class RuleBook {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(rule: NewRule, now: number): Result<RuleBody> {
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM rules').one();
    if (n >= RULE_LIMITS.rules)
      return fail('INVALID_REQUEST', `This tenant already has ${RULE_LIMITS.rules} rules, its limit`);
    // The schema requires one of each pair.
    const when = conditionIn(rule)!;
    const name = rule.name ?? rule.CategoryName ?? '';
    const refusal = rule.is_enabled ? this.#refusalOf('', nodesOf(when)) : null;
    if (refusal) return refusal;
    const id = `rule_${crypto.randomUUID()}`;
    const [alert, isEnabled] = [Number(rule.alert), Number(rule.is_enabled)];
    this.#sql.exec(
      'INSERT INTO rules VALUES (?, ?, 1, ?, ?, ?, 0, ?, ?)',
      ...[id, name, alert, isEnabled, nodesOf(when), now, now],
    );
    this.#addVersion(id, 1, when, now);
    return ok(this.find(id)!);
  }

  list(): RuleBody[] {
    return [...this.#sql.exec<RuleRow>(`${SELECT} ORDER BY created_at, id`)].map(bodyOf);
  }

  find(id: string): RuleBody | null {
    const [row] = this.#sql.exec<RuleRow>(`${SELECT} WHERE id = ?`, id).toArray();
    return row ? bodyOf(row) : null;
  }

  history(id: string): Result<RuleHistory> {
    const rule = this.find(id);
    if (!rule) return UNKNOWN;
    const rows = this.#sql.exec<{ version: number; condition: string; created_at: number }>(
      'SELECT version, condition, created_at FROM rule_versions WHERE rule = ? ORDER BY version DESC',
      id,
    );
    const versions = [...rows].map(({ version, condition, created_at }) => ({
      version,
      when: JSON.parse(condition) as RuleCondition,
      created_at: isoOf(created_at),
    }));
    return ok({ ...rule, versions });
  }

  /** The condition of a version; the newest if it is not given. */
  condition(id: string, version?: number): Result<{ version: number; when: RuleCondition }> {
    const history = this.history(id);
    if (!history.ok) return history;
    const found = history.value.versions.find((one) => one.version === (version ?? history.value.version));
    return found ? ok(found) : fail('NOT_FOUND', `This rule has no version ${version}`);
  }

  /** Changes a rule. A changed condition, and a rule that is enabled again, have yet to be applied to everything. */
  patch(id: string, patch: RulePatch, now: number): Result<RuleBody> {
    const before = this.find(id);
    if (!before) return UNKNOWN;
    const given = conditionIn(patch);
    const when = given && JSON.stringify(given) !== JSON.stringify(before.when) ? given : undefined;
    const next = { ...before, ...patch, when: when ?? before.when };
    const refusal = next.is_enabled ? this.#refusalOf(id, nodesOf(next.when)) : null;
    if (refusal) return refusal;
    const version = before.version + (when ? 1 : 0);
    const isFresh = when !== undefined || next.is_enabled !== before.is_enabled;
    this.#sql.exec(
      `UPDATE rules SET name = ?, version = ?, alert = ?, is_enabled = ?, nodes = ?, updated_at = ?,
       applied = CASE WHEN ? THEN 0 ELSE applied END WHERE id = ?`,
      ...[next.name, version, Number(next.alert), Number(next.is_enabled), nodesOf(next.when), now],
      ...[Number(isFresh), id],
    );
    if (when) this.#addVersion(id, version, when, now);
    if (isFresh) this.#sql.exec('DELETE FROM rule_results WHERE rule = ?', id);
    return ok(this.find(id)!);
  }

  /** @returns whether the rule existed */
  remove(id: string): boolean {
    for (const table of ['rule_versions', 'rule_results', 'rule_thumbs', 'rule_alerts'])
      this.#sql.exec(`DELETE FROM ${table} WHERE rule = ?`, id);
    return this.#sql.exec('DELETE FROM rules WHERE id = ? RETURNING id', id).toArray().length > 0;
  }

  enabled(): EnabledRule[] {
    return this.list()
      .filter((rule) => rule.is_enabled)
      .map(({ id, name, version, alert, when }) => ({ id, name, version, alert, when }));
  }

  #refusalOf(except: string, nodes: number): ReturnType<typeof fail> | null {
    const sum = 'SELECT coalesce(sum(nodes), 0) AS nodes FROM rules WHERE is_enabled AND id <> ?';
    const total = nodes + this.#sql.exec<{ nodes: number }>(sum, except).one().nodes;
    if (total <= MAX_ENABLED_NODES) return null;
    return fail(
      'INVALID_REQUEST',
      `The enabled rules would have ${total} conditions and phrases together, more than ${MAX_ENABLED_NODES}`,
    );
  }

  #addVersion(id: string, version: number, when: RuleCondition, now: number): void {
    this.#sql.exec('INSERT INTO rule_versions VALUES (?, ?, ?, ?)', id, version, JSON.stringify(when), now);
    this.#sql.exec('DELETE FROM rule_versions WHERE rule = ? AND version <= ?', id, version - RULE_LIMITS.versions);
  }
}

const bodyOf = (row: RuleRow): RuleBody => ({
  id: row.id,
  name: row.name,
  version: row.version,
  when: JSON.parse(row.condition),
  alert: row.alert === 1,
  is_enabled: row.is_enabled === 1,
  pending: row.pending,
  created_at: isoOf(row.created_at),
  updated_at: isoOf(row.updated_at),
});
