import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type { ConversationQuery } from '../../../src/contract/conversations.ts';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { Catalogue, CONVERSATION_TABLES } from '../../../src/worker/tenant/catalogue/catalogue.ts';
import { MemorySql } from '../../../support/memory-sql.ts';
import { dialogues, resultOf, timelineOf } from '../../../support/results.ts';
import { indexed, record } from './records.ts';

/** An empty catalogue in memory. @param days the tenant's retention */
export function emptyCatalogue(days: () => number | null = () => null): { sql: MemorySql; catalogue: Catalogue } {
  const sql = new MemorySql();
  migrate(sql, { conversations: CONVERSATION_TABLES });
  return { sql, catalogue: new Catalogue(sql, days) };
}

const NEWEST = CONVERSATION_TABLES.length;

/** Brings tables to a version. Those of an earlier version get the column that the catalogue writes. */
export function bringTo(sql: MemorySql, version = NEWEST): void {
  const columns = sql.exec<{ name: string }>(`SELECT name FROM pragma_table_info('conversations')`).toArray();
  if (columns.some(({ name }) => name === 'recorded_at')) sql.exec('ALTER TABLE conversations DROP COLUMN recorded_at');
  migrate(sql, { conversations: CONVERSATION_TABLES.slice(0, version) });
  if (version < NEWEST) sql.exec('ALTER TABLE conversations ADD COLUMN recorded_at INTEGER NOT NULL DEFAULT 0');
}

export const queryOf = (query: Partial<ConversationQuery>): ConversationQuery => ({
  limit: 50,
  tz: 'UTC',
  sort: 'newest',
  totals: 'false',
  ...query,
});

export const idsOf = (catalogue: Catalogue, query: Partial<ConversationQuery> = {}): string[] =>
  catalogue.list(queryOf(query)).conversations.map((c) => c.conversation_id);

/** The result of a conversation in which two people take turns. */
export const resultOfTexts = (id: string, ...texts: string[]): AnalysisResponse =>
  resultOf(id, timelineOf(id, { turns: texts.map((text, i) => ({ speaker: `Speaker_${i % 2}`, text })) }));

/** The results of some of the invented dialogues. */
export const someResults = (): AnalysisResponse[] =>
  dialogues()
    .filter((_, i) => i % 13 === 0)
    .map((dialogue) => resultOf(dialogue.id, timelineOf(dialogue.id, dialogue)));

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 1);

/** Adds all of them, one a day. */
export function fill(catalogue: Catalogue, results: AnalysisResponse[]): void {
  for (const [i, result] of results.entries())
    catalogue.put(record(result.conversation_id, START + i * DAY), indexed(result));
}
