import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { CannotStart } from './machine.ts';

/** Variables of the Worker that the environment of `npm start` may give; many of them are secrets. */
const SETTINGS = [
  'API_KEYS',
  'DEMO_API_KEY',
  'ACCESS_OPERATORS',
  'KEY_TRUST_SECONDS',
  'MAX_REQUESTS_PER_MINUTE_PER_KEY',
  'MAX_REQUESTS_PER_MINUTE_PER_TENANT',
  'MAX_SESSIONS_PER_TENANT',
  'MAX_ANALYSES_PER_KEY',
  'MAX_ANALYSES_PER_TENANT',
  'MAX_AUDIO_MINUTES_PER_DAY_PER_KEY',
  'MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT',
  'MAX_STORED_GB_PER_TENANT',
  'DEMO_REQUESTS_PER_MINUTE',
  'DEMO_SESSIONS',
  'DEMO_ANALYSES',
  'DEMO_AUDIO_MINUTES_PER_DAY',
  'DEMO_STORED_GB',
  'DEMO_FILE_SIZE_MB',
  'DEMO_RETENTION_DAYS',
  'MAX_FILE_SIZE_MB',
  'ENABLE_LIVE_STREAMING',
  'MAX_CHUNK_BYTES',
  'MAX_SESSION_MB',
  'MAX_SESSIONS_PER_KEY',
  'MAX_UPLOADS_PER_KEY',
  'UPLOAD_STALL_SECONDS',
  'LIVE_TTL_MIN_SECONDS',
  'LIVE_TTL_MAX_SECONDS',
  'LIVE_TTL_DEFAULT_SECONDS',
  'LIVE_GRACE_SECONDS',
  'PIPELINE_INSTANCES',
  'LLM_BASE_URL',
  'LLM_MODEL',
  'LLM_API_KEY',
];

/**
 * Writes the Worker's variables where only this user can read them, for `wrangler dev --env-file`: an argument would
 * stand in the list of processes, which everyone can read. What the developer's `.dev.vars` says counts too, then the
 * environment, then `own`.
 * @returns what takes the file away
 * @throws CannotStart for a value that such a file cannot hold
 */
export function writeWorkerSettings(
  file: string,
  devVars: string,
  environment: NodeJS.ProcessEnv,
  own: Record<string, string>,
): () => void {
  const kept = existsSync(devVars) ? parseEnv(readFileSync(devVars, 'utf8')) : {};
  const given = SETTINGS.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []));
  const values: Record<string, string | undefined> = { ...kept, ...Object.fromEntries(given), ...own };
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, Object.entries(values).map(line).join(''), { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  return () => rmSync(file, { force: true });
}

/** Quoted, or dotenv takes `#` for a comment; `$` escaped, or wrangler looks for a variable of that name. */
function line([name, value = '']: [string, string | undefined]): string {
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark) && (mark !== '"' || !value.includes('\\')));
  if (quote === undefined) throw new CannotStart(`${name} holds all three kinds of quotes, which cannot be passed on.`);
  return `${name}=${quote}${value.replaceAll('$', '\\$')}${quote}\n`;
}
