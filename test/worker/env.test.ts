import { describe, expect, it, vi } from 'vitest';
import { type Env, settingsOf } from '../../src/worker/env.ts';
import { trustMs } from '../../src/worker/keys/issued.ts';
import { liveLimits } from '../../src/worker/live/limits.ts';

const read = (vars: Record<string, string>) => {
  const env = vars as unknown as Env;
  return { ...liveLimits(env), ...deploymentLimits(env), isDemoPublic: isDemoPublic(env), trust: trustMs(env) };
};

import { deploymentLimits, isDemoPublic } from '../../src/worker/tenants/limits.ts';

vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, RpcTarget: class {} }));

describe('a setting whose value does not fit is named', () => {
  it.each([
    ['MAX_FILE_SIZE_MB', ['0', '-1', 'many', '0x10', '1e3', 'Infinity']],
    ['MAX_SESSIONS_PER_KEY', ['0', '2.5', 'ten']],
    ['MAX_SESSIONS_PER_TENANT', ['0', '2.5', 'ten']],
    ['MAX_REQUESTS_PER_MINUTE_PER_KEY', ['0', '2.5', 'ten']],
    ['MAX_REQUESTS_PER_MINUTE_PER_TENANT', ['0', '2.5', 'ten']],
    ['MAX_ANALYSES_PER_KEY', ['0', '2.5', 'ten']],
    ['MAX_ANALYSES_PER_TENANT', ['0', '2.5', 'ten']],
    ['MAX_AUDIO_MINUTES_PER_DAY_PER_KEY', ['0', '-1', 'ten']],
    ['MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT', ['0', '-1', 'ten']],
    ['MAX_STORED_GB_PER_TENANT', ['0', '-1', 'ten']],
    ['DEMO_IS_PUBLIC', ['yes', 'on', '2']],
    ['DEMO_REQUESTS_PER_MINUTE', ['0', '2.5', 'ten']],
    ['DEMO_SESSIONS', ['0', '2.5', 'ten']],
    ['DEMO_ANALYSES', ['0', '2.5', 'ten']],
    ['DEMO_AUDIO_MINUTES_PER_DAY', ['0', '-1', 'ten']],
    ['DEMO_STORED_GB', ['0', '-1', 'ten']],
    ['DEMO_FILE_SIZE_MB', ['0', '-1', 'ten']],
    ['DEMO_RETENTION_DAYS', ['0', '2.5', 'ten']],
    ['KEY_TRUST_SECONDS', ['0', '-1', '31', 'ten']],
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
