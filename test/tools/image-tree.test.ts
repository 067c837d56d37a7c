import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { parseDockerfile } from '../../tools/image-tree/dockerfile.ts';

const ROOT = join(import.meta.dirname, '../..');
const image = parseDockerfile(readFileSync(join(ROOT, 'containers/pipeline/Dockerfile'), 'utf8'));
const copied = image.stages.flatMap(({ steps }) =>
  steps.flatMap((step) => (step.type === 'copy' && step.from === undefined ? step.sources : [])),
);

/** A module and all of the project's modules that it and its worker threads load. */
function reachable(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = readFileSync(join(ROOT, path), 'utf8');
  for (const [, from, worker] of text.matchAll(
    /(?:^|\})[^'";]*(?:from|import) '(\.[^']+)';|new URL\('(\.[^']+\.ts)'/gm,
  ))
    reachable(posix.join(dirname(path), (from ?? worker)!), seen);
  return seen;
}

it('starts the server, and has every file that it loads', () => {
  const [program, entry] = image.command;
  expect([program, image.folder, image.user]).toEqual(['node', '/app', 'node']);
  const files = [...reachable(entry!)];
  expect(files).toContain('containers/pipeline/workers/task-worker.ts');
  expect(files).toContain('src/conversation/conversation.ts');
  expect(files.filter((file) => !copied.some((folder) => file.startsWith(`${folder}/`)))).toEqual([]);
});

it('copies existing files', () => {
  expect(copied.length).toBeGreaterThan(3);
  for (const source of copied) expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
});

it('is followed as a whole: an unknown instruction is refused', () => {
  expect(() => parseDockerfile('FROM node:1\nADD x y\n')).toThrow('ADD x y');
  expect(() => parseDockerfile('FROM node:1\nRUN --mount=type=cache true\n')).toThrow('--mount');
  expect(parseDockerfile('# first\nFROM node:1 AS a\nRUN b \\\n  && c\n').stages).toEqual([
    { base: 'node:1', name: 'a', steps: [{ type: 'run', command: 'b && c', folder: '/' }] },
  ]);
});
