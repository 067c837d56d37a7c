import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErrorBodySchema } from '../../src/contract/analysis.ts';
import { SettingError } from '../../src/contract/settings.ts';
import { settingsOf, WORKER_SETTINGS } from '../../src/worker/settings/settings.ts';
import { startService, type TestService } from '../../support/service-under-test.ts';

describe('the error of an invalid setting names it', () => {
  it.each([
    ['API_KEYS', ['acme:', 'good acme:, better']],
    ['MAX_FILE_SIZE_MB', ['0', '-1', 'many', '0x10', '1e3', 'Infinity']],
    ['MAX_CHUNK_BYTES', ['0', '1900001', '1.5', 'big']],
    ['MAX_SESSIONS_PER_KEY', ['0', '2.5', 'ten']],
    ['MAX_UPLOADS_PER_KEY', ['0', '2.5', 'ten']],
    ['UPLOAD_STALL_SECONDS', ['0', 'a minute']],
    ['POOL_MAX', ['0', '2.5', 'NaN']],
    ['POOL_MIN', ['-1']],
    ['ENABLE_LIVE_STREAMING', ['yes', 'on', '2']],
    ['SERVICE_STARTED_AT', ['yesterday', '25:00']],
    ['LIVE_TTL_MIN_SECONDS', ['a while', '-5']],
    ['LIVE_TTL_MAX_SECONDS', ['a while']],
    ['LIVE_TTL_DEFAULT_SECONDS', ['a while', '59', '3601']],
    ['LIVE_GRACE_SECONDS', ['a while', '-1']],
    ['LLM_BASE_URL', ['example.com', 'ftp://models.example']],
    ['RUNTIME_URL', ['127.0.0.1:8080', 'http://a, b']],
    ['MAX_LIVE_SESSIONS', ['0', 'NaN']],
    ['DRAIN_SECONDS', ['-1']],
    ['SPEAKER_MODEL', ['voices.onnx']],
  ])('%s', (name, values) => {
    for (const value of values) {
      const read = () => settingsOf({ [name]: value });
      expect(read).toThrow(SettingError);
      expect(read).toThrow(new RegExp(`^${name} must `));
      expect(read).not.toThrow(value.length > 2 ? value : 'no value is repeated');
    }
  });
});

it('absent, empty and blank settings have their defaults', () => {
  for (const value of ['', ' ', undefined]) {
    const given = Object.values(WORKER_SETTINGS).map(({ name }) => [name, value]);
    expect(settingsOf(Object.fromEntries(given))).toEqual(settingsOf({}));
  }
  expect(settingsOf({})).toMatchObject({
    apiKeys: [],
    demoApiKey: undefined,
    maxChunkBytes: 1_048_576,
    maxFileBytes: 500 * 1_048_576,
    maxUploadsPerKey: 10,
    uploadStallSeconds: 60,
    liveEnabled: true,
    runtimeUrls: [],
  });
});

it('a variable of wrangler.toml may be a number, a boolean or a list', () => {
  const given = { MAX_FILE_SIZE_MB: 7, ENABLE_LIVE_STREAMING: false, API_KEYS: ['one', 'acme:two'] };
  expect(settingsOf(given)).toMatchObject({
    maxFileBytes: 7 * 1_048_576,
    liveEnabled: false,
    apiKeys: [{ key: 'one' }, { tenant: 'acme', key: 'two' }],
  });
});

it('no other file of the Worker reads a variable', () => {
  const worker = join(import.meta.dirname, '../../src/worker');
  const files = readdirSync(worker, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const names = Object.values(WORKER_SETTINGS).map(({ name }) => name);
  const reading = new RegExp(`\\benv(\\.|\\[['"])(${names.join('|')})\\b`);
  expect(files.filter((path) => reading.test(readFileSync(join(worker, path), 'utf8')))).toEqual([]);
});

describe('a deployment with an invalid setting', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ MAX_CHUNK_BYTES: '2097152' });
  });
  afterAll(() => service.stop());

  it.each(['/health', '/metrics', '/nowhere'])('says so at %s', async (path) => {
    const response = await fetch(new URL(path, service.url));
    expect(response.status).toBe(500);
    expect(ErrorBodySchema.parse(await response.json())).toEqual({
      code: 'MISCONFIGURED',
      detail: 'MAX_CHUNK_BYTES must be a whole number from 1 to 1900000',
      request_id: response.headers.get('X-Request-Id'),
    });
  });
});
