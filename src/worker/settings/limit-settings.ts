import { positive, setting, whole } from '../../contract/settings.ts';

/**
 * Limits of one key, of all keys of a tenant together, and of the public demo key; PATCH /tenants/{id} and keys
 * override them.
 */
export const LIMIT_SETTINGS = {
  maxSessionsPerKey: setting(
    'MAX_SESSIONS_PER_KEY',
    whole(1),
    '20',
    'live sessions open at a time for one key; one more is a 429 with `Retry-After`',
  ),
  maxRequestsPerKey: setting(
    'MAX_REQUESTS_PER_MINUTE_PER_KEY',
    whole(1),
    '12000',
    'requests a minute of one key; from here on to `MAX_STORED_GB_PER_TENANT`, one more is a 429 with `Retry-After`',
  ),
  maxRequestsPerTenant: setting(
    'MAX_REQUESTS_PER_MINUTE_PER_TENANT',
    whole(1),
    '60000',
    'requests a minute of all keys of a tenant',
  ),
  maxSessionsPerTenant: setting(
    'MAX_SESSIONS_PER_TENANT',
    whole(1),
    '1000',
    'live sessions open at a time for a tenant',
  ),
  maxAnalysesPerKey: setting(
    'MAX_ANALYSES_PER_KEY',
    whole(1),
    '20',
    'files of one key being analysed at a time for which a client waits',
  ),
  maxAnalysesPerTenant: setting('MAX_ANALYSES_PER_TENANT', whole(1), '100', 'the same of a tenant'),
  maxAudioMinutesPerKey: setting(
    'MAX_AUDIO_MINUTES_PER_DAY_PER_KEY',
    positive(),
    '10000',
    'minutes of audio a day (UTC) of one key',
  ),
  maxAudioMinutesPerTenant: setting(
    'MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT',
    positive(),
    '50000',
    'minutes of audio a day (UTC) of a tenant',
  ),
  maxStoredGbPerTenant: setting('MAX_STORED_GB_PER_TENANT', positive(), '1000', 'gigabytes stored for a tenant'),
  demoRequests: setting(
    'DEMO_REQUESTS_PER_MINUTE',
    whole(1),
    '600',
    'the same of the public demo key: requests a minute',
  ),
  demoSessions: setting('DEMO_SESSIONS', whole(1), '2', 'its live sessions at a time'),
  demoAnalyses: setting('DEMO_ANALYSES', whole(1), '2', 'its files at a time'),
  demoAudioMinutes: setting('DEMO_AUDIO_MINUTES_PER_DAY', positive(), '120', 'its minutes of audio a day'),
  demoStoredGb: setting('DEMO_STORED_GB', positive(), '5', 'its gigabytes stored'),
  demoFileMb: setting('DEMO_FILE_SIZE_MB', positive(), '25', 'size of its files'),
  demoRetentionDays: setting('DEMO_RETENTION_DAYS', whole(1), '1', 'days that what it makes stays'),
};
