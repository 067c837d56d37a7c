import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Retry, Undertone } from '../sdk/index.ts';
import { Misuse } from './exits.ts';

/** Options that every command knows. */
export interface ServiceOptions {
  url?: string;
  key?: string;
  /** In place of a key, for the management of keys. */
  operatorToken?: string;
}

/** Where a setting was found. */
export type Source = 'option' | 'environment' | 'file' | 'default';

export interface ServiceAddress {
  url: { value: string; from: Source };
  key: { value: string; from: Source } | undefined;
}

interface Kept {
  url?: string;
  key?: string;
}

/** Where `npm start` serves. */
const DEFAULT_URL = 'http://localhost:8787';
/** Readable by their owner alone. */
const MODES = { file: 0o600, folder: 0o700 };

export function settingsPath(env = process.env): string {
  const folder = env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(folder, 'undertone', 'credentials.json');
}

/** @throws Misuse when the file is not what `login` writes */
function kept(path = settingsPath()): Kept {
  if (!existsSync(path)) return {};
  try {
    const { url, key }: Record<string, unknown> = JSON.parse(readFileSync(path, 'utf8'));
    return { ...(typeof url === 'string' && { url }), ...(typeof key === 'string' && { key }) };
  } catch {
    throw new Misuse(`${path} cannot be read: remove it, and undertone login again`);
  }
}

/** Writes it whole or not at all; nobody else can read it at any time. */
export function keep(settings: Kept, path = settingsPath()): void {
  mkdirSync(dirname(path), { recursive: true, mode: MODES.folder });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: MODES.file });
  chmodSync(draft, MODES.file);
  renameSync(draft, path);
}

/** @returns whether there was something to forget */
export function forget(path = settingsPath()): boolean {
  const was = existsSync(path);
  rmSync(path, { force: true });
  return was;
}

/** Whether others on this machine may read the file; false where there is none. */
export const isExposed = (path = settingsPath()): boolean =>
  process.platform !== 'win32' && existsSync(path) && (statSync(path).mode & 0o077) !== 0;

/** Option over environment over file. A kept key goes to the address that it was kept for, and to no other. */
export function serviceOf(options: ServiceOptions, env = process.env): ServiceAddress {
  const file = kept(settingsPath(env));
  const url = first('option', options.url) ??
    first('environment', env.UNDERTONE_URL) ??
    first('file', file.url) ?? { value: DEFAULT_URL, from: 'default' };
  if (!/^https?:\/\//.test(url.value) || !URL.canParse(url.value))
    throw new Misuse(`${url.value} is no address of a service, as ${DEFAULT_URL}`);
  const own = file.url === undefined || sameService(file.url, url.value) ? file.key : undefined;
  const key = first('option', options.key) ?? first('environment', env.UNDERTONE_API_KEY) ?? first('file', own);
  return { url, key };
}

function first(from: Source, value: string | undefined): { value: string; from: Source } | undefined {
  return value === undefined || value === '' ? undefined : { value, from };
}

const sameService = (one: string, other: string): boolean =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;

/** The client of the service that is meant. @throws Misuse without a key */
export function clientOf(options: ServiceOptions, onRetry?: (retry: Retry) => void): Undertone {
  const { url, key } = serviceOf(options);
  const told = onRetry && { onRetry };
  const { operatorToken: token } = options;
  if (token) return new Undertone({ url: url.value, token, ...told });
  if (!key) throw new Misuse(`No key for ${url.value}: undertone login, or set UNDERTONE_API_KEY`);
  return new Undertone({ url: url.value, key: key.value, ...told });
}
