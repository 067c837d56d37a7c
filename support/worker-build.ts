import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'build/test-worker');
/** The service itself. */
export const MAIN = 'support/tested-worker.ts';
/** The service with methods that only tests call. */
export const EXTENDED = 'support/extended-worker.ts';
/** Sources of the two entries. */
const SOURCES = ['src/worker', 'src/contract', 'src/conversation', 'src/openapi', 'src/mcp', 'src/sdk', 'src/docs'];
const SOURCE_FILES = [MAIN, EXTENDED, 'wrangler.toml', 'package-lock.json'];

/** Bundles both entries, so that no test has to. */
export const buildWorkers = (): Promise<string[]> => Promise.all([MAIN, EXTENDED].map(builtWorker));

/** wrangler.toml with another entry or with additions at its end, stored with the build output. */
export function configOf(main: string, more: string): string {
  const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
    .replace(/^main = .*$/m, `main = "${join(ROOT, main)}"`)
    .replace('"build/dashboard"', `"${join(ROOT, 'build/dashboard')}"`)
    .replaceAll('"./containers', `"${join(ROOT, 'containers')}`);
  const text = `${toml}\n${more}\n`;
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `${nameOf(main)}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.toml`);
  if (existsSync(path)) return path;
  const written = `${path}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, path);
  return path;
}

const nameOf = (main: string): string => basename(main, '.ts');

/** The folder with an entry's bundle. It is built unless it already exists for these sources. */
export async function builtWorker(main: string): Promise<string> {
  const folder = join(FOLDER, `${nameOf(main)}-bundle-${digestOfSources()}`);
  if (existsSync(folder)) return folder;
  const config = configOf(main, '');
  const outdir = mkdtempSync(join(FOLDER, 'building-'));
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true', WRANGLER_LOG: 'error' };
  const args = [wrangler, 'deploy', '--dry-run', '--containers-rollout=none', '--config', config, '--outdir', outdir];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  for (const name of readdirSync(FOLDER))
    if (name.startsWith(`${nameOf(main)}-bundle-`)) rmSync(join(FOLDER, name), { recursive: true, force: true });
  try {
    renameSync(outdir, folder);
  } catch {
    // Another process has built it in the meantime.
    rmSync(outdir, { recursive: true, force: true });
  }
  return folder;
}

let digest: string | undefined;
function digestOfSources(): string {
  if (digest) return digest;
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('dist'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...files.sort(), ...SOURCE_FILES.map((file) => join(ROOT, file))])
    hash.update(file).update(readFileSync(file));
  digest = hash.digest('hex').slice(0, 12);
  return digest;
}
