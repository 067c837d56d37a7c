import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { redact } from '../../scripts/start/process-group.ts';
import { keptSecret } from '../../scripts/start/secrets.ts';
import { newToken } from '../../src/worker/keys/token.ts';

const folder = mkdtempSync(join(tmpdir(), 'undertone-secrets-'));
const NONE = join(folder, 'none');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a secret is created once, stored so that only its owner can read it, and found again', () => {
  const state = join(folder, 'new', 'state');
  const made = keptSecret('ADMIN_TOKEN', state, NONE, {});
  expect(made).toMatchObject({ isNew: true, file: join(state, 'admin-token') });
  expect(made.value).toMatch(/^[\w-]{43}$/);
  expect(statSync(made.file ?? '').mode & 0o777).toBe(0o600);
  expect(readFileSync(made.file ?? '', 'utf8').trim()).toBe(made.value);
  expect(keptSecret('ADMIN_TOKEN', state, NONE, {})).toEqual({ ...made, isNew: false });
  expect(keptSecret('KEY_PEPPER', state, NONE, {}).value).not.toBe(made.value);
});

it('a given secret is used, and not stored', () => {
  const devVars = join(folder, '.dev.vars');
  writeFileSync(devVars, 'ADMIN_TOKEN="from the file"\n');
  const state = join(folder, 'given');
  expect(keptSecret('ADMIN_TOKEN', state, devVars, {}).value).toBe('from the file');
  const given = keptSecret('ADMIN_TOKEN', state, devVars, { ADMIN_TOKEN: 'from the environment' });
  expect(given).toEqual({ value: 'from the environment', file: undefined, isNew: false });
  expect(() => statSync(state)).toThrow('ENOENT');
});

it('keys and tokens are removed from printed lines', () => {
  const token = newToken({ tenant: 'acme', id: 'AbC012345678' });
  const line = `GET /a?api_key=${token}&x=1 "token=eyJh.x.y" key ${token} ends`;
  expect(redact(line)).toBe('GET /a?api_key=[hidden]&x=1 "token=[hidden]" key ut_acme_AbC012345678_[hidden] ends');
});
