import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

// The published command is a single file without dependencies, so that it starts fast.

const outfile = join(import.meta.dirname, 'dist/undertone.js');

await build({
  entryPoints: [join(import.meta.dirname, 'undertone.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.12',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'inline',
  // Bundled CommonJS modules load Node's built-in modules with `require`.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
chmodSync(outfile, 0o755);
