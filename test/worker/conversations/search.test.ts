import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConversationQuery } from '../../../src/contract/conversations.ts';
import { Catalogue, CONVERSATION_TABLES } from '../../../src/worker/tenant/catalogue/catalogue.ts';
import { searchQuery } from '../../../src/worker/tenant/filters/search-query.ts';
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

let catalogue: Catalogue;
const ids = (query: Partial<ConversationQuery>): string[] => idsOf(catalogue, query);

describe('a search', () => {
  beforeEach(() => {
    ({ catalogue } = emptyCatalogue());
    catalogue.put(
      record('refund', 1, { filename: 'Müller refund.wav' }),
      indexed(
        resultOfTexts(
          'refund',
          'I want my money back, please.',
          'The discounts ended on Friday.',
          'Not even a discount?',
        ),
      ),
    );
    catalogue.put(
      record('plan', 2, { edits: [{ title: 'The big plan' }] }),
      indexed(
        appliedTo(resultOfTexts('plan', 'Shall we take the café plan?', 'Yes, AND the other one.'), {
          speakers: { Speaker_0: 'Žaneta' },
        }),
      ),
    );
  });

  it('finds words in the transcript, in titles, in names and in file names', () => {
    expect(ids({ q: 'money back' })).toEqual(['refund']);
    expect(ids({ q: 'big' })).toEqual(['plan']);
    expect(ids({ q: 'zaneta' })).toEqual(['plan']);
    expect(ids({ q: 'muller' })).toEqual(['refund']);
    expect(ids({ q: 'Cafe PLAN' })).toEqual(['plan']);
    expect(ids({ q: 'plan money' })).toEqual([]);
  });

  it('finds other forms of a word, a phrase literally, and with a star any ending', () => {
    expect(ids({ q: 'discount' })).toEqual(['refund']);
    expect(ids({ q: '"money back"' })).toEqual(['refund']);
    expect(ids({ q: '"back money"' })).toEqual([]);
    expect(ids({ q: 'mon*' })).toEqual(['refund']);
    expect(ids({ q: 'mon' })).toEqual([]);
  });

  it('finds the same in a catalogue of an older version', () => {
    const sql = new MemorySql();
    for (let version = 1; version <= CONVERSATION_TABLES.length; version++) {
      bringTo(sql, version);
      catalogue = new Catalogue(sql, () => null);
      const id = `v${version}`;
      catalogue.put(record(id, START + version * DAY), indexed(resultOfTexts(id, 'Where is the ship?')));
      const all = Array.from({ length: version }, (_, i) => `v${version - i}`);
      expect([ids({ q: 'ships' }), ids({ q: 's*' }), ids({ q: 'sh*' }), ids({ q: 'z*' })]).toEqual([all, all, all, []]);
    }
    catalogue.remove('v1');
    expect(ids({ q: 's*' })).not.toContain('v1');
    expect(() => sql.exec("INSERT INTO search (search) VALUES ('integrity-check')")).not.toThrow();
  });

  it('has the utterance of a match, its time, and the positions of hits', () => {
    const [found] = catalogue.list(queryOf({ q: 'discount' })).conversations;
    const times = resultOfTexts('refund', 'I want my money back, please.', 'x').timeline;
    expect(found!.matches).toEqual([
      {
        utterance_id: 'refund_utt_1',
        t_start: times[1]!.t_start,
        text: 'The discounts ended on Friday.',
        hits: [[4, 13]],
      },
      { utterance_id: 'refund_utt_2', t_start: expect.any(Number), text: 'Not even a discount?', hits: [[11, 19]] },
    ]);
    expect(catalogue.list(queryOf({ q: 'big' })).conversations[0]!.matches).toEqual([]);
    expect(catalogue.list(queryOf({})).conversations[0]).not.toHaveProperty('matches');
  });

  it('shows the part of a long utterance around its hits', () => {
    const long = `${'one two three '.repeat(40)}needle ${'four five '.repeat(40)}`;
    catalogue.put(record('long', 3), indexed(resultOfTexts('long', 'Hello.', long, `${'x'.repeat(500)} needle`)));
    const { matches } = catalogue.list(queryOf({ q: 'needle' })).conversations[0]!;
    expect(matches!.map(({ utterance_id }) => utterance_id)).toEqual(['long_utt_1', 'long_utt_2']);
    for (const { text, hits } of matches!) {
      expect(text.length).toBeLessThan(320);
      expect(hits.map(([from, to]) => text.slice(from, to))).toEqual(['needle']);
    }
  });

  it('splits the hits of a phrase that continues in the next utterance', () => {
    catalogue.put(record('two', 4), indexed(resultOfTexts('two', 'It is about the red', 'balloon of yesterday.')));
    const { matches } = catalogue.list(queryOf({ q: '"red balloon"' })).conversations[0]!;
    expect(matches![0]).toMatchObject({ utterance_id: 'two_utt_0', text: 'It is about the red' });
    for (const [from, to] of matches![0]!.hits) expect([from, to]).toEqual([16, 19]);
  });

  it('treats nothing that is typed as syntax', () => {
    for (const q of [
      'AND',
      'OR NOT',
      'a" OR "b',
      'title:plan',
      'NEAR(a b)',
      '^plan',
      'plan -money',
      "'; DROP TABLE search",
      '"',
      '*',
    ])
      try {
        ids({ q });
      } catch (error) {
        expect(String(error)).toContain('q: must contain at least one word');
      }
    expect(ids({ q: 'AND' })).toEqual(['plan']);
    expect(() => ids({ q: '- * "" …' })).toThrow('q: must contain at least one word');
    expect(() => ids({ q: 'a '.repeat(21) })).toThrow('q: must have at most 20 words');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (q) => {
        let words: string;
        try {
          words = searchQuery(q);
        } catch {
          return;
        }
        expect(() => ids({ q }), words).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('finds what is said in real dialogues, and nothing else', () => {
    const results = someResults();
    fill(catalogue, results);
    const plain = (text: string) => ` ${text.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `;
    for (const phrase of ['send you the invoice', 'I am not sure', 'next week']) {
      const with_ = results
        .filter(({ timeline }) => timeline.some(({ text }) => plain(text).includes(plain(phrase))))
        .map((r) => r.conversation_id);
      const found = ids({ q: `"${phrase}"`, limit: 100 });
      expect(found).toEqual(expect.arrayContaining(with_.slice(-100)));
    }
  });
});
