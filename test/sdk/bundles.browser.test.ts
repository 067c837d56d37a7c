import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../../support/browser.ts';

// The microphone in pages made by other people's bundlers, with the package as it is built.

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'src/sdk/dist');
const STRICT = "default-src 'none'; script-src 'self'";
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };

let folder: string;
let browser: Browser;
beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'src/sdk'], { cwd: ROOT });
  // It is inside the repository, so that the bundlers find the package.
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'build/bundles-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="/page.js"></script>');
  writeFileSync(
    join(folder, 'page.js'),
    "import { Microphone } from '@undertone/sdk/microphone';\nglobalThis.Microphone = Microphone;\n",
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page with one script that esbuild bundles and minifies. @param more files beside the script */
async function bundledByEsbuild(more: Record<string, string> = {}): Promise<Map<string, string>> {
  const entryPoints = [join(folder, 'page.js')];
  const options = { bundle: true, minify: true, keepNames: true, format: 'esm', write: false } as const;
  const { outputFiles } = await build({ entryPoints, ...options });
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  return new Map([['/', page], ['/page.js', outputFiles[0]!.text], ...Object.entries(more)]);
}

/** The same page as `vite build` makes it. */
async function builtByVite(): Promise<Map<string, string>> {
  await viteBuild({ root: folder, logLevel: 'error', configFile: false });
  const read = (path: string) => readFileSync(join(folder, 'dist', path), 'utf8');
  const assets = readdirSync(join(folder, 'dist/assets'));
  return new Map([
    ['/', read('index.html')],
    ...assets.map((name) => [`/assets/${name}`, read(`assets/${name}`)] as const),
  ]);
}

interface Opened {
  suffix?: string;
  /** Sizes of the first chunks, bytes. */
  sizes?: number[];
  error?: string;
}

/** Opens the microphone in a page of these files. @param policy its Content-Security-Policy @param recordable the only MediaRecorder type */
async function opened(
  files: Map<string, string>,
  { policy, format, recordable }: { policy?: string; format?: 'pcm'; recordable?: string },
): Promise<Opened> {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    const file = files.get(path);
    if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
    response.setHeader('Content-Type', TYPES[extname(path) || '.html'] ?? 'text/plain');
    response.writeHead(file === undefined ? 404 : 200).end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.waitForFunction(() => 'Microphone' in globalThis);
    return await page.evaluate(
      async ({ format, recordable }): Promise<Opened> => {
        const { Microphone } = globalThis as unknown as Pick<typeof undertone, 'Microphone'>;
        if (recordable !== undefined) {
          // This Chromium has no encoder for mp4. Another one is used instead, since only the choice is tested.
          const Recorder = MediaRecorder;
          globalThis.MediaRecorder = class extends Recorder {
            constructor(stream: MediaStream) {
              super(stream);
            }
          } as typeof MediaRecorder;
          globalThis.MediaRecorder.isTypeSupported = (type) => type === recordable;
        }
        try {
          const microphone = await Microphone.open({ chunkMs: 100, ...(format && { format }) });
          const sizes: number[] = [];
          for await (const { size } of microphone) if (sizes.push(size) === 3) microphone.stop();
          return { suffix: microphone.suffix, sizes: sizes.slice(0, 3) };
        } catch (error) {
          return { error: `${(error as { code?: string }).code}: ${(error as Error).message}` };
        }
      },
      { format, recordable },
    );
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

const SAMPLES = { suffix: '.pcm', sizes: [3200, 3200, 3200] };

it('records samples in a page of esbuild, which leaves the worklet out', async () => {
  expect(await opened(await bundledByEsbuild(), { format: 'pcm' })).toEqual(SAMPLES);
});

it('records samples in a page of `vite build` under a strict policy', async () => {
  expect(await opened(await builtByVite(), { format: 'pcm', policy: STRICT })).toEqual(SAMPLES);
});

it('records samples in a page of esbuild under a strict policy if the worklet lies beside the script', async () => {
  const worklet = readFileSync(join(PACKAGE, 'pcm-worklet.js'), 'utf8');
  const files = await bundledByEsbuild({ '/pcm-worklet.js': worklet });
  expect(await opened(files, { format: 'pcm', policy: STRICT })).toEqual(SAMPLES);
});

it('says which file is missing where samples cannot be recorded, and records mp4 there if it may choose', async () => {
  const files = await bundledByEsbuild();
  const { error } = await opened(files, { format: 'pcm', policy: STRICT });
  expect(error).toMatch(
    /^MICROPHONE_UNSUPPORTED: pcm-worklet\.js was not found at http:\S+\/pcm-worklet\.js\S*: serve it there, or set workletUrl$/,
  );
  const { suffix, sizes } = await opened(files, { policy: STRICT, recordable: 'audio/mp4' });
  expect(suffix).toBe('.mp4');
  expect(sizes).toHaveLength(3);
  expect((await opened(files, { recordable: 'audio/mp4' })).suffix).toBe('.pcm');
});
