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
  folder = mkdtempSync(join(tmpdir(), 'undertone-people-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const people = (...args: string[]) =>
  run(['people', ...args], { UNDERTONE_URL: service.url.href, UNDERTONE_API_KEY: KEY, XDG_CONFIG_HOME: folder });

it('people are added, assigned, proposed and removed in a terminal', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const { conversation_id: id, timeline } = await client.analyze(new File(['a recording'], 'call.wav'));
  const person = (await people('create', 'Bo Lund', '--role', 'agent')).out.trim();
  expect((await people('list')).out).toBe(`${person}  Bo Lund  agent  0 conversations\n`);
  const text = 'Hello, my name is Bo Lund.';
  await client.conversations.edit(id, { correct: [{ utterance_id: timeline[0]!.utterance_id, text }] });
  const { speaker } = timeline[0]!;
  expect((await people('proposals', id)).out).toContain(`${speaker}  Bo Lund  0:00  ${text}\n`);
  expect((await people('assign', id, `${speaker}=${person}`)).out).toBe(`${speaker}  Bo Lund\n`);
  expect((await people('delete', person)).err).toContain(`Removed: ${person}, from 1 conversations`);
  expect((await client.conversations.record(id)).names).toEqual({});
});
