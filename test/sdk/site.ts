import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import type * as sdk from '../../src/sdk/index.ts';
import type * as microphone from '../../src/sdk/microphone.ts';

const SDK = join(import.meta.dirname, '../../src/sdk');

declare global {
  /** Set in a page: all exports of the client. */
  var undertone: typeof sdk & typeof microphone;
}

/** A page with the client loaded. */
const PAGE = `<!doctype html><title>a page</title><script type="module">
  import * as sdk from '/sdk/index.js';
  import * as microphone from '/sdk/microphone.js';
  globalThis.undertone = { ...sdk, ...microphone };
</script>`;

/** A site with the client, and a page with the client loaded. */
export interface Site {
  url: string;
  close(): void;
}

/** @param pages additional pages: path -> file */
export async function startSite(pages: Record<string, string> = {}): Promise<Site> {
  const { outputFiles } = await build({
    entryPoints: ['index.ts', 'microphone.ts', 'pcm-worklet.ts'].map((file) => join(SDK, file)),
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: 'sdk',
    write: false,
  });
  const modules = new Map(outputFiles.map(({ path, contents }) => [`/sdk/${basename(path)}`, contents]));
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    const module = modules.get(path);
    if (module) return void response.setHeader('Content-Type', 'text/javascript').end(module);
    const page = pages[path];
    response.setHeader('Content-Type', 'text/html').end(page ? readFileSync(page) : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
