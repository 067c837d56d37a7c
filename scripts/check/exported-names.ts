import { lineAt, type SourceFile } from './sources.ts';

const DECLARATION =
  /^export (?:default )?(?:declare )?(?:abstract )?(interface|type|class|enum|function\*?|const|async function\*?) (\w+)/gm;
const TYPES = new Set(['interface', 'type', 'class', 'enum']);

/** Parts of names for which `docs/style.md` has another term, each with that term. */
const SYNONYMS: readonly [part: RegExp, term: string][] = [
  [/^tell(?=[A-Z]|$)|Telling|(?:^|[a-z])Told|^told/, 'describe, report or summary'],
  [/Hear(?:ing|d|s)?(?=[A-Z]|$)|^hear(?:d|ing|s)?(?=[A-Z]|$)/, 'transcribe, transcript or recognition'],
  [/Said(?=[A-Z]|$)|^said(?=[A-Z]|$)/, 'spoken or transcript'],
  [/Purpose|^purpose/, 'phase'],
  [/Stretch(?:es)?(?=[A-Z]|$)|^stretch/, 'segment, range or phase'],
  [/Rooms?(?=[A-Z]|$)|^ROOMS$/, 'migrations, folder or section'],
  [/Brake|^brake/, 'failed attempts'],
  [/Anew(?=[A-Z]|$)|^anew/, 'again'],
];

/** Exported type names that are declared more than once, and exported names that use a second term for a concept. */
export function exportedNames(files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  const declared = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const match of text.matchAll(DECLARATION)) {
      const [, kind = '', name = ''] = match;
      const place = `${path}:${lineAt(text, match.index)}`;
      if (TYPES.has(kind)) declared.set(name, [...(declared.get(name) ?? []), place]);
      for (const [part, term] of SYNONYMS)
        if (part.test(name)) faults.push(`${place}: "${name}" is a second name for a concept; use ${term}`);
    }
  for (const [name, places] of declared)
    if (places.length > 1)
      faults.push(`${places[0]}: type "${name}" is also declared in ${places.slice(1).join(', ')}`);
  return faults;
}
