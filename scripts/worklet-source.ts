import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const SDK = join(import.meta.dirname, '../src/sdk');
/** The file that this writes. */
export const WORKLET_SOURCE = join(SDK, 'pcm-worklet-source.ts');

/** The microphone's audio worklet as a string in the client, for pages whose bundler omits the worklet's file. */
export async function workletSource(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(SDK, 'pcm-worklet.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
  });
  const code = outputFiles[0]!.text.trim();
  return `// Generated from pcm-worklet.ts by \`npm run generate -- worklet\`; do not edit.\n\nexport const PCM_WORKLET = ${JSON.stringify(code)};\n`;
}

if (import.meta.main) writeFileSync(WORKLET_SOURCE, await workletSource());
