import { readdirSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** A regular expression of the sources, with its position. */
export interface FoundPattern {
  place: string;
  pattern: RegExp;
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Replaces a part of `new RegExp(...)` that only a value of its own file can be; a parameter is any word. */
const ANY_WORD = 'name';

/** Every literal and every `new RegExp` of a file. @throws TypeError for one whose text cannot be determined */
export function patternsOf(file: string, source: string): FoundPattern[] {
  const found: FoundPattern[] = [];
  const values = new Map<string, Node>();
  const all: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      all.push(value);
      Object.values(value).forEach(visit);
    }
  };
  visit(parseAst(source, { lang: 'ts' }));
  for (const node of all)
    if (node.type === 'VariableDeclarator' && isNode(node.init) && isNode(node.id))
      values.set(String(node.id.name), node.init);
  const textOf = (node: Node): string => {
    if (node.type === 'Literal') return String(node.value);
    if (node.type === 'TemplateLiteral') {
      const fixed = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
      const filled = (node.expressions as Node[]).map(textOf);
      return fixed.map((text, i) => text + (filled[i] ?? '')).join('');
    }
    if (node.type === 'Identifier') {
      const value = values.get(String(node.name));
      return value ? textOf(value) : ANY_WORD;
    }
    throw new TypeError(`${file}: a regular expression of ${node.type}, which the test of growth cannot read`);
  };
  for (const node of all) {
    const place = `${file}:${source.slice(0, node.start).split('\n').length}`;
    if (node.type === 'Literal' && node.regex) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      found.push({ place, pattern: new RegExp(pattern, flags) });
    }
    const callee = node.callee as Node | undefined;
    if ((node.type === 'NewExpression' || node.type === 'CallExpression') && callee?.name === 'RegExp') {
      const [pattern = '', flags = ''] = (node.arguments as Node[]).map(textOf);
      found.push({ place, pattern: new RegExp(pattern, flags) });
    }
  }
  return found;
}

const ROOT = new URL('../../../', import.meta.url);

/** The regular expressions of all sources below some folders, generated ones left out. */
export const patternsBelow = (...folders: string[]): FoundPattern[] =>
  folders.flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('generated/'))
      .flatMap((name) => patternsOf(`${folder}/${name}`, readFileSync(new URL(`${folder}/${name}`, ROOT), 'utf8'))),
  );
