import type { UsageLimits } from '../../contract/tenants.ts';
import { type Env, flag, MEBIBYTE, positive, whole } from '../env.ts';
import type { Caller } from '../keys/caller.ts';

/** Limits with none missing. Infinity: there is none. */
export type Limits = Required<UsageLimits>;

/** What a deployment allows: one key, all keys of a tenant together, and the public demo key with its tenant. */
export interface DeploymentLimits {
  key: Limits;
  tenant: Limits;
  demo: Limits;
  /** How long what the demo key makes stays, days. */
  demoRetentionDays: number;
}

/**
 * The limits of a deployment.
 * @throws RangeError naming the variable whose value does not fit
 */
export function deploymentLimits(env: Env): DeploymentLimits {
  const key: Limits = {
    requests_per_minute: whole('MAX_REQUESTS_PER_MINUTE_PER_KEY', env.MAX_REQUESTS_PER_MINUTE_PER_KEY, 12_000),
    live_sessions: whole('MAX_SESSIONS_PER_KEY', env.MAX_SESSIONS_PER_KEY, 20),
    running_analyses: whole('MAX_ANALYSES_PER_KEY', env.MAX_ANALYSES_PER_KEY, 20),
    audio_minutes_per_day: positive('MAX_AUDIO_MINUTES_PER_DAY_PER_KEY', env.MAX_AUDIO_MINUTES_PER_DAY_PER_KEY, 10_000),
    stored_gigabytes: Number.POSITIVE_INFINITY,
    file_megabytes: Number.POSITIVE_INFINITY,
  };
  const tenant: Limits = {
    requests_per_minute: whole('MAX_REQUESTS_PER_MINUTE_PER_TENANT', env.MAX_REQUESTS_PER_MINUTE_PER_TENANT, 60_000),
    live_sessions: whole('MAX_SESSIONS_PER_TENANT', env.MAX_SESSIONS_PER_TENANT, 1000),
    running_analyses: whole('MAX_ANALYSES_PER_TENANT', env.MAX_ANALYSES_PER_TENANT, 100),
    audio_minutes_per_day: positive(
      'MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT',
      env.MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT,
      50_000,
    ),
    stored_gigabytes: positive('MAX_STORED_GB_PER_TENANT', env.MAX_STORED_GB_PER_TENANT, 1000),
    file_megabytes: Number.POSITIVE_INFINITY,
  };
  const demo: Limits = {
    requests_per_minute: whole('DEMO_REQUESTS_PER_MINUTE', env.DEMO_REQUESTS_PER_MINUTE, 600),
    live_sessions: whole('DEMO_SESSIONS', env.DEMO_SESSIONS, 2),
    running_analyses: whole('DEMO_ANALYSES', env.DEMO_ANALYSES, 2),
    audio_minutes_per_day: positive('DEMO_AUDIO_MINUTES_PER_DAY', env.DEMO_AUDIO_MINUTES_PER_DAY, 120),
    stored_gigabytes: positive('DEMO_STORED_GB', env.DEMO_STORED_GB, 5),
    file_megabytes: positive('DEMO_FILE_SIZE_MB', env.DEMO_FILE_SIZE_MB, 25),
  };
  return { key, tenant, demo, demoRetentionDays: whole('DEMO_RETENTION_DAYS', env.DEMO_RETENTION_DAYS, 1) };
}

/** Whether anyone may have the demo key; else it is a key like any other. */
export const isDemoPublic = (env: Env): boolean => flag('DEMO_IS_PUBLIC', env.DEMO_IS_PUBLIC, true);

/** What a key and its tenant are allowed: what the operator chose for them, else what the deployment allows. */
export function limitsOf(env: Env, { kind, limits }: Pick<Caller, 'kind' | 'limits'>): { key: Limits; tenant: Limits } {
  const { key, tenant, demo } = deploymentLimits(env);
  if (kind !== 'demo') return { key: { ...key, ...limits.key }, tenant: { ...tenant, ...limits.tenant } };
  const { stored_gigabytes } = demo;
  return { key: demo, tenant: { ...tenant, stored_gigabytes, ...limits.tenant } };
}

/** Bytes of the largest file that both allow, within what the deployment takes at all. */
export const fileBytes = ({ key, tenant }: { key: Limits; tenant: Limits }, most: number): number =>
  Math.floor(Math.min(most, key.file_megabytes * MEBIBYTE, tenant.file_megabytes * MEBIBYTE));
