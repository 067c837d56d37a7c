import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { unstable_getVarsForDev } from 'wrangler';
import { workerVariables, writeWorkerSettings } from '../../scripts/start/worker-settings.ts';
import { WORKER_SETTINGS } from '../../src/worker/settings/settings.ts';
import { CannotStart } from '../../tools/machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'undertone-settings-'));
const FILE = join(folder, 'state', 'worker.env');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (environment: NodeJS.ProcessEnv, own: Record<string, string> = {}, devVars = join(folder, 'none')) =>
  writeWorkerSettings(FILE, workerVariables(devVars, environment, own));

/** The Worker's variables as wrangler reads the file. */
const read = () =>
  Object.fromEntries(
    Object.entries(unstable_getVarsForDev(join(folder, 'wrangler.toml'), [FILE], {}, undefined, true)).map(
      ([name, { value }]) => [name, value],
    ),
  );

it.each([
  'plain',
  'one, two\tthree',
  '["json", "list"]',
  "it's # no comment",
  'back\\slash \\n stays',
  `$HOME and $${'{HOME}'} and \\$HOME and $$`,
  'a"b\'c',
  'two\nlines',
  '=x= export Y=z',
  'sha256:00 `x`',
])('passes on what the environment says: %s', (value) => {
  write({ API_KEYS: value, PATH: '/bin' }, { RUNTIME_URL: 'http://x' });
  expect(read()).toEqual({ API_KEYS: value, RUNTIME_URL: 'http://x' });
});

it('is unreadable for others, and is removed', () => {
  const remove = write({ API_KEYS: 'a' });
  expect(statSync(FILE).mode & 0o777).toBe(0o600);
  remove();
  expect(() => statSync(FILE)).toThrow('ENOENT');
});

it('keeps the values of .dev.vars unless the environment overrides them', () => {
  const devVars = join(folder, '.dev.vars');
  writeFileSync(devVars, '# mine\nAPI_KEYS="from file"\nLLM_API_KEY=key$1\nOTHER=x\n');
  write({ API_KEYS: 'from environment' }, {}, devVars);
  expect(read()).toEqual({ API_KEYS: 'from environment', LLM_API_KEY: 'key$1', OTHER: 'x' });
  expect(readFileSync(devVars, 'utf8')).toContain('from file');
});

it('says so when a value cannot be passed on', () => {
  expect(() => write({ API_KEYS: '\'"`' })).toThrow('API_KEYS');
});

it('stops a start with the name of an invalid value, wherever it is set', () => {
  const devVars = join(folder, '.dev.vars');
  writeFileSync(devVars, 'MAX_CHUNK_BYTES=2000000\n');
  expect(() => write({}, {}, devVars)).toThrow(CannotStart);
  expect(() => write({}, {}, devVars)).toThrow(/^MAX_CHUNK_BYTES must be .*\.$/);
  expect(() => write({ DRAIN_SECONDS: 'soon' })).toThrow(/^DRAIN_SECONDS must be/);
});

it('passes on every variable of the table', () => {
  const given: Record<string, string> = {
    LLM_BASE_URL: 'http://127.0.0.1:1',
    OIDC_ISSUER: 'http://127.0.0.1:6',
    MAX_LIVE_SESSIONS: '3',
    POOL_REGIONS: 'weur',
    RUNTIME_URL: 'http://127.0.0.1:2',
    SERVICE_STARTED_AT: '2026-11-01',
    ASR_URL: 'http://127.0.0.1:3/v1',
    DNS_RESOLVER_URL: 'http://127.0.0.1:4',
    S3_BUCKET_URL: 'http://127.0.0.1:5/bucket',
    RECOGNITION_WORKERS: '3',
    SPEAKER_MODEL_SHA256: 'ab'.repeat(32),
    KEY_PEPPER: 'a pepper nobody may guess',
    ADMIN_TOKEN: 'a token that nobody may guess',
  };
  const values = Object.values(WORKER_SETTINGS)
    // The local runtime has no jurisdictions.
    .filter(({ name }) => name !== 'JURISDICTION')
    .map(({ name, fallback }) => [name, given[name] ?? (fallback || 'x')]);
  write(Object.fromEntries(values));
  expect(read()).toEqual(Object.fromEntries(values));
});
