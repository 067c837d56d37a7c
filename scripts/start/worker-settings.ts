import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { SettingError } from '../../src/contract/settings.ts';
import { settingsOf, WORKER_SETTINGS } from '../../src/worker/settings/settings.ts';
import { CannotStart } from '../../tools/machine.ts';

/**
 * Values for every variable of the Worker that is set: from the developer's `.dev.vars`, then the environment, then
 * `own`.
 * @throws CannotStart for an invalid value
 */
export function workerVariables(
  devVars: string,
  environment: NodeJS.ProcessEnv,
  own: Record<string, string> = {},
): Record<string, string | undefined> {
  const kept = existsSync(devVars) ? parseEnv(readFileSync(devVars, 'utf8')) : {};
  const given = Object.values(WORKER_SETTINGS).flatMap(({ name }) =>
    environment[name] ? [[name, environment[name]]] : [],
  );
  const variables: Record<string, string | undefined> = { ...kept, ...Object.fromEntries(given), ...own };
  const { jurisdiction } = orCannotStart(() => settingsOf(variables));
  if (jurisdiction !== undefined)
    throw new CannotStart('JURISDICTION works only on Cloudflare. Unset it: everything stays on this machine.');
  return variables;
}

/**
 * Writes the Worker's variables to a file that only this user can read, for `wrangler dev --env-file`. Arguments would
 * appear in the process list, which everyone can read.
 * @returns a function that removes the file
 * @throws CannotStart for a value that such a file cannot contain
 */
export function writeWorkerSettings(file: string, variables: Record<string, string | undefined>): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, Object.entries(variables).map(line).join(''), { mode: 0o600, flag: 'wx' });
  chmodSync(file, 0o600);
  return () => rmSync(file, { force: true });
}

/** Runs `read`. @throws CannotStart instead of a SettingError */
export function orCannotStart<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SettingError ? new CannotStart(`${error.message}.`) : error;
  }
}

/**
 * Quoted, because dotenv would otherwise treat `#` as a comment. `$` is escaped, because wrangler would otherwise look
 * for a variable of that name.
 */
function line([name, value = '']: [string, string | undefined]): string {
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark) && (mark !== '"' || !value.includes('\\')));
  if (quote === undefined)
    throw new CannotStart(`${name} contains all three kinds of quotation marks and cannot be passed on.`);
  return `${name}=${quote}${value.replaceAll('$', '\\$')}${quote}\n`;
}
