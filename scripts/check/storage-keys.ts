import { lineAt, type SourceFile } from './sources.ts';

const OWNER = 'src/worker/storage/keys.ts';
const FILES =
  'result\\.json|agent_outputs\\.json|events\\.ndjson|levels\\.json|rendition\\.webm|edited-|upload\\.?\\$\\{';

/** Patterns of hand-built storage keys: a tenant followed by a slash, or a directory and a run's file. */
const HAND_BUILT: readonly RegExp[] = [
  /\$\{[^{}]*\btenant\}\//gi,
  /\btenant ?\+ ?['"`]\//gi,
  /\$\{[^{}]*\bdirectory\}/g,
  new RegExp(`\\}/?(?:${FILES})`, 'g'),
  new RegExp(`\\+ ?['"\`]/?(?:${FILES})`, 'g'),
  /['"`]pending\//g,
];

/** Storage keys in the Worker that are not built by `storage/keys.ts`. */
export function storageKeys(files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  for (const { path, text } of files) {
    if (!path.startsWith('src/worker/') || path === OWNER) continue;
    const places = new Map<number, string>();
    for (const pattern of HAND_BUILT)
      for (const match of text.matchAll(pattern)) places.set(lineAt(text, match.index), match[0]);
    for (const [line, found] of places)
      faults.push(`${path}:${line}: "${found}": build storage keys with runKeys of storage/keys.ts`);
  }
  return faults;
}
