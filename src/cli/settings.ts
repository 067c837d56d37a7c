import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Retry, Undertone } from '../sdk/index.ts';
import { Misuse } from './exits.ts';

/** Options of every command. */
export interface ServiceOptions {
  url?: string;
  key?: string;
  /** Used instead of the key for managing keys. */
  operatorToken?: string;
}

/** The source of a setting. */
export type SettingSource = 'option' | 'environment' | 'file' | 'default';

export interface ServiceAddress {
  url: { value: string; from: SettingSource };
  key: { value: string; from: SettingSource } | undefined;
}

interface StoredSettings {
  url?: string;
  key?: string;
}

/** The URL of `npm start`. */
const DEFAULT_URL = 'http://localhost:8787';
/** Readable only by the owner. */
const MODES = { file: 0o600, folder: 0o700 };

export function settingsPath(env = process.env): string {
  const folder = env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(folder, 'undertone', 'credentials.json');
}

/** @throws Misuse if the file was not written by `login` */
function storedSettings(path = settingsPath()): StoredSettings {
  if (!existsSync(path)) return {};
  try {
    const { url, key }: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
    return { ...(typeof url === 'string' && { url }), ...(typeof key === 'string' && { key }) };
  } catch {
    throw new Misuse(`${path} cannot be read: remove it and run undertone login again`);
  }
}

/** Writes the file atomically, and never readable by other users. */
export function storeSettings(settings: StoredSettings, path = settingsPath()): void {
  mkdirSync(dirname(path), { recursive: true, mode: MODES.folder });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: MODES.file });
  chmodSync(draft, MODES.file);
  renameSync(draft, path);
}

/** @returns whether there was a file to remove */
export function removeSettings(path = settingsPath()): boolean {
  const was = existsSync(path);
  rmSync(path, { force: true });
  return was;
}

/** Whether other users can read the file. False if it does not exist. */
export const isExposed = (path = settingsPath()): boolean =>
  process.platform !== 'win32' && existsSync(path) && (statSync(path).mode & 0o077) !== 0;

/**
 * Options override the environment, which overrides the file. A stored key is sent only to the URL that it was stored
 * for.
 */
export function serviceOf(options: ServiceOptions, env = process.env): ServiceAddress {
  const file = storedSettings(settingsPath(env));
  const url = first('option', options.url) ??
    first('environment', env.UNDERTONE_URL) ??
    first('file', file.url) ?? { value: DEFAULT_URL, from: 'default' };
  if (!/^https?:\/\//.test(url.value) || !URL.canParse(url.value))
    throw new Misuse(`${url.value} is not the address of a service, such as ${DEFAULT_URL}`);
  const own = file.url === undefined || sameService(file.url, url.value) ? file.key : undefined;
  const key = first('option', options.key) ?? first('environment', env.UNDERTONE_API_KEY) ?? first('file', own);
  return { url, key };
}

function first(from: SettingSource, value: string | undefined): { value: string; from: SettingSource } | undefined {
  return value === undefined || value === '' ? undefined : { value, from };
}

const sameService = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;

/** The client for the chosen service. @throws Misuse without a key */
export function clientOf(options: ServiceOptions, onRetry?: (retry: Retry) => void): Undertone {
  const { url, key } = serviceOf(options);
  const retry = onRetry && { onRetry };
  const { operatorToken: token } = options;
  if (token) return new Undertone({ url: url.value, token, ...retry });
  if (!key) throw new Misuse(`No key for ${url.value}: run undertone login, or set UNDERTONE_API_KEY`);
  return new Undertone({ url: url.value, key: key.value, ...retry });
}
