import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { report } from './report.ts';

// Size of the client in a page: bundled, minified and compressed, including its one dependency.

const SDK = join(import.meta.dirname, '../src/sdk');
/** Limit on the total size, bytes. */
const MOST_GZIP_BYTES = 13_700;

interface Weight {
  minified: number;
  gzip: number;
}

/** @param code as a page would contain it */
async function weightOf(code: string): Promise<Weight> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: SDK, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  const bytes = outputFiles[0]!.contents;
  return { minified: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
}

const entries: [string, string][] = [
  ['everything together', "export * from './index.ts'; export * from './microphone.ts'; export * from './webhooks.ts'"],
  ['@undertone/sdk', "export * from './index.ts'"],
  ['- UndertoneError alone', "export { UndertoneError } from './index.ts'"],
  ['@undertone/sdk/microphone', "export * from './microphone.ts'"],
  ['@undertone/sdk/webhooks', "export * from './webhooks.ts'"],
  ['@undertone/sdk/pcm-worklet.js', readFileSync(join(SDK, 'pcm-worklet.ts'), 'utf8')],
];
const rows = await Promise.all(
  entries.map(async ([name, code]) => {
    const { minified, gzip } = await weightOf(code);
    return [name, minified, gzip];
  }),
);
const files = readdirSync(SDK).filter((file) => file.endsWith('.ts')).length;
report('sdk', [
  {
    title: 'The client in a page',
    columns: ['entry', 'minified, bytes', 'gzip, bytes'],
    rows,
    note: `${files} source files, eventsource-parser included. All of it may take ${MOST_GZIP_BYTES} bytes.`,
  },
]);
if (Number(rows[0]?.[2]) > MOST_GZIP_BYTES) process.exitCode = 1;
