import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Undertone } from '../../src/sdk/index.ts';
import { linesOf, write } from '../../support/fake-pipeline.ts';
import { KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run } from './run-cli.ts';

const CALL = [
  'We would set it all up for you, the price is four hundred pounds a month.',
  "That's too expensive, the price is way over our budget.",
  'Would you like me to book you in for Tuesday morning, then we look at the price?',
  'Yes please, Tuesday would be great.',
];
let service: TestService;
const folder = mkdtempSync(join(tmpdir(), 'undertone-patterns-'));
beforeAll(async () => {
  service = await startService();
  service.pipeline.answer = (response, { options }) => {
    write(response, linesOf(options.conversation_id, CALL));
    response.end();
  };
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const cli = (...args: string[]) =>
  run(args, { UNDERTONE_URL: service.url.href, UNDERTONE_API_KEY: KEY, XDG_CONFIG_HOME: folder });

it('views are saved, shown, told and removed in a terminal', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const { conversation_id } = await client.analyze(new File(['a recording'], 'now.wav'));
  const view = (await cli('views', 'add', 'Doubts', 'category=objection', '--tell')).out.trim();
  expect(await client.views.list()).toMatchObject([{ id: view, page: 'patterns', tell: true }]);
  const shown = await cli('views', 'show', view);
  expect(shown.err).toBe('Moments: 1 (1 unsure), conversations: 1 of 1\n');
  expect(shown.out).toContain(`now  ${conversation_id} 0:02`);
  const address = new URL('/app?q=price&length=short', service.url).href;
  const short = JSON.parse((await cli('views', 'add', 'Short', address, '--json')).out);
  expect(short).toMatchObject({ page: 'conversations', query: 'q=price&length=short', tell: false });
  expect((await cli('views', 'show', short.id)).out).toContain(conversation_id);
  expect((await cli('views', 'list')).out).toMatch(
    new RegExp(`^${view}  patterns +tells +Doubts +category=objection\n${short.id}  conversations +Short +q=`),
  );
  expect((await cli('views', 'tell', view, '--off')).err).toBe('Does not report new matches: Doubts\n');
  expect((await cli('views', 'remove', view)).err).toBe(`Removed: ${view}\n`);
  expect(await cli('views', 'show', view)).toMatchObject({ code: 4, err: expect.stringContaining(view) });
  await client.views.delete(short.id);
  await client.conversations.delete(conversation_id);
});

it('moments and lines of all conversations are listed in a terminal, as by the client', async () => {
  expect((await cli('lines', 'price')).err).toBe('No line has all these words.\n');
  const client = new Undertone({ url: service.url, key: KEY });
  const recorded = { recorded_at: '2026-11-25T10:00:00Z' };
  const { conversation_id: id } = await client.analyze(new File(['a recording'], 'call.wav'), recorded);
  const lines = await cli('lines', 'price tuesday');
  expect(lines.out).toBe([`2026-11-25  Speaker_0: ${CALL[2]}`, `          call  ${id} 0:04`, ''].join('\n'));
  const moments = await cli('moments', '--category', 'objection', '--from', '2026-11-25');
  expect(moments.err).toBe('Moments: 1 (1 unsure), conversations: 1 of 1\n');
  expect(moments.out).toContain(`          Speaker_1: ${CALL[1]}\n          call  ${id} 0:02`);
  expect(moments.out).toContain('2026-11-25  objection  unsure  then cta_accepted after 4 s');
  const shown = await cli('moments', '--limit', '1', '--json');
  const page = JSON.parse(shown.out);
  expect(page.moments).toHaveLength(1);
  expect(page.next_cursor).not.toBeNull();
  const wide = await cli('conversations', 'list', '--limit', '1');
  expect(wide.out).toContain('2026-11-25 10:00  ');
  expect((await cli('conversations', 'search', 'tuesday')).out).toContain('  2026-11-25 10:00  ');
  const surest = await cli('moments', '--one-per', 'conversation', '--json');
  expect(JSON.parse(surest.out).moments).toHaveLength(1);
  const all = [];
  for await (const { moment_id } of client.patterns.allMoments({ limit: 1 })) all.push(moment_id);
  expect(all).toHaveLength(page.totals.count);
  const said = [];
  for await (const { utterance_id } of client.patterns.allLines({ q: 'price', limit: 1 })) said.push(utterance_id);
  expect(said).toEqual([0, 1, 2].map((n) => `${id}_utt_${n}`));
  const trends = await cli('trends', 'moments.count', '--by', 'category', '--category', 'objection');
  expect(trends).toMatchObject({
    err: 'moments.count, moments; conversations: 1\n',
    out: 'objection  n 1  sum 1  single values 1\n',
  });
  const file = join(folder, 'trends.csv');
  expect((await cli('trends', 'pace', '--format', 'csv', '--out', file)).err).toBe(`Written: ${file}\n`);
  expect(readFileSync(file, 'utf8')).toContain('"2026-11-23","pace"');
  const objections = await cli('moments', '--category', 'objection', '--format', 'csv');
  expect(objections.out.split('\r\n')).toHaveLength(3);
  expect(objections.out).toContain(`"objection",`);
  expect(objections.out).toContain(CALL[1]);
  const parquet = join(folder, 'lines.parquet');
  await cli('lines', 'price', '--format', 'parquet', '--out', parquet);
  expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1');
  expect(await cli('trends', 'pace', '--format', 'parquet')).toMatchObject({ code: 2 });
  expect(await cli('moments', '--category', 'praise')).toMatchObject({ code: 2 });
});
