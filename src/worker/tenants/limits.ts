import type { UsageLimits } from '../../contract/tenants.ts';
import type { Env } from '../env.ts';
import { settingsOf } from '../settings.ts';

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
export function deploymentLimits(env: Env): DeploymentLimits {
  const settings = settingsOf(env);
  const key: Limits = {
    requests_per_minute: settings.maxRequestsPerMinutePerKey,
    live_sessions: settings.maxSessionsPerKey,
    running_analyses: settings.maxAnalysesPerKey,
    audio_minutes_per_day: settings.maxAudioMinutesPerDayPerKey,
    stored_gigabytes: Number.POSITIVE_INFINITY,
    file_megabytes: Number.POSITIVE_INFINITY,
  };
  const tenant: Limits = {
    requests_per_minute: settings.maxRequestsPerMinutePerTenant,
    live_sessions: settings.maxSessionsPerTenant,
    running_analyses: settings.maxAnalysesPerTenant,
    audio_minutes_per_day: settings.maxAudioMinutesPerDayPerTenant,
    stored_gigabytes: settings.maxStoredGbPerTenant,
    file_megabytes: Number.POSITIVE_INFINITY,
  };
  const demo: Limits = {
    requests_per_minute: settings.demoRequestsPerMinute,
    live_sessions: settings.demoSessions,
    running_analyses: settings.demoAnalyses,
    audio_minutes_per_day: settings.demoAudioMinutesPerDay,
    stored_gigabytes: settings.demoStoredGb,
    file_megabytes: settings.demoFileMb,
  };
  return { key, tenant, demo, demoRetentionDays: settings.demoRetentionDays };
}
