import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { unstable_getVarsForDev } from 'wrangler';
import { writeWorkerSettings } from '../../scripts/start/worker-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'undertone-settings-'));
const FILE = join(folder, 'state', 'worker.env');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the Worker is given, as wrangler reads the file. */
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
  writeWorkerSettings(FILE, join(folder, 'none'), { API_KEYS: value, PATH: '/bin' }, { RUNTIME_URL: 'http://x' });
  expect(read()).toEqual({ API_KEYS: value, RUNTIME_URL: 'http://x' });
});

it('can be read by nobody else, and goes away', () => {
  const remove = writeWorkerSettings(FILE, join(folder, 'none'), { API_KEYS: 'a' }, {});
  expect(statSync(FILE).mode & 0o777).toBe(0o600);
  remove();
  expect(() => statSync(FILE)).toThrow('ENOENT');
});

it('keeps what .dev.vars says, but for what the environment says', () => {
  const devVars = join(folder, '.dev.vars');
  writeFileSync(devVars, '# mine\nAPI_KEYS="from file"\nLLM_API_KEY=key$1\nOTHER=x\n');
  writeWorkerSettings(FILE, devVars, { API_KEYS: 'from environment' }, {});
  expect(read()).toEqual({ API_KEYS: 'from environment', LLM_API_KEY: 'key$1', OTHER: 'x' });
  expect(readFileSync(devVars, 'utf8')).toContain('from file');
});

it('says so when a value cannot be passed on', () => {
  expect(() => writeWorkerSettings(FILE, join(folder, 'none'), { API_KEYS: '\'"`' }, {})).toThrow('API_KEYS');
});
