import type { AccessEntry, AccessLog } from '../../../contract/access-log.ts';
import { csvLine } from './table.ts';

const COLUMNS = [
  'id',
  'at',
  'until',
  'requests',
  'act',
  'key_id',
  'key_label',
  'by_token',
  'share_id',
  'address',
  'route',
  'conversation_id',
  'title',
  'from_s',
  'to_s',
] as const satisfies readonly (keyof AccessEntry)[];

/**
 * The access log as CSV, newest first.
 * @param read the page after a cursor
 */
export async function* accessTable(
  read: (cursor: number | undefined) => Promise<AccessLog>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  yield encoder.encode(`\ufeff${COLUMNS.join(',')}\r\n`);
  for (let cursor: number | undefined; ; ) {
    const { entries, next_cursor: next } = await read(cursor);
    if (entries.length > 0) yield encoder.encode(entries.map(lineOf).join(''));
    if (next === null) return;
    cursor = Number(next);
  }
}

const lineOf = (entry: AccessEntry): string =>
  csvLine(
    COLUMNS.map((name) => {
      const value = entry[name];
      return typeof value === 'boolean' ? String(value) : value;
    }),
  );
