import { lineAt, type SourceFile } from './sources.ts';

const DECLARATION =
  /^export (?:async )?(?:abstract )?(function\*?|const|class|interface|type) (\w+)\b(?! extends RpcTarget)/gm;
const WORD = /[A-Za-z_]\w*/g;
const TYPES = new Set(['interface', 'type']);

/** Files whose exports something outside the repository's own code reads: a runtime, or a compiler that a test starts. */
const ENTRIES =
  /^(?:bench\/bare-worker|support\/(?:extended-worker|worker-runtime)|test\/contract\/openapi\/outsider\/.*|test\/sdk\/package\/consumer|test\/worker\/workers-ai|src\/sdk\/.*|.*\.d)\.tsx?$/;
/** A schema of the wire is exported beside its type, although others may need only the type. */
const SCHEMA = /^src\/contract\/.* \w+Schema$/;

/**
 * Exported functions, constants and classes whose names no other file contains, and exported types that nothing at all
 * uses. A type that only its own file names describes a parameter or a result there, and stays exported. So does a class
 * whose objects are sent over RPC: `rpcMethods` reads it.
 */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const filesWith = new Map<string, number>();
  for (const { text } of files)
    for (const word of new Set(text.match(WORD))) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
  return files
    .filter(({ path }) => !ENTRIES.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(DECLARATION)]
        .filter(([, kind = '', name = '']) => {
          if (filesWith.get(name) !== 1 || SCHEMA.test(`${path} ${name}`)) return false;
          return !TYPES.has(kind) || [...text.matchAll(WORD)].filter(([word]) => word === name).length === 1;
        })
        .map(({ 2: name, index }) => `${path}:${lineAt(text, index)}: no other file uses "${name}"; do not export it`),
    );
}
