import { expect, it } from 'vitest';
import { MOMENT_CATEGORY_NAMES } from '../../../src/contract/findings.ts';
import { MomentOutcomeSchema } from '../../../src/contract/patterns.ts';
import type { PatternIndex } from '../../../src/worker/results/pattern-index.ts';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { CONVERSATION_TABLES } from '../../../src/worker/tenant/catalogue/catalogue.ts';
import { conversationTest, momentConditions, momentTest } from '../../../src/worker/tenant/patterns/pattern-filter.ts';
import { PatternRows } from '../../../src/worker/tenant/patterns/pattern-rows.ts';
import { BLOCK, PATTERN_TABLES, writePatterns } from '../../../src/worker/tenant/patterns/pattern-tables.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const CONVERSATIONS = 2 * BLOCK + 50;
const DAY_MS = 86_400_000;

/** Numbers from 0 to 1, the same in each run. */
let seed = 20_261_128;
const random = (): number => {
  seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
  return seed / 0x7fffffff;
};
const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
const ROLES = ['agent', 'customer', null];
const PEOPLE = ['person_1', 'person_2', null];

function index(): PatternIndex {
  const speakers = ['Speaker_0', 'Speaker_1'].map((name) => ({
    ...{ name, person: one(PEOPLE), role: one(ROLES), talk: 1, ratio: 0.5, longest: 1, patience: null },
    ...{ questions: 0, words: 9, interruptions: 0, tone: 0, toned: 0, spoken: 1, unsure: 0 },
  }));
  const moments = Array.from({ length: Math.floor(random() * 6) }, (_, i) => ({
    ...{ id: `m${i}`, category: one(MOMENT_CATEGORY_NAMES), speaker: one([0, 1]), start: i, end: i + 1, line: i },
    ...{ confidence: random(), quote: 'q', outcome: one(MomentOutcomeSchema.options), follows: null },
  }));
  return {
    ...{ began: Math.floor(random() * 30) * DAY_MS, language: one(['en', 'en-GB', null]), duration: 1 },
    ...{ silence: 0, unsure: 0, speakers, moments, speaker: [], ends: [], confidence: [] },
  };
}

function tables(): MemorySql {
  const sql = new MemorySql();
  migrate(sql, { conversations: CONVERSATION_TABLES, patterns: PATTERN_TABLES });
  for (let n = 1; n <= CONVERSATIONS; n++) {
    sql.exec(
      `INSERT INTO conversations (n, id, created_at, status, mode, bytes, record, is_due)
       VALUES (?, ?, ?, 'completed', 'batch', 1, '{}', 0)`,
      ...[n, `c${n}`, n],
    );
    writePatterns(sql, n, index());
  }
  return sql;
}

function counted(sql: MemorySql, rows: PatternRows, filter: Parameters<typeof momentConditions>[1]): number {
  const [isMeant, isCounted] = [conversationTest(sql, filter), momentTest(filter)];
  let count = 0;
  rows.read(({ conversations, moments, speakers }) => {
    for (const conversation of conversations.filter(isMeant)) {
      const own = speakers.get(conversation[0]) ?? [];
      count += (moments.get(conversation[0]) ?? []).filter((moment) => isCounted(moment, own)).length;
    }
  });
  return count;
}

it('moments in memory match a filter as those in the tables do, also after changes and where few rows stay', () => {
  const sql = tables();
  const [all, few] = [new PatternRows(sql), new PatternRows(sql, 300)];
  const optional = <T>(value: T): T | undefined => (random() < 0.3 ? value : undefined);
  const day = () => new Date(Math.floor(random() * 30) * DAY_MS).toISOString().slice(0, 10);
  let matched = 0;
  for (let round = 0; round < 60; round++) {
    if (round % 10 === 0) writePatterns(sql, 1 + Math.floor(random() * CONVERSATIONS), random() < 0.2 ? null : index());
    if (round % 50 === 0) sql.exec('DELETE FROM conversations WHERE n = ?', 1 + Math.floor(random() * CONVERSATIONS));
    const filter = {
      ...{ from: optional(day()), to: optional(day()), tz: 'Europe/Berlin', language: optional(one(['en', 'en-GB'])) },
      ...{ person: optional('person_1'), role: optional('agent'), speaker: optional(one(['Speaker_0', 'person_2'])) },
      ...{ category: optional(`${one(MOMENT_CATEGORY_NAMES)},objection`), min_confidence: optional(random()) },
      ...{ outcome: optional(one(MomentOutcomeSchema.options)) },
    };
    const { where, bindings } = momentConditions(sql, filter);
    const { count } = sql
      .exec<{ count: number }>(`SELECT count(*) AS count FROM pattern_moments ${where}`, ...bindings)
      .one();
    expect(counted(sql, all, filter), JSON.stringify(filter)).toBe(count);
    expect(counted(sql, few, filter)).toBe(count);
    matched += count;
  }
  expect(matched).toBeGreaterThan(300);
});

it('a block is read again only after one of its conversations has changed', () => {
  const sql = tables();
  const rows = new PatternRows(sql);
  const blocks = () => {
    const found: unknown[] = [];
    rows.read((block) => found.push(block));
    return found;
  };
  const before = blocks();
  expect(before).toHaveLength(3);
  expect(blocks()).toEqual(before);
  writePatterns(sql, 1, index());
  const after = blocks();
  expect(after.map((block, i) => block === before[i])).toEqual([true, true, false]);
});
