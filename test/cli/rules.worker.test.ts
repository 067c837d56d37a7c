import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Undertone } from '../../src/sdk/index.ts';
import { SPOKEN } from '../../support/fake-pipeline.ts';
import { KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run } from './run-cli.ts';

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'undertone-rules-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const rules = (args: readonly string[], input = '') =>
  run(['rules', ...args], { UNDERTONE_URL: service.url.href, UNDERTONE_API_KEY: KEY, XDG_CONFIG_HOME: folder }, input);
const RULE = JSON.stringify({ when: { said: { phrases: ['pricing'] } } });

it('rules are tried, created, enabled, listed and removed in a terminal, as by the client', async () => {
  const client = new Undertone({ url: service.url, key: KEY });
  const { conversation_id: id } = await client.analyze(new File(['a recording'], 'call.wav'));
  const tried = await rules(['try', '-'], RULE);
  expect(tried.code).toBe(0);
  const [head, ...lines] = tried.out.split('\n');
  expect(head).toMatch(new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\(uploaded\\)  call$`));
  expect(lines.join('\n')).toBe(`    0:02  Speaker_1: ${SPOKEN[1]}\n1 hit in 1 of 1 conversations; 0 unknown\n`);
  const rule = (await rules(['create', '-', '--name', 'Price'], RULE)).out.trim();
  expect(rule).toMatch(/^rule_/);
  expect((await rules(['list'])).out).toBe(`${rule}  disabled  version 1  Price\n`);
  expect((await rules(['enable', rule])).err).toBe('Enabled: Price\n');
  await expect.poll(async () => (await client.rules.get(rule)).pending, { timeout: 20_000 }).toBe(0);
  expect((await rules(['matches', rule])).out).toContain(`0:02  Speaker_1: ${SPOKEN[1]}`);
  const utterance_id = `${id}_utt_1`;
  await client.rules.judge(rule, { conversation_id: id, utterance_id, thumb: 'up' });
  expect((await rules(['try', rule])).out).toContain('; 1 of 1 judged hits are right');
  const matches = [];
  for await (const match of client.rules.allMatches(rule, { limit: 1 })) matches.push(match);
  expect(matches.map(({ conversation_id, hits }) => [conversation_id, hits[0]?.thumb])).toEqual([[id, 'up']]);
  expect((await rules(['disable', rule])).err).toBe('Disabled: Price\n');
  expect((await rules(['delete', rule])).err).toBe(`Removed: ${rule}\n`);
  expect(await client.rules.list()).toEqual([]);
});

it('a category of Call Analytics is read from a file, and a file that is no rule is refused', async () => {
  const file = join(folder, 'category.json');
  const Rules = [{ NonTalkTimeFilter: { Threshold: 10_000 } }];
  writeFileSync(file, JSON.stringify({ CategoryName: 'quiet', Rules }));
  const created = JSON.parse((await rules(['create', file, '--json'])).out);
  expect(created).toMatchObject({ name: 'quiet', when: { silence: { min_seconds: 10 } } });
  expect(await rules(['create', '-'], '[]')).toMatchObject({ code: 2, out: '' });
  expect((await rules(['create', '-'], '{}')).err).toContain('must have either name or CategoryName');
  expect((await rules(['try', 'rule_unknown'])).code).toBe(4);
});
