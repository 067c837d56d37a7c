import { expect, it } from 'vitest';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import { ACCESS_TABLES, type Accessed, AccessRecords } from '../../../src/worker/tenant/access-log.ts';
import { CONVERSATION_TABLES } from '../../../src/worker/tenant/catalogue/catalogue.ts';
import { KEY_TABLES } from '../../../src/worker/tenant/keys/key-store.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

function emptyLog(): AccessRecords {
  const sql = new MemorySql();
  migrate(sql, { keys: KEY_TABLES, access: ACCESS_TABLES, conversations: CONVERSATION_TABLES });
  return new AccessRecords(sql);
}

const request = (more: Partial<Accessed> = {}): Accessed => ({
  keyId: 'k',
  byToken: false,
  address: '203.0.113.7',
  act: 'opened',
  route: 'GET /conversations/:conversation_id',
  conversation: 'c-1',
  ...more,
});
const routes = (log: AccessRecords) => log.list({ limit: 100 }).entries.map(({ route, requests }) => [route, requests]);

it('forgets an entry when it is older than the days of the tenant', () => {
  const log = emptyLog();
  log.record(request(), 0);
  log.record(request({ conversation: 'c-2' }), 5 * DAY);
  log.forget(32 * DAY, 30);
  expect(log.list({ limit: 100 }).entries.map(({ conversation_id }) => conversation_id)).toEqual(['c-2']);
});

it('joins equal requests for one conversation over its routes, and for several by route', () => {
  const log = emptyLog();
  log.record(request(), 0);
  log.record(request({ route: 'GET /conversations/:conversation_id/course' }), MINUTE);
  const list = request({ conversation: null, act: 'listed', route: 'GET /conversations' });
  log.record(list, 2 * MINUTE);
  log.record({ ...list, route: 'GET /lines' }, 3 * MINUTE);
  log.record(list, 4 * MINUTE);
  expect(routes(log)).toEqual([
    ['GET /conversations', 2],
    ['GET /lines', 1],
    ['GET /conversations/:conversation_id/course', 2],
  ]);
});

it('lists entries by the time of their last request, also page by page', () => {
  const log = emptyLog();
  for (const [minute, conversation] of ['c-1', 'c-2', 'c-1', 'c-3', 'c-3'].entries())
    log.record(request({ conversation }), minute * MINUTE);
  const first = log.list({ limit: 2 });
  const rest = log.list({ limit: 2, cursor: Number(first.next_cursor) });
  expect([...first.entries, ...rest.entries].map(({ conversation_id: id, requests }) => [id, requests])).toEqual([
    ['c-3', 2],
    ['c-1', 2],
    ['c-2', 1],
  ]);
});

it('lists the requests with one share', () => {
  const log = emptyLog();
  log.record(request({ share: 'share_a', byToken: true }), 0);
  log.record(request({ share: 'share_b', byToken: true }), 0);
  expect(log.list({ limit: 100, share_id: 'share_b' }).entries.map(({ share_id }) => share_id)).toEqual(['share_b']);
});
