import type { UsageLimits } from '../../contract/tenants.ts';
import type { Caller } from '../identity/caller.ts';
import { MEBIBYTE, settingsOf } from '../settings/settings.ts';

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

/** @throws SettingError naming the variable whose value does not fit */
export function deploymentLimits(env: object): DeploymentLimits {
  const s = settingsOf(env);
  const key: Limits = {
    requests_per_minute: s.maxRequestsPerKey,
    live_sessions: s.maxSessionsPerKey,
    running_analyses: s.maxAnalysesPerKey,
    audio_minutes_per_day: s.maxAudioMinutesPerKey,
    stored_gigabytes: Number.POSITIVE_INFINITY,
    file_megabytes: Number.POSITIVE_INFINITY,
  };
  const tenant: Limits = {
    requests_per_minute: s.maxRequestsPerTenant,
    live_sessions: s.maxSessionsPerTenant,
    running_analyses: s.maxAnalysesPerTenant,
    audio_minutes_per_day: s.maxAudioMinutesPerTenant,
    stored_gigabytes: s.maxStoredGbPerTenant,
    file_megabytes: Number.POSITIVE_INFINITY,
  };
  const demo: Limits = {
    requests_per_minute: s.demoRequests,
    live_sessions: s.demoSessions,
    running_analyses: s.demoAnalyses,
    audio_minutes_per_day: s.demoAudioMinutes,
    stored_gigabytes: s.demoStoredGb,
    file_megabytes: s.demoFileMb,
  };
  return { key, tenant, demo, demoRetentionDays: s.demoRetentionDays };
}

/** What a key and its tenant are allowed: what the operator chose for them, else what the deployment allows. */
export function limitsOf(
  env: object,
  { kind, limits }: Pick<Caller, 'kind' | 'limits'>,
): { key: Limits; tenant: Limits } {
  const { key, tenant, demo } = deploymentLimits(env);
  if (kind !== 'demo') return { key: { ...key, ...limits.key }, tenant: { ...tenant, ...limits.tenant } };
  const { stored_gigabytes } = demo;
  return { key: demo, tenant: { ...tenant, stored_gigabytes, ...limits.tenant } };
}

/** Bytes of the largest file that both allow, within what the deployment takes at all. */
export const fileBytes = ({ key, tenant }: { key: Limits; tenant: Limits }, most: number): number =>
  Math.floor(Math.min(most, key.file_megabytes * MEBIBYTE, tenant.file_megabytes * MEBIBYTE));
