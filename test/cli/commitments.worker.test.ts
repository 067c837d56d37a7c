import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Undertone } from '../../src/sdk/index.ts';
import { linesOf, write } from '../../support/fake-pipeline.ts';
import { KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run } from './run-cli.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'undertone-commitments-'));
  service.pipeline.answer = (response, { options }) => {
    write(
      response,
      linesOf(options.conversation_id, ['What about the contract?', "I'll send you the contract by Friday."]),
    );
    response.end();
  };
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const commitments = (...args: string[]) =>
  run(['commitments', ...args], { UNDERTONE_URL: service.url.href, UNDERTONE_API_KEY: KEY, XDG_CONFIG_HOME: folder });

it('commitments are listed, exported and marked as done in a terminal, as by the client', async () => {
  expect((await commitments('list')).err).toBe('Nothing is owed.\n');
  const client = new Undertone({ url: service.url, key: KEY });
  const recorded = { recorded_at: '2026-11-25T10:00:00Z', time_zone: 'Europe/London' };
  const { conversation_id: id } = await client.analyze(new File(['a recording'], 'call.wav'), recorded);
  const commitment = `${id}_utt_1_commitment_0`;
  expect((await commitments('list', '--due-before', '2026-11-28')).out).toBe(
    [
      '2026-11-27  open  Speaker_1 to Speaker_0: send you the contract',
      "    0:02  I'll send you the contract by Friday",
      `          call  ${commitment}`,
      '',
    ].join('\n'),
  );
  expect((await commitments('set', commitment, 'done')).err).toBe('done: send you the contract\n');
  expect((await commitments('list', '--status', 'open,accepted')).err).toBe('Nothing is owed.\n');
  expect((await commitments('set', commitment, 'words')).err).toBe('open: send you the contract\n');
  const file = join(folder, 'owed.ics');
  expect((await commitments('export', '--format', 'ics', '--out', file)).err).toBe(`Written: ${file}\n`);
  expect(readFileSync(file, 'utf8')).toContain('DUE;VALUE=DATE:20261127');
  const all = [];
  for await (const one of client.commitments.all({ limit: 1 })) all.push(one.commitment_id);
  expect(all).toEqual([commitment]);
  expect(await commitments('set', commitment, 'late')).toMatchObject({ code: 2 });
});
