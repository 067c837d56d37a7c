import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LiveStack, startLiveStack } from '../../../support/live-service.ts';
import { KEY_PEPPER } from '../../../support/service-under-test.ts';

// The code that the pages give to developers, compiled and run unchanged.

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = ['README.md', 'src/sdk/README.md', 'docs/reference/client.md', 'docs/reference/cli.md'];
/** The address and the key in the pages. */
const SAID = { url: 'http://localhost:8787', key: 'your-key' };

interface Example {
  page: string;
  n: number;
  /** The word after the language: `page` and `worker` do not run in Node. */
  kind: string;
  language: string;
  code: string;
}

const examples: Example[] = PAGES.flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', kind = '', code = ''], n) => ({ page, n, kind, language, code }),
  ),
);
const typed = examples.filter(({ language }) => language === 'ts');
const nameOf = ({ page, n }: Example): string => `${page.replaceAll(/\W/g, '-')}-${n}`;

let service: LiveStack;
let folder: string;
beforeAll(async () => {
  service = await startLiveStack({ DEMO_API_KEY: SAID.key, DEMO_IS_PUBLIC: 'false', KEY_PEPPER });
  folder = mkdtempSync(join(tmpdir(), 'undertone-examples-'));
  writeFileSync(join(folder, 'call.wav'), 'a recording');
  mkdirSync(join(folder, '.undertone/state'), { recursive: true });
  writeFileSync(join(folder, '.undertone/state/demo-api-key'), `${SAID.key}\n`);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  mkdirSync(join(folder, 'node_modules/@undertone'), { recursive: true });
  symlinkSync(join(ROOT, 'src/sdk'), join(folder, 'node_modules/@undertone/sdk'));
  cpSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'), { recursive: true });
  for (const example of typed) writeFileSync(join(folder, `${nameOf(example)}.ts`), `${example.code}\nexport {};\n`);
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'src/sdk'], { cwd: ROOT });
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A block ready to run against the test's own service. */
async function bundled({ code }: Example): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code.replaceAll(SAID.url, service.url.origin), resolveDir: folder, loader: 'ts' },
    ...{ bundle: true, write: false, format: 'esm', target: 'es2022', external: ['node:*'] },
  });
  return outputFiles[0]?.text ?? '';
}

describe('TypeScript', () => {
  it('has examples to run', () => {
    expect(typed.length).toBeGreaterThan(10);
  });

  it('compiles under the strictest settings', () => {
    const compilerOptions = {
      ...{ target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext', strict: true, noEmit: true },
      ...{ lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: ['node'], skipLibCheck: true },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    };
    const files = typed.map((example) => `${nameOf(example)}.ts`);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const said = (() => {
      try {
        return execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        return String((error as { stdout?: unknown }).stdout);
      }
    })();
    expect(said).toBe('');
  });

  it.each(typed.filter(({ kind }) => kind === '').map((example) => [nameOf(example), example] as const))(
    '%s runs in Node',
    async (name, example) => {
      const path = join(folder, `${name}.mjs`);
      writeFileSync(path, await bundled(example));
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [path], { cwd: folder });
      expect({ stderr, said: stdout.length > 0 }).toEqual({ stderr: '', said: true });
    },
  );

  it.each(typed.filter(({ kind }) => kind === 'worker').map((example) => [nameOf(example), example] as const))(
    '%s runs in a Worker',
    async (_, example) => {
      const secret = `whsec_${btoa('a secret of some length')}`;
      const worker = new Miniflare(
        convertV4MiniflareOptions({
          modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundled(example) }],
          compatibilityDate: '2026-11-01',
          bindings: { WEBHOOK_SECRET: secret },
        }),
      );
      try {
        const body = '{"type":"analysis.completed","timestamp":"2026-11-22T12:00:00Z","data":{"conversation_id":"c"}}';
        const now = new Date();
        const headers = {
          'webhook-id': 'm',
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign('m', now, body),
        };
        const post = (text: string) =>
          worker.dispatchFetch('http://receiver/', { method: 'POST', headers, body: text });
        expect((await post(body)).status).toBe(204);
        expect((await post(`${body} `)).status).toBe(400);
      } finally {
        await worker.dispose();
      }
    },
  );
});

describe('the command line', () => {
  const shell = examples.filter(({ page, language }) => page === 'docs/reference/cli.md' && language === 'sh');

  it.each(shell.map((example) => [nameOf(example), example] as const))('%s runs in a shell', async (_, { code }) => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    const command = `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'src/cli/undertone.ts')} "$@"\n`;
    writeFileSync(join(bin, 'undertone'), command);
    chmodSync(join(bin, 'undertone'), 0o755);
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder,
      UNDERTONE_URL: service.url.href,
      // The page starts where a key was kept; `login` is shown below.
      ...(!code.includes('login') && { UNDERTONE_API_KEY: SAID.key }),
    };
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env });
    expect(stdout).not.toBe('');
    if (code.includes('--goal')) {
      expect(readFileSync(join(folder, 'results/call.vtt'), 'utf8')).toContain('WEBVTT');
      expect(JSON.parse(readFileSync(join(folder, 'call.json'), 'utf8')).timeline).not.toEqual([]);
    }
  });
});
