import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const THEME = '<script src="./theme.js"></script>';

/** Only the service's own code runs, and no data is sent elsewhere. A page has one inline script. */
const headersFor = (script: string): string => `/*
  Content-Security-Policy: default-src 'none'; script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Permissions-Policy: camera=(), geolocation=(), microphone=(self)
  Cross-Origin-Opener-Policy: same-origin
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

/** The theme is set before the first paint, so its script is inline. The headers allow it by its digest. */
function theme(): Plugin {
  const script = readFileSync(join(import.meta.dirname, 'theme.js'), 'utf8');
  return {
    name: 'theme',
    transformIndexHtml: { order: 'pre', handler: (html) => html.replace(THEME, `<script>${script}</script>`) },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: '_headers', source: headersFor(script) });
    },
  };
}

/** The client refers to its worklet's source for the sake of other bundlers. These pages use the built file. */
const withoutSources = (): Plugin => ({
  name: 'without-sources',
  generateBundle(_, bundle) {
    for (const name of Object.keys(bundle)) if (name.endsWith('.ts')) delete bundle[name];
  },
});

// Builds the pages as static files for the Worker's assets, with one index.html and hashed files under /assets/.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../../build/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // Each stylesheet is loaded by its own module. The preload polyfill, a separate script, is therefore not needed.
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [theme(), withoutSources()],
  server: {
    proxy: { '^/(?!app|@|src|node_modules|lib|style|conversation|pages|main|index).*': 'http://localhost:8787' },
  },
});
