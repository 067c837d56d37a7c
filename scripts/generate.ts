import { type NamedProgram, runNamed } from './named-programs.ts';

const generator = (does: string, file: string): NamedProgram => ({ does, files: [`scripts/${file}`] });

/** The generators of `npm run generate -- <name>`. */
export const GENERATORS = {
  'wire-types': generator('src/sdk/wire.ts from src/contract', 'wire-types.ts'),
  worklet: generator('src/sdk/pcm-worklet-source.ts from src/sdk/pcm-worklet.ts', 'worklet-source.ts'),
  settings: generator('the tables of docs/operations/settings.md from the tables of settings', 'settings-tables.ts'),
  'docs-example': generator('the example of an analysis in the description of the service', 'docs/example.ts'),
  examples: generator('docs/examples, from recordings that a running service analyses', 'make-examples.ts'),
  pictures: generator(
    'every page at three widths in both themes: build/pictures, and docs/pictures for the README',
    'pictures.ts',
  ),
} as const satisfies Record<string, NamedProgram>;

if (import.meta.main) process.exitCode = await runNamed('generate', GENERATORS);
