import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Undertone } from '../../src/sdk/index.ts';
import { KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run } from './run-cli.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'undertone-shares-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const shares = (...args: string[]) =>
  run(['shares', ...args], { UNDERTONE_URL: service.url.href, UNDERTONE_API_KEY: KEY, XDG_CONFIG_HOME: folder });

it('a conversation is shared and taken back in a terminal', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const { conversation_id: id } = await client.analyze(new File(['a recording'], 'call.wav'));
  const made = await shares('create', id, '--days', '2', '--label', 'Friday');
  expect(made.out).toMatch(new RegExp(`^/app/shared/${id}#token=us_\\S+\n$`));
  const [share] = (await client.shares.list({ conversation_id: id })).shares;
  expect((await shares('list', '--conversation', id)).out).toContain(`${share!.id}  active`);
  expect((await shares('opens', share!.id)).err).toContain('Nobody has opened it.');
  expect((await shares('revoke', share!.id)).err).toContain(`Taken back: ${share!.id}`);
  expect((await shares('list')).out).toContain('revoked');
});
