import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../../../scripts/docs/site.ts';
import { EVENT_NAMES } from '../../../src/contract/event-names.ts';
import { DESCRIPTIONS, openApiDocument } from '../../../src/openapi/document.ts';

// The files of the documentation as built.

const { texts: files } = await pages(openApiDocument());
const html = [...files].filter(([path]) => path.endsWith('.html'));
const ROOT = join(import.meta.dirname, '../../..');
/** The service's answers beside the pages. */
const OTHERS = ['/app', '/openapi.json', '/llms.txt', '/schemas/events.json', '/schemas/webhooks.json'];

const textOf = (path: string): string => files.get(path) ?? '';
const fileOf = (href: string): string => {
  const name = href.replace(/^\/docs\/?/, '') || 'index';
  return `docs/${/\.\w+$/.test(name) ? name : `${name}.html`}`;
};

it('have links that lead to existing targets, headings included', () => {
  const dead = html.flatMap(([path, text]) => {
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    return [...text.matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => {
        if (/^https?:/.test(href) || OTHERS.includes(href)) return false;
        const [target = '', hash] = href.split('#');
        if (target === '') return !ids.has(hash);
        const there = files.get(fileOf(target));
        return there === undefined || (hash !== undefined && !there.includes(` id="${hash}"`));
      })
      .map((href) => `${path}: ${href}`);
  });
  expect(dead).toEqual([]);
});

it('each have a twin in Markdown, which /llms.txt names', () => {
  expect(html.length).toBeGreaterThan(25);
  for (const [path] of html) {
    const twin = path.replace(/html$/, 'md');
    expect(textOf(twin)).toMatch(/^# /);
    expect(textOf('llms.txt')).toContain(`(/${twin})`);
  }
  // Links of a Markdown twin lead to twins.
  for (const [, href = ''] of textOf('docs/index.md').matchAll(/\]\((\/docs[^)#]*)/g))
    expect(files.has(fileOf(href))).toBe(true);
});

it('have unique ids, one title, and no skipped heading level', () => {
  for (const [path, text] of html) {
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size, path).toBe(ids.length);
    const depths = [...text.matchAll(/<h([1-6])/g)].map(([, depth]) => Number(depth));
    expect(
      depths.filter((depth) => depth === 1),
      path,
    ).toHaveLength(1);
    expect(
      depths.every((depth, i) => i === 0 || depth <= depths[i - 1]! + 1),
      path,
    ).toBe(true);
  }
});

it('name every route, every schema and every event', () => {
  const document = openApiDocument() as { components: { schemas: object } };
  const reference = html
    .filter(([path]) => path.startsWith('docs/api-'))
    .map(([, text]) => text)
    .join('');
  for (const route of Object.keys(DESCRIPTIONS))
    expect(reference).toContain(`${route.replace(/:(\w+)/g, '{$1}')}\n`.trim());
  for (const name of Object.keys(document.components.schemas))
    expect(textOf('docs/schemas.html')).toContain(`id="${name.toLowerCase()}"`);
  for (const event of EVENT_NAMES)
    expect(textOf('docs/replay.html') + textOf('docs/message-sequence.html')).toContain(event);
});

it('contain nothing that a strict policy refuses, and nothing from another origin', () => {
  for (const [path, text] of html) {
    expect(text, path).not.toMatch(/<script(?! src="\/docs\/page\.js")|<style|\sstyle="|\son\w+="|javascript:/);
    expect(text, path).not.toMatch(/(?:src|<link[^>]+href)="https?:/);
  }
});

it('every guide has an example that runs', () => {
  const guides = [...files.keys()].filter((path) => /^docs\/[\w-]+\.md$/.test(path));
  const names = readFileSync(join(ROOT, 'scripts/docs/site.ts'), 'utf8').match(/const GUIDES = \[([^\]]+)/)?.[1] ?? '';
  const listed = [...names.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
  expect(listed.length).toBe(25);
  for (const name of listed)
    expect(textOf(guides.find((path) => path === `docs/${name}.md`) ?? '')).toMatch(/^```(sh|js|python)$/m);
});

it('the reference marks what is optional in parameters, bodies and the members of lists, and nothing else', () => {
  const reference = [...files].filter(([path]) => /^docs\/(api-\w+|schemas)\.md$/.test(path)).map(([, text]) => text);
  for (const text of reference) expect(text).not.toContain('(required)');
  const keys = textOf('docs/api-keys.md');
  expect(keys).toMatch(/^\| `tenant` \(optional\) \| query/m);
  expect(keys).toMatch(/^\| `label` \|/m);
  expect(keys).toMatch(/^\| `scopes` \(optional\) \|/m);
  expect(textOf('docs/api-tokens.md')).toMatch(/^\| `for.session` \(optional\) \|/m);
});
