import type { UsageLimits } from '../../contract/tenants.ts';
import type { Caller } from '../identity/caller.ts';
import { MEBIBYTE, settingsOf } from '../settings/settings.ts';

/** A complete set of limits. Infinity means no limit. */
export type Limits = Required<UsageLimits>;

/**
 * The deployment's limits: for one key, for all keys of a tenant together, and for the public demo key and its tenant.
 */
export interface DeploymentLimits {
  key: Limits;
  tenant: Limits;
  demo: Limits;
  /** How long data of the demo key is kept, days. */
  demoRetentionDays: number;
}

/** @throws SettingError naming the variable with an invalid value */
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

/** The limits of a key and its tenant: those that the operator chose, or else the deployment's. */
export function limitsOf(
  env: object,
  { kind, limits }: Pick<Caller, 'kind' | 'limits'>,
): { key: Limits; tenant: Limits } {
  const { key, tenant, demo } = deploymentLimits(env);
  if (kind !== 'demo') return { key: { ...key, ...limits.key }, tenant: { ...tenant, ...limits.tenant } };
  const { stored_gigabytes } = demo;
  return { key: demo, tenant: { ...tenant, stored_gigabytes, ...limits.tenant } };
}

/** Size limit of a file, bytes: the smallest limit of the key, the tenant and the deployment. */
export const fileBytes = ({ key, tenant }: { key: Limits; tenant: Limits }, most: number): number =>
  Math.floor(Math.min(most, key.file_megabytes * MEBIBYTE, tenant.file_megabytes * MEBIBYTE));
