import { describe, expect, it } from 'vitest';
import { unwrapped } from '../../../src/contract/result.ts';
import { type RuleCondition, RuleWhenSchema } from '../../../src/contract/rule-conditions.ts';
import { type NewRule, NewRuleSchema, type RuleBody } from '../../../src/contract/rules.ts';
import { precisionOf } from '../../../src/worker/conversations/rule-trial.ts';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { Catalogue, CONVERSATION_TABLES } from '../../../src/worker/tenant/catalogue/catalogue.ts';
import { RULE_TABLES, RuleBook } from '../../../src/worker/tenant/rules/rule-book.ts';
import { RuleResults } from '../../../src/worker/tenant/rules/rule-results.ts';
import { MemorySql } from '../../../support/memory-sql.ts';
import { resultOfTexts } from '../conversations/catalogue-in-memory.ts';
import { indexed, record } from '../conversations/records.ts';

function tables() {
  const sql = new MemorySql();
  migrate(sql, { conversations: CONVERSATION_TABLES, rules: RULE_TABLES });
  const [book, results] = [new RuleBook(sql), new RuleResults(sql)];
  const catalogue = new Catalogue(
    sql,
    () => null,
    (n, index) => results.index(n, index?.facts ?? null, book.enabled()),
  );
  const store = (id: string, createdAt: number, ...texts: string[]): void =>
    catalogue.put(record(id, createdAt), indexed(resultOfTexts(id, ...texts)));
  return { sql, book, results, catalogue, store };
}

const newRule = (more: object = {}): NewRule =>
  NewRuleSchema.parse({ name: 'r', when: { said: { phrases: ['price'] } }, is_enabled: true, ...more });
const matched = (results: RuleResults, { id }: RuleBody): string[] =>
  results
    .matches(id, 1, { limit: 100, tz: 'UTC', followed_by: 'false' })
    .matches.map(({ conversation_id }) => conversation_id);
const applyAll = ({ book, results }: ReturnType<typeof tables>): number => {
  let batches = 1;
  while (results.applyDue(book.enabled())) batches++;
  return batches;
};

describe('RuleResults', () => {
  it('apply a rule to everything stored in batches, and to what comes meanwhile', () => {
    const room = tables();
    const { book, results, store } = room;
    for (let i = 0; i < 50; i++) store(`c${i}`, i, i % 2 === 0 ? 'The price.' : 'Nothing.', 'Yes.');
    const rule = unwrapped(book.add(newRule(), 100));
    expect(rule.pending).toBe(50);
    expect(results.applyDue(book.enabled())).toBe(true);
    expect(book.find(rule.id)?.pending).toBe(30);
    store('new', 60, 'What price?');
    expect(book.find(rule.id)?.pending).toBe(31);
    expect(applyAll(room)).toBeGreaterThan(1);
    expect(book.find(rule.id)?.pending).toBe(0);
    expect(matched(results, rule)).toEqual(['new', ...Array.from({ length: 25 }, (_, i) => `c${48 - 2 * i}`)]);
    store('newer', 61, 'Pricing?');
    expect([book.find(rule.id)?.pending, matched(results, rule)[0]]).toEqual([0, 'newer']);
  });

  it('are made again for a changed condition and a result that is stored again', () => {
    const room = tables();
    const { book, results, store } = room;
    store('a', 1, 'The price.');
    store('b', 2, 'The cost.');
    const rule = unwrapped(book.add(newRule(), 1));
    applyAll(room);
    expect(matched(results, rule)).toEqual(['a']);
    const when = RuleWhenSchema.parse({ said: { phrases: ['cost'] } }) as RuleCondition;
    expect(unwrapped(book.patch(rule.id, { when }, 2))).toMatchObject({ version: 2, pending: 2 });
    expect(matched(results, rule)).toEqual([]);
    applyAll(room);
    expect(matched(results, rule)).toEqual(['b']);
    store('b', 2, 'Nothing.');
    store('a', 1, 'The costs.');
    expect(matched(results, rule)).toEqual(['a']);
  });

  it('leave every table with the conversation, also under its number', () => {
    const room = tables();
    const { sql, book, results, catalogue, store } = room;
    const rule = unwrapped(book.add(newRule(), 1));
    store('a', 1, 'The price.');
    expect(results.judge(rule.id, { conversation_id: 'a', utterance_id: 'a_utt_0', thumb: 'up' })).toBe(true);
    expect([results.isFirstAlert(rule.id, 'a'), results.isFirstAlert(rule.id, 'a')]).toEqual([true, false]);
    expect(results.isMatched('a')).toBe(true);
    catalogue.remove('a');
    for (const table of ['rule_facts', 'rule_results', 'rule_thumbs', 'rule_alerts'])
      expect(sql.exec(`SELECT * FROM ${table}`).toArray(), table).toEqual([]);
    expect(results.isFirstAlert(rule.id, 'a')).toBe(false);
    store('b', 2, 'Nothing.');
    expect(matched(results, rule)).toEqual([]);
  });

  it('are paged by conversation, newest first', () => {
    const room = tables();
    const { book, results, store } = room;
    const rule = unwrapped(book.add(newRule(), 1));
    for (let i = 0; i < 7; i++) store(`c${i}`, 10 + i, 'The price.');
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = results.matches(rule.id, 1, { tz: 'UTC', followed_by: 'false', limit: 3, cursor });
      seen.push(...page.matches.map(({ conversation_id }) => conversation_id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(['c6', 'c5', 'c4', 'c3', 'c2', 'c1', 'c0']);
    expect(() => results.matches(rule.id, 1, { tz: 'UTC', followed_by: 'false', limit: 3, cursor: 'x' })).toThrow(
      'cursor: does not belong',
    );
  });

  it('hand conversations to a trial in pages, with the facts that they were made from', () => {
    const { results, store } = tables();
    for (let i = 0; i < 5; i++) store(`c${i}`, 10 + i, 'The price.', 'Yes.');
    const period = { after: 10, before: 14 };
    expect(results.utterances(period)).toBe(6);
    expect(results.page(period).map(({ id, createdAt }) => [id, createdAt])).toEqual([
      ['c3', 13],
      ['c2', 12],
      ['c1', 11],
    ]);
    expect(results.page({ ...period, before: 12 }).map(({ words }) => words)).toEqual(['The price.\nYes.']);
  });
});

describe('RuleBook', () => {
  it('holds at most 50 rules', () => {
    const { book } = tables();
    for (let i = 0; i < 50; i++) unwrapped(book.add(newRule({ is_enabled: false }), i));
    expect(() => unwrapped(book.add(newRule(), 50))).toThrow('This tenant already has 50 rules, its limit');
    const [first] = book.list();
    expect(book.remove(first!.id)).toBe(true);
    unwrapped(book.add(newRule(), 51));
  });

  it('limits the conditions and phrases of enabled rules together', () => {
    const { book } = tables();
    const phrases = Array.from({ length: 99 }, (_, i) => `p${i}`);
    const large = () => book.add(newRule({ when: { said: { phrases } } }), 0);
    for (let i = 0; i < 10; i++) unwrapped(large());
    const fault = 'The enabled rules would have 1002 conditions and phrases together, more than 1000';
    const small = unwrapped(book.add(newRule({ is_enabled: false }), 1));
    expect(() => unwrapped(book.patch(small.id, { is_enabled: true }, 2))).toThrow(fault);
    unwrapped(book.patch(book.list()[0]!.id, { is_enabled: false }, 3));
    unwrapped(book.patch(small.id, { is_enabled: true }, 4));
  });

  it('keeps the last 50 versions', () => {
    const { book } = tables();
    const { id } = unwrapped(book.add(newRule(), 0));
    for (let i = 0; i < 60; i++)
      unwrapped(book.patch(id, { when: RuleWhenSchema.parse({ said: { phrases: [`p${i}`] } }) as RuleCondition }, i));
    const { versions, version } = unwrapped(book.history(id));
    expect([version, versions.length, versions.at(-1)?.version]).toEqual([61, 50, 12]);
    expect(() => unwrapped(book.condition(id, 11))).toThrow('This rule has no version 11');
  });
});

describe('precisionOf', () => {
  it('has the interval of Wilson: 18 of 24 is .75, from .55 to .88', () => {
    const { share, from, to } = precisionOf(18, 24);
    expect([share, from, to].map((value) => Math.round(value * 100))).toEqual([75, 55, 88]);
    expect(precisionOf(3, 3).to).toBe(1);
    expect(precisionOf(0, 3).from).toBe(0);
  });
});
