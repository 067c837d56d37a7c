import { expect, it } from 'vitest';
import { ACCESS } from '../../src/contract/access.ts';
import type { DescribedOperation } from '../../support/openapi/reader.ts';
import { AnswerReader } from '../../tools/attack/answers.ts';
import type { Exchange, Known } from '../../tools/attack/attempt.ts';
import { ask } from '../../tools/attack/attempt.ts';
import type { Outcome } from '../../tools/attack/client.ts';
import { describedAs } from '../../tools/attack/description.ts';
import { Dice } from '../../tools/attack/dice.ts';
import { isHealthy } from '../../tools/attack/healthy.ts';
import { prepareMedia } from '../../tools/attack/media.ts';
import { grown } from '../../tools/attack/memory.ts';
import { attemptOf } from '../../tools/attack/plan.ts';
import { TABLE, tableAttempt } from '../../tools/attack/table-attempts.ts';
import { judge, leaks, type Secrets } from '../../tools/attack/verdict.ts';
import { INTERRUPTED_DETAIL } from '../../tools/front-door/front-door.ts';

// The foundations of the attack itself: the same seed leads to the same bytes, answers are read correctly, and
// violations are found.

const KNOWN: Known = {
  port: 1,
  keys: ['key-a', 'key-b', 'key-c', 'key-d'],
  uploadPath: 't/c/upload.wav',
  session: 's',
  admin: 'operator',
  ids: { conversation_id: ['c1', 'c2'] },
};
const SECRETS: Secrets = { keys: KNOWN.keys, paths: ['/srv/undertone'], stored: ['kept'] };

it('makes the same attempts for the same seed', () => {
  prepareMedia();
  const said = (seed: number) =>
    Array.from({ length: 150 }, (_, index) => {
      const attempt = attemptOf(seed, index);
      const pieces = attempt.exchanges(KNOWN).flatMap((exchange) => exchange.pieces);
      return `${attempt.route} ${attempt.kind} ${pieces.map((piece) => (Buffer.isBuffer(piece) ? piece.toString('latin1') : piece)).join()}`;
    });
  expect(said(5)).toEqual(said(5));
  expect(said(6)).not.toEqual(said(5));
});

it('requests every route of the table', () => {
  expect(TABLE).toEqual(Object.keys(ACCESS));
  const asked = new Set<string>();
  for (let index = 0; index < 3_000; index++) {
    const { route, exchanges } = tableAttempt(new Dice(3, index));
    const [piece] = exchanges(KNOWN)[0]!.pieces;
    const [line = ''] = String(piece).split('\r\n');
    // As much of the path as the route gives, and nothing that ends the line.
    const [method, place = ''] = route.split(' ');
    const path = place.replaceAll(/:\w+/g, '[^/?]+').replaceAll('.', '\\.');
    expect(line, route).toMatch(new RegExp(`^${method} ${path}(\\?\\S*)? HTTP/1\\.1$`));
    asked.add(route);
  }
  expect([...asked].sort()).toEqual(Object.keys(ACCESS).sort());
});

it('reads answers that arrive byte by byte, one after the other', () => {
  const reader = new AnswerReader('GET');
  const bytes = Buffer.from(
    'HTTP/1.1 100 Continue\r\n\r\n' +
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n' +
      'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX-A: 1\r\nx-a: 2\r\n\r\n{}' +
      'HTTP/1.1 204 No Content\r\n\r\n' +
      'HTTP/1.1 200 OK\r\n\r\nuntil the end',
  );
  for (const byte of bytes) reader.push(Buffer.from([byte]));
  reader.end();
  const read = reader.answers.map(({ status, body, complete }) => [status, body.toString(), complete]);
  expect(read).toEqual([
    [200, 'abcde', true],
    [404, '{}', true],
    [204, '', true],
    [200, 'until the end', true],
  ]);
  expect(reader.answers[1]?.headers.get('x-a')).toBe('1, 2');
  expect(reader.garbage).toBe('');
});

it('detects a truncated answer, and one that is not HTTP', () => {
  const cut = new AnswerReader('GET');
  cut.push(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'));
  cut.end();
  expect(cut.answers[0]?.complete).toBe(false);
  const other = new AnswerReader('GET');
  other.push(Buffer.from('SSH-2.0'));
  other.end();
  expect(other.garbage).toBe('SSH-2.0');
});

/** The classes of findings for a request with this answer. */
function found(
  answer: string,
  exchange: Exchange = ask({ method: 'GET', path: '/x' }),
  key: 'good' | 'none' = 'good',
  described?: DescribedOperation,
): string[] {
  const reader = new AnswerReader(exchange.method);
  reader.push(Buffer.from(answer));
  reader.end();
  const outcome: Outcome = {
    exchange,
    answers: reader.answers,
    garbage: reader.garbage,
    ended: 'closed',
    milliseconds: 1,
  };
  const attempt = { index: 0, route: 'r', kind: 'k', key, described, exchanges: () => [] };
  return judge(attempt, [outcome], SECRETS).map(({ what }) => what);
}

const answer = (status: number, code: string, headers = '', id = 'i', detail = 'd'): string =>
  `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nX-Request-Id: i\r\n${headers}\r\n` +
  JSON.stringify({ detail, code, request_id: id });

it('finds no fault in the answers of the table', () => {
  expect(found(answer(404, 'NOT_FOUND'))).toEqual([]);
  expect(found(answer(503, 'OVERLOADED', 'Retry-After: 3\r\n'))).toEqual([]);
  expect(found(answer(500, 'ANALYSIS_FAILURE', '', 'i', INTERRUPTED_DETAIL))).toEqual([]);
  expect(found('HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"status":"ok"}', undefined, 'none')).toEqual([]);
});

it('names what is wrong with an answer', () => {
  expect(found('')).toEqual(['no answer']);
  expect(found(answer(500, 'ANALYSIS_FAILURE'))).toEqual(['a 5xx that is no refusal']);
  expect(found(answer(503, 'OVERLOADED'))).toEqual(['"later" without Retry-After']);
  expect(found(answer(400, 'NOT_FOUND'))).toEqual(['a status that is not its code’s']);
  expect(found(answer(404, 'NOT_FOUND', '', 'j'))).toEqual(['two request ids']);
  expect(found('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')).toEqual([
    'an error without X-Request-Id',
    'an error of another shape',
  ]);
  expect(found('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', undefined, 'none')).toEqual([
    'something without a key',
  ]);
  const twice = 'HTTP/1.1 204 No Content\r\n\r\n'.repeat(2);
  expect(found(twice)).toEqual(['more answers than requests']);
});

it('accepts the permitted answer of health, and nothing else', () => {
  expect(isHealthy('{"status":"ok"}')).toBe(true);
  for (const body of [
    '',
    'ok',
    '{"status":"ok","recognisers":[]}',
    '{"status":"starting"}',
    '{"status":"ok","key":"k"}',
  ])
    expect(isHealthy(body)).toBe(false);
});

it('compares an answer with the description of its route', () => {
  const health = describedAs('GET /health');
  const said = (status: number, body: string): string =>
    `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nX-Request-Id: i\r\n\r\n${body}`;
  expect(found(said(200, '{"status":"ok"}'), undefined, 'good', health)).toEqual([]);
  expect(found(said(200, '{"status":"well"}'), undefined, 'good', health)).toEqual([
    expect.stringMatching(/^not as described: .status must be/),
  ]);
  expect(found(said(204, ''), undefined, 'good', health)).toEqual(['not as described: the document knows no 204: ']);
  expect(found(answer(404, 'NOT_FOUND'), undefined, 'good', health)).toEqual([
    expect.stringContaining('the document knows no 404'),
  ]);
});

it('detects a process that has grown by more than a tenth', () => {
  const before = { 'front door': 100e6, wrangler: 100e6, proxy: 100e6, worker: 100e6, pipeline: 100e6 };
  expect(grown(before, { ...before, pipeline: 109e6, worker: 109e6 })).toEqual([]);
  expect(grown(before, { ...before, pipeline: 111e6, worker: 111e6 })).toEqual(['worker', 'pipeline']);
  expect(grown(before, { ...before, 'front door': 140e6 })).toEqual(['front door']);
});

it('detects keys, paths and stacks', () => {
  expect(leaks('Error: x\n    at Object.fetch (file:///a/b.js:5:3)', SECRETS)).toEqual(['a stack']);
  expect(leaks('{"cause":"Error: x\\n    at file:///a/b.js:5:3"}', SECRETS)).toEqual(['a stack']);
  expect(leaks('GET /metrics?api_key=key-b in /srv/undertone', SECRETS)).toEqual(['a key', 'a path of this machine']);
  expect(leaks('{"detail":"timeline.3.t_end: must not be before t_start, at 12:30"}', SECRETS)).toEqual([]);
});
