import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const SECRET_BYTES = 32;

/** A secret of the service, and whether it has just been created. */
export interface KeptSecret {
  value: string;
  /** Path of the file. Undefined for a secret that was set by the developer. */
  file: string | undefined;
  isNew: boolean;
}

/**
 * The secret that the environment or the developer's `.dev.vars` sets under this name. If neither does, a secret is
 * created once and stored in the folder, readable only by this user.
 */
export function keptSecret(name: string, folder: string, devVars: string, environment: NodeJS.ProcessEnv): KeptSecret {
  const own = existsSync(devVars) ? parseEnv(readFileSync(devVars, 'utf8'))[name] : undefined;
  const given = environment[name] || own;
  if (given) return { value: given, file: undefined, isNew: false };
  const file = join(folder, name.toLowerCase().replaceAll('_', '-'));
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (kept !== '') return { value: kept, file, isNew: false };
  const value = randomBytes(SECRET_BYTES).toString('base64url');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${value}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return { value, file, isNew: true };
}
