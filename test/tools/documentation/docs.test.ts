import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { rendered } from '../../../scripts/docs/markdown.ts';
import { pages } from '../../../scripts/docs/site.ts';
import { withTables } from '../../../scripts/settings-tables.ts';
import { AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import { ERRORS } from '../../../src/contract/errors.ts';
import type { EventName } from '../../../src/contract/event-names.ts';
import { EVENT_SCHEMAS } from '../../../src/contract/events.ts';
import { LIMITS } from '../../../src/contract/limits.ts';
import { TimelineEntrySchema } from '../../../src/contract/timeline-entry.ts';
import { openApiDocument } from '../../../src/openapi/document.ts';
import { settingsOf } from '../../../src/worker/settings/settings.ts';
import { DELAYS_MS } from '../../../src/worker/tenant/webhooks/webhooks.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const page = (name: string): string => read(posix.join('docs', name));

it.each(Object.entries(ERRORS))('docs/guides/errors.md lists the error %s with its status', (code, { status }) => {
  expect(page('guides/errors.md')).toMatch(new RegExp(`^\\| ${status} \\|[^|]*\`${code}\``, 'm'));
});

it('docs/reference/api.md explains every field of a result and of a timeline entry', () => {
  const explained = page('reference/api.md');
  const fields = [...Object.keys(AnalysisResponseSchema.shape), ...Object.keys(TimelineEntrySchema.shape)];
  // A row may name a family of scores and levels by its common prefix.
  const isNamed = (field: string) =>
    explained.includes(`\`${field}\``) || explained.includes(`\`${field.replace(/_(score|level)$/, '_*')}\``);
  expect(fields.filter((field) => !isNamed(field))).toEqual([]);
});

it('docs/operations/settings.md has the settings of the code; `npm run generate -- settings` writes them', () => {
  const text = page('operations/settings.md');
  expect(text.match(/<!-- settings: \w+ -->/g)).toHaveLength(2);
  expect(text).toBe(withTables(text));
});

it('docs/guides/limits.md has the limits of requests', () => {
  const text = page('guides/limits.md').replace(/(\d),(?=\d)/g, '$1');
  for (const limit of Object.values(LIMITS)) expect(text).toContain(String(limit >= 2 ** 20 ? limit / 2 ** 20 : limit));
});

it('docs/guides/webhooks.md has the retry times of the code', () => {
  const named = DELAYS_MS.map((ms) => (ms < 60_000 ? ms / 1000 : ms < 3_600_000 ? ms / 60_000 : ms / 3_600_000));
  const [s1, s2, m1, m2, ...hours] = named;
  const last = hours.pop();
  expect(page('guides/webhooks.md').replace(/\s+/g, ' ')).toContain(
    `after ${s1} s, ${s2} s, ${m1} and ${m2} minutes, ${hours.join(', ')} and ${last} hours`,
  );
});

it('docs/guides/limits.md has the limits of a deployment that sets none', () => {
  const text = page('guides/limits.md').replace(/(\d),(?=\d)/g, '$1');
  const set = settingsOf({});
  const rows = [
    `a file | ${set.maxFileBytes / 2 ** 20} \`MAX_FILE_SIZE_MB\``,
    `a live session | ${set.maxSessionBytes / 2 ** 20} \`MAX_SESSION_MB\``,
    `| a live chunk | ${set.maxChunkBytes / 2 ** 20} MiB`,
    `| ${set.maxRequestsPerKey} \`MAX_REQUESTS_PER_MINUTE_PER_KEY\` | ${set.maxRequestsPerTenant} \`MAX_REQUESTS_PER_MINUTE_PER_TENANT\` |`,
    `| ${set.maxSessionsPerKey} \`MAX_SESSIONS_PER_KEY\` |`,
    `| ${set.maxAnalysesPerKey} \`MAX_ANALYSES_PER_KEY\` |`,
    `| ${LIMITS.goalChars} characters |`,
    `| utterances of a timeline to segment | ${LIMITS.utterances} |`,
    `| speakers of a conversation | ${LIMITS.speakers} |`,
  ];
  for (const row of rows) expect(text).toContain(row);
});

it('docs/guides/replay.md shows each event of a replay, with data that its schema accepts', () => {
  const examples = [...page('guides/replay.md').matchAll(/^event: (\w+)\ndata: (.+)$/gm)];
  for (const [, name = '', data = ''] of examples)
    expect(EVENT_SCHEMAS[name as EventName].safeParse(JSON.parse(data)).error?.issues, name).toBeUndefined();
  const shown = examples.map(([, name]) => name);
  const listed = [...page('guides/replay.md').matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)];
  expect(shown).toEqual(listed.flatMap(([, names = '']) => names.replaceAll('`', '').split(', ')));
});

it('every page that records shows at once that sending failed, while it waits for events', () => {
  const pages = ['guides/live-from-a-browser.md', 'reference/client.md'].map((name) => page(name));
  const blocks = pages
    .flatMap((text) => text.match(/^```[\s\S]*?^```$/gm) ?? [])
    .filter((text) => text.includes('pipeTo('));
  expect(blocks).toHaveLength(2);
  for (const block of blocks) expect(block.indexOf('sending.catch(')).toBeGreaterThan(block.indexOf('pipeTo('));
  for (const block of blocks) expect(block.indexOf('for await')).toBeGreaterThan(block.indexOf('sending.catch('));
});

it('docs/guides/moving.md names calls that exist', () => {
  const paths = Object.keys((openApiDocument() as { paths: object }).paths);
  const ours = page('guides/moving.md').matchAll(/^\|[^|]+\|(.+)\|$/gm);
  const calls = [...ours].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`[A-Z]+ (\/[^`? ]*)/g)].map(([, path]) => path!),
  );
  const known = new Set(paths.map((path) => path.replace(/\{\w+\}/g, '{id}')));
  expect(calls.length).toBeGreaterThan(15);
  expect(calls.filter((path) => !known.has(path))).toEqual([]);
});

/** Every Markdown file under a folder, by its path from the root. */
const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')));
const PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...markdownIn('docs')];

it('no page runs a TypeScript file without npm, which old versions of Node cannot', () => {
  for (const path of PAGES) expect(read(path), path).not.toMatch(/\bnode [\w/-]+\.ts/);
});

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
const headingsOf = (markdown: string): string[] => rendered(markdown, (href) => href).headings.map(({ id }) => id);
const { texts: site } = await pages(openApiDocument());
const OTHER_ADDRESSES = ['/app', '/openapi.json', '/llms.txt', '/schemas/events.json', '/schemas/webhooks.json'];

/** Whether the target of a link in a Markdown file exists, its heading included. */
function isThere(from: string, href: string): boolean {
  const [target = '', hash] = href.split('#');
  if (OTHER_ADDRESSES.includes(target)) return true;
  const path = target === '' ? from : posix.join(posix.dirname(from), target);
  const text = target.startsWith('/docs/') ? site.get(`${target.slice(1)}.md`) : existing(path);
  return text !== undefined && (hash === undefined || headingsOf(text).includes(hash));
}

function existing(path: string): string | undefined {
  if (!existsSync(join(ROOT, path))) return undefined;
  return path.endsWith('.md') ? read(path) : '';
}

it.each([...PAGES, 'SECURITY.md', 'THIRD_PARTY_NOTICES.md'])(
  '%s links only to files and headings that exist',
  (path) => {
    const links = [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
    expect(links.filter((href) => !/^(https?:|mailto:)/.test(href) && !isThere(path, href))).toEqual([]);
  },
);

it.each([...PAGES, 'SECURITY.md', 'THIRD_PARTY_NOTICES.md'])('%s names only paths that exist', (path) => {
  const named = [...read(path).matchAll(/`((?:bench|containers|data|docs|scripts|src|test|tools)\/[\w./-]+)`/g)];
  expect(named.map(([, name = '']) => name).filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});

// The changelog also names scripts that were renamed.
it.each(PAGES.filter((path) => path !== 'CHANGELOG.md'))('%s names only npm scripts that exist', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('README.md has at most 900 words', () => {
  expect(read('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
});
