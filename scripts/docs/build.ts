import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../../src/openapi/document.ts';
import { SCHEMA_DOCUMENTS } from '../../src/openapi/schema-documents.ts';
import { DASHBOARD } from '../start/dashboard.ts';
import { pages } from './site.ts';

/** The Worker's static assets (wrangler.toml), which the dashboard is among. */
const ASSETS = DASHBOARD;

/**
 * Writes the description of the service and the pages about it among the static assets. Called after the dashboard was
 * built, which empties that folder.
 */
export async function buildDocs(): Promise<void> {
  const document = openApiDocument();
  const files = new Map<string, string>([['openapi.json', JSON.stringify(document)]]);
  for (const [name, make] of Object.entries(SCHEMA_DOCUMENTS)) files.set(`schemas/${name}`, JSON.stringify(make()));
  for (const [path, text] of await pages(document)) files.set(path, text);
  for (const path of ['docs', 'schemas'].flatMap(filesIn)) if (!files.has(path)) rmSync(join(ASSETS, path));
  for (const [path, text] of files) {
    const file = join(ASSETS, path);
    // A service that serves these files begins anew when one is written.
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const filesIn = (folder: string): string[] =>
  existsSync(join(ASSETS, folder)) ? readdirSync(join(ASSETS, folder)).map((name) => `${folder}/${name}`) : [];

if (import.meta.main) await buildDocs();
