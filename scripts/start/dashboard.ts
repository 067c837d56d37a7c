import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './command.ts';

/** Destination of the built pages: the Worker's static assets (wrangler.toml). */
export const DASHBOARD = join(ROOT, 'build/dashboard');
/** Digest of the sources of the build, stored beside the pages so that it is not served. */
const STAMP = join(ROOT, 'build/dashboard.digest');
const SOURCES = ['src/dashboard', 'src/sdk'];

/** Builds the pages, unless the existing ones match their sources. */
export async function buildDashboard(say: (line: string) => void = () => undefined): Promise<void> {
  const digest = digestOfSources();
  const isBuilt = existsSync(join(DASHBOARD, 'index.html')) && existsSync(STAMP);
  if (isBuilt && readFileSync(STAMP, 'utf8') === digest) return;
  say('building the dashboard');
  const { build } = await import('vite');
  // Set to the same value for every caller. Under test, elements would otherwise include their source positions.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await build({ configFile: join(ROOT, 'src/dashboard/vite.config.ts'), logLevel: 'warn' });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  writeFileSync(STAMP, digest);
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('dist'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...files.sort(), join(ROOT, 'package-lock.json')]) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}
