import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const SDK = join(ROOT, 'src/sdk');

/** An example in a guide. */
export interface GuideExample {
  language: string;
  /** Word after the language of a code block, such as `skip` or `browser`. */
  note: string;
  text: string;
}

/** The examples of a page in docs/guides. */
export const guideExamples = (guide: string): GuideExample[] =>
  [...readFileSync(join(ROOT, 'docs/guides', guide), 'utf8').matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms)].map(
    ([, language = '', note = '', text = '']) => ({ language, note, text }),
  );

/** The website of a developer who follows the guide "Live capture in a browser". */
export interface GuideSite {
  url: string;
  close(): void;
}

/**
 * @param example the script of a page, or an entire page as HTML
 * @param mint mints a token for a session, as the developer's own server does
 */
export async function startGuideSite(example: string, mint: () => Promise<string>): Promise<GuideSite> {
  const isPage = example.startsWith('<!doctype html>');
  const bundled = await build({
    stdin: { contents: isPage ? '' : example, resolveDir: ROOT, loader: 'js' },
    alias: { '@undertone/sdk/microphone': join(SDK, 'microphone.ts'), '@undertone/sdk': join(SDK, 'index.ts') },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const server = createServer(async (request, response) => {
    if (request.url === '/undertone-token') return void response.end(JSON.stringify({ token: await mint() }));
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    if (isScript) response.end(bundled.outputFiles[0]?.text);
    else response.end(isPage ? example : '<!doctype html><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
