import { describe, expect, it } from 'vitest';
import { type Env, settingsOf } from '../../src/worker/env.ts';
import { liveLimits } from '../../src/worker/live/limits.ts';

const read = (vars: Record<string, string>) => liveLimits(vars as unknown as Env);

describe('a setting whose value does not fit is named', () => {
  it.each([
    ['MAX_FILE_SIZE_MB', ['0', '-1', 'many', '0x10', '1e3', 'Infinity']],
    ['MAX_SESSIONS_PER_KEY', ['0', '2.5', 'ten']],
    ['MAX_UPLOADS_PER_KEY', ['0', '2.5', 'ten']],
    ['UPLOAD_STALL_SECONDS', ['0', 'a minute']],
    ['PIPELINE_INSTANCES', ['2.5', 'NaN']],
    ['ENABLE_LIVE_STREAMING', ['yes', 'on', '2']],
    ['SERVICE_STARTED_AT', ['yesterday', '25:00']],
    ['LIVE_TTL_MIN_SECONDS', ['a while', '-5']],
    ['LIVE_TTL_MAX_SECONDS', ['a while']],
    ['LIVE_TTL_DEFAULT_SECONDS', ['a while']],
    ['LIVE_GRACE_SECONDS', ['a while', '-1']],
  ])('%s', (name, values) => {
    for (const value of values) expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} must be`));
  });
});

it('absent, empty and blank settings have their defaults', () => {
  for (const value of ['', ' '])
    expect(
      settingsOf({ MAX_UPLOADS_PER_KEY: value, UPLOAD_STALL_SECONDS: value, ENABLE_LIVE_STREAMING: value } as Env),
    ).toEqual(settingsOf({} as Env));
  expect(settingsOf({} as Env)).toMatchObject({ maxUploadsPerKey: 10, uploadStallSeconds: 60, liveEnabled: true });
});
