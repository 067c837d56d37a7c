import { positive, setting, whole } from '../../contract/settings.ts';

/**
 * Limits of one key, of all keys of a tenant together, and of the public demo key. PATCH requests for tenants and keys
 * override them.
 */
export const LIMIT_SETTINGS = {
  maxSessionsPerKey: setting(
    'MAX_SESSIONS_PER_KEY',
    whole(1),
    '20',
    'open live sessions of one key; further ones get a 429 with `Retry-After`',
  ),
  maxRequestsPerKey: setting(
    'MAX_REQUESTS_PER_MINUTE_PER_KEY',
    whole(1),
    '12000',
    'requests per minute with one key; a request beyond this limit, or beyond any other down to `MAX_STORED_GB_PER_TENANT`, gets a 429 with `Retry-After`',
  ),
  maxRequestsPerTenant: setting(
    'MAX_REQUESTS_PER_MINUTE_PER_TENANT',
    whole(1),
    '60000',
    'requests per minute with all keys of one tenant',
  ),
  maxSessionsPerTenant: setting('MAX_SESSIONS_PER_TENANT', whole(1), '1000', 'open live sessions of one tenant'),
  maxAnalysesPerKey: setting(
    'MAX_ANALYSES_PER_KEY',
    whole(1),
    '20',
    'concurrent analyses of one key for waiting clients',
  ),
  maxAnalysesPerTenant: setting(
    'MAX_ANALYSES_PER_TENANT',
    whole(1),
    '100',
    'concurrent analyses of one tenant for waiting clients',
  ),
  maxAudioMinutesPerKey: setting(
    'MAX_AUDIO_MINUTES_PER_DAY_PER_KEY',
    positive(),
    '10000',
    'minutes of audio per day (UTC) for one key',
  ),
  maxAudioMinutesPerTenant: setting(
    'MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT',
    positive(),
    '50000',
    'minutes of audio per day (UTC) for one tenant',
  ),
  maxStoredGbPerTenant: setting('MAX_STORED_GB_PER_TENANT', positive(), '1000', 'gigabytes stored for one tenant'),
  demoRequests: setting('DEMO_REQUESTS_PER_MINUTE', whole(1), '600', 'requests per minute with the public demo key'),
  demoSessions: setting('DEMO_SESSIONS', whole(1), '2', 'open live sessions of the demo key'),
  demoAnalyses: setting('DEMO_ANALYSES', whole(1), '2', 'concurrent analyses of the demo key'),
  demoAudioMinutes: setting(
    'DEMO_AUDIO_MINUTES_PER_DAY',
    positive(),
    '120',
    'minutes of audio per day (UTC) for the demo key',
  ),
  demoStoredGb: setting('DEMO_STORED_GB', positive(), '5', 'gigabytes stored for the demo key'),
  demoFileMb: setting('DEMO_FILE_SIZE_MB', positive(), '25', 'maximum size of a file sent with the demo key'),
  demoRetentionDays: setting('DEMO_RETENTION_DAYS', whole(1), '1', 'days that conversations of the demo key are kept'),
};
