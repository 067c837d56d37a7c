import { type NamedProgram, runNamed } from './named-programs.ts';

const generator = (does: string, file: string): NamedProgram => ({ does, files: [`scripts/${file}`] });

/** The generators of `npm run generate -- <name>`. */
export const GENERATORS = {
  'wire-types': generator('src/sdk/wire.ts, from src/contract', 'wire-types.ts'),
  worklet: generator('src/sdk/pcm-worklet-source.ts, from src/sdk/pcm-worklet.ts', 'worklet-source.ts'),
  settings: generator('the tables in docs/operations/settings.md, from the settings in the code', 'settings-tables.ts'),
  'docs-example': generator('the example analysis in the OpenAPI document, from a running service', 'docs/example.ts'),
  examples: generator('docs/examples, from recordings analysed by a running service', 'make-examples.ts'),
  pictures: generator(
    'pictures of every page at three widths and in both themes: build/pictures, and docs/pictures for the README',
    'pictures.ts',
  ),
} as const satisfies Record<string, NamedProgram>;

if (import.meta.main) process.exitCode = await runNamed('generate', GENERATORS);
