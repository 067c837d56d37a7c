import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openApiDocument } from '../../src/openapi/document.ts';
import { SCHEMA_DOCUMENTS } from '../../src/openapi/schema-documents.ts';
import { DASHBOARD } from '../start/dashboard.ts';
import { pages } from './site.ts';

/** The Worker's static assets (wrangler.toml). The dashboard is built into the same folder. */
const ASSETS = DASHBOARD;

/**
 * Writes the OpenAPI document, the schemas and the documentation pages to the static assets. Runs after the dashboard's
 * build, which empties that folder.
 */
export async function buildDocs(): Promise<void> {
  const document = openApiDocument();
  const files = new Map<string, string | Uint8Array>([['openapi.json', JSON.stringify(document)]]);
  for (const [name, make] of Object.entries(SCHEMA_DOCUMENTS)) files.set(`schemas/${name}`, JSON.stringify(make()));
  const { texts, fonts } = await pages(document);
  for (const [path, content] of [...texts, ...fonts]) files.set(path, content);
  for (const path of ['docs', 'schemas'].flatMap(filesIn)) if (!files.has(path)) rmSync(join(ASSETS, path));
  for (const [path, content] of files) {
    const bytes = Buffer.from(content as string);
    const file = join(ASSETS, path);
    // A running service restarts when one of its files is written, so unchanged files are left alone.
    if (existsSync(file) && readFileSync(file).equals(bytes)) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

const filesIn = (folder: string): string[] =>
  existsSync(join(ASSETS, folder)) ? readdirSync(join(ASSETS, folder)).map((name) => `${folder}/${name}`) : [];

if (import.meta.main) await buildDocs();
