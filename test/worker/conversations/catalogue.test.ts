import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import { type ConversationQuery, ConversationQuerySchema } from '../../../src/contract/conversations.ts';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { Catalogue, CONVERSATION_TABLES } from '../../../src/worker/tenant/catalogue/catalogue.ts';
import { MemorySql } from '../../../support/memory-sql.ts';
import { appliedTo } from './applied-to.ts';
import {
  bringTo,
  DAY,
  emptyCatalogue,
  fill,
  idsOf,
  queryOf,
  resultOfTexts,
  START,
  someResults,
} from './catalogue-in-memory.ts';
import { indexed, record } from './records.ts';

let sql: MemorySql;
let catalogue: Catalogue;
let tenantDays: number | null;
const empty = (): void => {
  ({ sql, catalogue } = emptyCatalogue(() => tenantDays));
};
beforeEach(() => {
  tenantDays = null;
  empty();
});
const ids = (query?: Partial<ConversationQuery>): string[] => idsOf(catalogue, query);

let results: AnalysisResponse[];
beforeAll(() => {
  results = someResults();
});

describe('a list', () => {
  it('is newest first, page by page, with each conversation once', () => {
    fill(catalogue, results);
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = catalogue.list(queryOf({ limit: 7, cursor }));
      expect(page.conversations.length).toBeLessThanOrEqual(7);
      seen.push(...page.conversations.map((c) => c.conversation_id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(results.map((r) => r.conversation_id).reverse());
  });

  it('is in the order of the recordings, and says where only the day of the upload is known', () => {
    const given = (recorded_at: string, more = {}) => ({
      options: { goal: '', affect: 'full' as const, recorded_at },
      ...more,
    });
    catalogue.put(record('old', START + DAY, given('2025-12-01T09:00:00+01:00')), null);
    catalogue.put(record('sent', START, given(new Date(START - 1_000).toISOString())), null);
    catalogue.put(record('older', START + 2 * DAY, given('2025-11-01T09:00:00Z')), null);
    catalogue.put(
      record('live', START + 3 * DAY, given(new Date(START + 3 * DAY).toISOString(), { mode: 'live' })),
      null,
    );
    catalogue.put(record('bare', START + 4 * DAY), null);
    const { conversations } = catalogue.list(queryOf({}));
    expect(conversations.map((one) => [one.conversation_id, one.recorded_at, one.recorded_at_source])).toEqual([
      ['bare', '2026-01-05T00:00:00.000Z', 'assumed'],
      ['live', '2026-01-04T00:00:00.000Z', 'given'],
      ['sent', '2025-12-31T23:59:59.000Z', 'assumed'],
      ['old', '2025-12-01T08:00:00.000Z', 'given'],
      ['older', '2025-11-01T09:00:00.000Z', 'given'],
    ]);
    expect(ids({ sort: 'oldest' })).toEqual(['older', 'old', 'sent', 'live', 'bare']);
    expect(ids({ from: '2025-12-01', to: '2026-01-01' })).toEqual(['sent', 'old']);
  });

  it('orders what an earlier version stored', () => {
    const earlier = new MemorySql();
    migrate(earlier, { conversations: CONVERSATION_TABLES.slice(0, -1) });
    const options = { goal: '', affect: 'full' as const, recorded_at: '2025-12-01T09:00:00.250+01:00' };
    for (const [id, of] of Object.entries({ given: { options }, bare: {} }))
      earlier.exec(
        `INSERT INTO conversations (id, created_at, status, mode, bytes, record, is_due) VALUES (?, ?, 'completed', 'batch', 0, ?, 0)`,
        ...[id, START + id.length, JSON.stringify(record(id, START + id.length, of))],
      );
    migrate(earlier, { conversations: CONVERSATION_TABLES });
    expect(earlier.exec('SELECT id, recorded_at FROM conversations ORDER BY id').toArray()).toEqual([
      { id: 'bare', recorded_at: START + 4 },
      { id: 'given', recorded_at: Date.parse(options.recorded_at) },
    ]);
  });

  it.each(['oldest', 'longest', 'shortest'] as const)(
    'is %s first, page by page, with sums on the first page',
    (sort) => {
      fill(catalogue, results);
      // Without a result there is no length.
      for (const id of ['open-1', 'open-2']) catalogue.put(record(id, catalogue.nextTime(START)), null);
      const lengths = new Map(results.map((one) => [one.conversation_id, one.media.duration_s]));
      const all = [...results.map((one) => one.conversation_id), 'open-1', 'open-2'];
      const seen: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = catalogue.list(queryOf({ limit: 7, cursor, sort, totals: 'true' }));
        if (cursor === undefined) {
          expect(page.totals!.count).toBe(all.length);
          expect(page.totals!.duration_s).toBeCloseTo([...lengths.values()].reduce((a, b) => a + b));
        } else expect(page.totals).toBeUndefined();
        seen.push(...page.conversations.map((one) => one.conversation_id));
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
        expect(() => catalogue.list(queryOf({ cursor }))).toThrow('cursor: does not belong to this list');
      }
      expect([...seen].sort()).toEqual([...all].sort());
      if (sort === 'oldest') expect(seen).toEqual(all);
      else {
        const found = seen.map((id) => lengths.get(id)).filter((length) => length !== undefined);
        expect(found).toEqual([...found].sort((a, b) => (sort === 'longest' ? b - a : a - b)));
        expect(seen.slice(-2).sort()).toEqual(['open-1', 'open-2']);
      }
    },
  );

  it('neither loses nor repeats entries while others are written, changed and removed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('new', 'change', 'remove', 'page'), { maxLength: 60 }), (acts) => {
        empty();
        for (let i = 0; i < 20; i++) catalogue.put(record(`old-${i}`, catalogue.nextTime(START)), null);
        const removed = new Set<string>();
        const seen: string[] = [];
        let cursor: string | null | undefined;
        const page = () => {
          if (cursor === null) return;
          const { conversations, next_cursor } = catalogue.list(queryOf({ limit: 3, cursor: cursor ?? undefined }));
          seen.push(...conversations.map((c) => c.conversation_id));
          cursor = next_cursor;
        };
        for (const [i, act] of acts.entries()) {
          const old = `old-${(i * 7) % 20}`;
          // Two in the same millisecond, or after a clock was set back, get different times.
          if (act === 'new') catalogue.put(record(`new-${i}`, catalogue.nextTime(START - 50)), null);
          if (act === 'change' && !removed.has(old)) {
            const { record: known } = catalogue.find(old)!;
            catalogue.put({ ...known, edits: [{ title: `title ${i}` }] });
          }
          if (act === 'remove') {
            catalogue.remove(old);
            removed.add(old);
          }
          if (act === 'page') page();
        }
        while (cursor !== null) page();
        expect(new Set(seen).size).toBe(seen.length);
        for (let i = 0; i < 20; i++) if (!removed.has(`old-${i}`)) expect(seen).toContain(`old-${i}`);
      }),
      { numRuns: 60 },
    );
  });

  it('is filtered by every parameter of a query', () => {
    fill(catalogue, results);
    const all = results.map((result, i) => ({ id: result.conversation_id, at: START + i * DAY, result }));
    const where = (is: (one: (typeof all)[number]) => boolean) =>
      all
        .filter(is)
        .map(({ id }) => id)
        .reverse();
    const every = { limit: 100 };
    const lists = (query: Partial<ConversationQuery>) => {
      const found: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = catalogue.list(queryOf({ ...every, ...query, cursor }));
        found.push(...page.conversations.map((c) => c.conversation_id));
        if (page.next_cursor === null) return found;
        cursor = page.next_cursor;
      }
    };
    const after = new Date(START + 10.5 * DAY).toISOString();
    const before = new Date(START + 30 * DAY).toISOString();
    expect(lists({ created_after: after, created_before: before })).toEqual(
      where(({ at }) => at > Date.parse(after) && at < Date.parse(before)),
    );
    expect(lists({ min_speakers: 3 })).toEqual(where(({ result }) => result.speakers.count >= 3));
    expect(lists({ min_speakers: 2, max_speakers: 2 })).toEqual(where(({ result }) => result.speakers.count === 2));
    expect(lists({ min_duration: 120, max_duration: 200 })).toEqual(
      where(({ result }) => result.media.duration_s >= 120 && result.media.duration_s <= 200),
    );
    for (const moment of ['objection', 'cta_accepted', 'topic_shift'] as const) {
      const with_ = where(({ result }) => result.moments.some(({ category }) => category === moment));
      expect(with_.length).toBeGreaterThan(0);
      expect(lists({ moment })).toEqual(with_);
    }
    const mean = (result: AnalysisResponse) => result.insights.overall_sentiment!.mean;
    expect(lists({ sentiment: 'positive' })).toEqual(where(({ result }) => mean(result) >= 0.05));
    expect(lists({ moment: 'objection', min_speakers: 3 })).toEqual(
      where((o) => o.result.speakers.count >= 3 && o.result.moments.some(({ category }) => category === 'objection')),
    );
    expect(lists({ status: 'failed' })).toEqual([]);
    expect(lists({ mode: 'live' })).toEqual([]);
    const [one] = all;
    catalogue.put({ ...record(one!.id, one!.at), edits: [{ labels: ['churn', 'q3'] }] });
    expect(lists({ label: 'churn' })).toEqual([one!.id]);
    expect(lists({ label: 'chur' })).toEqual([]);
  });

  it('has the card of a result', () => {
    const [result] = results as [AnalysisResponse];
    const edits = [{ title: 'Churn risk' }, { labels: ['a'] }];
    catalogue.put(
      record('c', START, { edits, options: { goal: 'Why?', affect: 'full' }, retentionDays: 1 }),
      indexed(result),
    );
    const [entry] = catalogue.list(queryOf({})).conversations;
    expect(entry).toMatchObject({
      conversation_id: 'c',
      status: 'completed',
      title: 'Churn risk',
      labels: ['a'],
      goal: 'Why?',
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-02T00:00:00.000Z',
      result: {
        duration_s: result.media.duration_s,
        utterances: result.utterances,
        quality: result.summary.conversation_quality,
        sentiment: { mean: result.insights.overall_sentiment!.mean },
      },
    });
    const { course, speakers } = entry!.result!;
    expect(course).toHaveLength(60);
    expect(course.filter((v) => v !== null).every((v) => Math.abs(v! - 0.5) < 1e-6)).toBe(true);
    expect(speakers.reduce((sum, { talk_ratio }) => sum + talk_ratio!, 0)).toBeCloseTo(1, 3);
  });

  it('has the file name as title until one is given', () => {
    catalogue.put(record('a', 1, { filename: 'call.2026.wav' }), null);
    catalogue.put(record('b', 2, { filename: '' }), null);
    expect(catalogue.list(queryOf({})).conversations.map(({ title }) => title)).toEqual(['', 'call.2026']);
  });

  it('refuses an invented cursor', () => {
    for (const cursor of ['x', '!!', 'AAAA', btoa('zz zz'), btoa('1.5')])
      expect(() => catalogue.list(queryOf({ cursor }))).toThrow('cursor: does not belong to this list');
  });

  it('parses the query of an address', () => {
    const parse = (query: object) => ConversationQuerySchema.safeParse(query);
    const usual = { tz: 'UTC', sort: 'newest', totals: 'false' };
    expect(parse({}).data).toEqual({ limit: 50, ...usual });
    expect(parse({ limit: '20', min_duration: '1.5', moment: 'objection' }).data).toEqual({
      ...usual,
      limit: 20,
      min_duration: 1.5,
      moment: 'objection',
      tz: 'UTC',
    });
    for (const wrong of [
      { limit: '0' },
      { limit: '101' },
      { status: 'x' },
      { created_after: 'monday' },
      { moment: 'x' },
    ])
      expect(parse(wrong).success).toBe(false);
  });
});

describe('the index', () => {
  const dump = () => ({
    conversations: sql
      .exec(
        'SELECT id, created_at, status, mode, retention_days, expires_at, bytes, duration, speakers, sentiment, record, card FROM conversations ORDER BY id',
      )
      .toArray(),
    facets: sql
      .exec('SELECT kind, value, id FROM facets JOIN conversations USING (n) ORDER BY kind, value, id')
      .toArray(),
    texts: sql
      .exec('SELECT id, title, names, words, hex(starts) AS starts FROM texts JOIN conversations USING (n) ORDER BY id')
      .toArray(),
  });

  it('keeps nothing of removed conversations', () => {
    catalogue.put(record('kept', 1), indexed(results[0]!));
    const before = dump();
    catalogue.put(
      record('gone', 2, { edits: [{ labels: ['x'] }] }),
      indexed(resultOfTexts('gone', 'An unheard of zebra.')),
    );
    expect(ids({ q: 'zebra' })).toEqual(['gone']);
    expect(catalogue.remove('gone')).toBe(true);
    expect(catalogue.remove('gone')).toBe(false);
    expect(dump()).toEqual(before);
    expect(ids({ q: 'zebra' })).toEqual([]);
    expect(sql.exec(`SELECT count(*) AS n FROM search WHERE search MATCH '"zebra"'`).one()).toEqual({ n: 0 });
    sql.exec(`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`);
  });

  it('follows a change, also of searched names', () => {
    const result = resultOfTexts('c', 'A word about zebras.', 'Yes.');
    catalogue.put(record('c', 1), indexed(result));
    const named = appliedTo(result, { speakers: { Speaker_0: 'Wolfgang' } });
    catalogue.put(record('c', 1, { edits: [{ title: 'Stripes' }] }), indexed(named));
    expect(ids({ q: 'wolfgang' })).toEqual(['c']);
    expect(ids({ q: 'Speaker_0' })).toEqual([]);
    // The words stay when only the record changes.
    catalogue.put(record('c', 1, { edits: [{ title: 'Horses' }] }));
    expect(ids({ q: 'stripes' })).toEqual([]);
    expect(ids({ q: 'horses zebra wolfgang' })).toEqual(['c']);
    expect(catalogue.find('c')!.card!.speakers[0]!.name).toBe('Wolfgang');
    sql.exec(`INSERT INTO search (search, rank) VALUES ('integrity-check', 1)`);
  });

  it('is the same when it is rebuilt from records and results', () => {
    fill(catalogue, results);
    for (const [i, result] of results.entries()) {
      const id = result.conversation_id;
      const edits = i % 3 === 0 ? [{ title: `Talk ${i}`, labels: ['a', 'b'] }] : [];
      catalogue.put({ ...catalogue.find(id)!.record, edits });
      if (i % 5 === 0) catalogue.put({ ...catalogue.find(id)!.record, status: 'failed' }, null);
      if (i % 7 === 0) catalogue.remove(id);
    }
    const before = dump();
    const kept = before.conversations.map(({ id }) => catalogue.find(id as string)!);
    const lists = [ids(), ids({ q: 'price' }), ids({ label: 'a' }), ids({ moment: 'objection' })];
    empty();
    for (const { record: known, card } of kept.reverse())
      catalogue.put(known, card && indexed(results.find((r) => r.conversation_id === known.id)!));
    expect(dump()).toEqual(before);
    expect([ids(), ids({ q: 'price' }), ids({ label: 'a' }), ids({ moment: 'objection' })]).toEqual(lists);
  });

  it('lists conversations with work left, until their current record is written', () => {
    const first = record('a', 1);
    catalogue.put(first, null);
    catalogue.put(record('b', 2), null, false);
    expect(catalogue.due(10)).toEqual(['a']);
    const changed = { ...first, edits: [{ title: 'x' }] };
    catalogue.put(changed);
    catalogue.saved(first);
    expect(catalogue.due(10)).toEqual(['a']);
    catalogue.saved(changed);
    expect(catalogue.due(10)).toEqual([]);
  });

  it('lists expired conversations, and the next expiry', () => {
    for (const [i, days] of [3, 1, 2, null, 4].entries())
      catalogue.put(record(`c${i}`, i + 1, { retentionDays: days }), null);
    catalogue.put(record('running', 9, { retentionDays: 1, status: 'processing' }), null);
    const [first, second, third] = [DAY + 2, 2 * DAY + 3, 3 * DAY + 1];
    expect(catalogue.expired(5, 10)).toEqual({ ids: [], next: first });
    expect(catalogue.expired(second, 10)).toEqual({ ids: ['c1', 'c2'], next: third });
    expect(catalogue.expired(second, 1)).toEqual({ ids: ['c1'], next: second });
    expect(catalogue.expired(9 * DAY, 10)).toEqual({ ids: ['c1', 'c2', 'c0', 'c4'], next: null });
    tenantDays = 6;
    catalogue.retain();
    expect(catalogue.expired(9 * DAY, 10).ids).toEqual(['c1', 'c2', 'c0', 'c4', 'c3']);
    tenantDays = null;
    catalogue.retain();
    expect(catalogue.expired(9 * DAY, 10).ids).not.toContain('c3');
  });

  it('adds up the stored bytes', () => {
    catalogue.put(record('a', 1, { bytes: 5 }), null);
    catalogue.put(record('b', 2, { bytes: 7 }), null);
    catalogue.put(record('b', 2, { bytes: 9 }));
    expect(catalogue.storedBytes).toBe(14);
    catalogue.remove('a');
    expect(catalogue.storedBytes).toBe(9);
  });

  it('adds up the bytes that an earlier version stored', () => {
    sql = new MemorySql();
    bringTo(sql, 3);
    catalogue = new Catalogue(sql, () => null);
    catalogue.put(record('a', 1, { bytes: 5 }), null);
    bringTo(sql);
    catalogue.put(record('b', 2, { bytes: 7 }), null);
    expect(catalogue.storedBytes).toBe(12);
  });

  it('reads no conversation to add up the stored bytes', () => {
    const read = vi.spyOn(sql, 'exec');
    expect(catalogue.storedBytes).toBe(0);
    for (const [query] of read.mock.calls) expect(query).not.toMatch(/conversations/);
  });

  it('has a conversation with more words than a row can have', () => {
    const text = 'ünïcödé wörds '.repeat(700);
    const lines = Array.from({ length: 200 }, () => text);
    const base = indexed(resultOfTexts('c', 'Hello.', 'Yes.'));
    catalogue.put(record('c', 1), { ...base, lines, starts: lines.map((_, i) => i * 1000) });
    expect(ids({ q: 'unicode' })).toEqual(['c']);
    const { size } = sql.exec<{ size: number }>('SELECT length(CAST(words AS BLOB)) AS size FROM texts').one();
    expect(size).toBeLessThan(1_500_000);
  });
});

describe('a removed conversation', () => {
  /** Tables, shadow tables of the index included, in which a text occurs in any form. */
  function tablesWith(text: string): string[] {
    const tables = sql.exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`).toArray();
    const holds = (value: unknown): boolean =>
      (value instanceof ArrayBuffer ? Buffer.from(value).toString('latin1') : String(value)).includes(text);
    return tables
      .map(({ name }) => name)
      .filter((name) => [...sql.exec(`SELECT * FROM "${name}"`)].some((row) => Object.values(row).some(holds)));
  }

  it('leaves none of its words in any row, the index included', () => {
    const goes = resultOfTexts('goes', 'Xylophones are zwieback.', 'Zwieback, never quagmires.');
    catalogue.put(record('stays', START), indexed(resultOfTexts('stays', 'Nothing strange.', 'Nothing at all.')));
    catalogue.put(record('goes', START + 1), indexed(goes));
    expect(tablesWith('zwieback')).toEqual(expect.arrayContaining(['search_data', 'texts']));
    catalogue.remove('goes');
    for (const word of ['xylophon', 'zwieback', 'quagmir', 'Zwieback'])
      expect({ word, tables: tablesWith(word) }).toEqual({ word, tables: [] });
    expect(ids({ q: 'nothing' })).toEqual(['stays']);
  });

  it('leaves none of the words of its earlier results either', () => {
    catalogue.put(record('goes', START), indexed(resultOfTexts('goes', 'Xylophones.', 'Zwieback.')));
    catalogue.put(record('goes', START), indexed(resultOfTexts('goes', 'Quagmires.', 'Nothing.')));
    expect(tablesWith('zwieback')).toEqual([]);
    catalogue.remove('goes');
    expect(tablesWith('quagmir')).toEqual([]);
  });

  it('leaves no words that an index of an earlier version kept', () => {
    sql = new MemorySql();
    bringTo(sql, 2);
    catalogue = new Catalogue(sql, () => null);
    catalogue.put(record('goes', START), indexed(resultOfTexts('goes', 'Xylophones.', 'Zwieback.')));
    catalogue.put(record('stays', START + 1), indexed(resultOfTexts('stays', 'Nothing.', 'Nothing.')));
    catalogue.remove('goes');
    expect(tablesWith('zwieback')).toEqual(['search_data']);
    bringTo(sql);
    expect(tablesWith('zwieback')).toEqual([]);
    expect(ids({ q: 'nothing' })).toEqual(['stays']);
  });
});
