import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import type { JsonSchema } from '../../src/openapi/operation.ts';
import { ROOT } from '../start/command.ts';
import { type Heading, rendered } from './markdown.ts';
import type { Page } from './page.ts';
import { referencePages } from './reference.ts';
import { shell } from './shell.ts';

/** The guides in the order in which one reads them: `docs/guides/<name>.md`. */
const GUIDES = [
  'index',
  'first-analysis',
  'replay',
  'live-from-a-browser',
  'message-sequence',
  'resume',
  'keys-and-tokens',
  'webhooks',
  'big-files',
  'stored-conversations',
  'errors',
  'limits',
  'affect',
  'moving',
];
/** Pages of `docs` that go deeper. */
const DEEPER = [
  ...[
    'client',
    'cli',
    'api',
    'live',
    'jobs',
    'accounts',
    'measures',
    'prosody',
    'recognisers',
    'diarization',
    'models',
  ],
  'operating',
];
/** What is beside a guide under another name. */
const DEEPER_NAMES: Readonly<Record<string, string>> = {
  api: 'all-of-the-api',
  live: 'live-in-depth',
  operating: 'operating',
};
const nameOfDeeper = (file: string): string => DEEPER_NAMES[file] ?? file;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function page(name: string, path: string, group: string): Page {
  const markdown = read(path);
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`${path} has no title`);
  return { name, title, markdown, group };
}

/** Every page, the first one first. */
export function pagesOf(document: JsonSchema): Page[] {
  return [
    ...GUIDES.map((name) => page(name, `docs/guides/${name}.md`, 'Guides')),
    ...referencePages(JSON.parse(JSON.stringify(document))).map((one) => ({ ...one, group: 'Reference' })),
    ...DEEPER.map((file) => page(nameOfDeeper(file), `docs/${file}.md`, 'In depth')),
  ];
}

/** Where a link of a page leads on the site; undefined when it leads to nothing that is there. */
function linkFrom(names: ReadonlySet<string>): (href: string) => string | undefined {
  return (href) => {
    if (/^(https?:|mailto:)/.test(href)) return href;
    const [path = '', hash] = href.split('#');
    const anchor = hash === undefined ? '' : `#${hash}`;
    if (path.startsWith('/')) return href;
    const [, folders = '', file = ''] = /^((?:\.{1,2}\/|guides\/|docs\/)*)([\w-]+)(?:\.md)?$/.exec(path) ?? [];
    const isGuide = folders.endsWith('guides/') || (folders === '' && !path.endsWith('.md'));
    const name = !isGuide && DEEPER.includes(file) ? nameOfDeeper(file) : file;
    if (!names.has(name)) return undefined;
    return `${name === 'index' ? '/docs' : `/docs/${name}`}${anchor}`;
  };
}

/** A page in its own words, with links that hold outside of the repository. */
function twin({ markdown }: Page, link: (href: string) => string | undefined): string {
  return markdown.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, text: string, href: string) => {
    if (href.startsWith('#')) return whole;
    const to = link(href);
    if (to === undefined) return text;
    return `[${text}](${to.replace(/^(\/docs\/[\w-]+)/, '$1.md').replace(/^\/docs(#|$)/, '/docs/index.md$1')})`;
  });
}

function llms(all: readonly Page[]): string {
  const about = (markdown: string): string =>
    (markdown.split('\n\n').find((part) => part.trim() !== '' && !part.startsWith('#')) ?? '')
      .replace(/\s+/g, ' ')
      .slice(0, 160);
  const groups = [...new Set(all.map(({ group }) => group))].map((group) => {
    const lines = all
      .filter((one) => one.group === group)
      .map(
        ({ name, title, markdown }) =>
          `- [${title}](/docs/${name}.md): ${about(markdown).replace(/\]\([^)]*\)/g, ']')}`,
      );
    return `## ${group}\n\n${lines.join('\n')}`;
  });
  const intro = [
    '# Undertone',
    '> Conversation intelligence over HTTP: who spoke, what they said, how they said it, what happened and what it amounts to. One schema in three modes: a file in and JSON out, a file in and a stream of events out, or live capture in ordered chunks.',
    '- [OpenAPI 3.1](/openapi.json): every route, parameter, error and example\n- [Schemas of the events](/schemas/events.json) and [of webhooks](/schemas/webhooks.json)',
  ];
  return `${[...intro, ...groups].join('\n\n')}\n`;
}

/** Every file of the site by its path among the static assets. */
export async function pages(document: JsonSchema): Promise<Map<string, string>> {
  const all = pagesOf(document);
  const link = linkFrom(new Set(all.map(({ name }) => name)));
  const files = new Map<string, string>();
  for (const [at, one] of all.entries()) {
    const { html, headings } = rendered(one.markdown, link);
    const beside = headings.filter(({ depth }: Heading) => depth === 2);
    const neighbours = { before: all[at - 1], after: all[at + 1] };
    files.set(`docs/${one.name}.html`, shell({ page: one, all, html, headings: beside, ...neighbours }));
    files.set(`docs/${one.name}.md`, twin(one, link));
  }
  const made = await build({
    entryPoints: [join(ROOT, 'src/docs/page.ts'), join(ROOT, 'src/docs/style.css')],
    outdir: join(ROOT, 'build/docs'),
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
  });
  // Its process would live as long as `npm start`, and a little longer.
  await stop();
  for (const { path, text } of made.outputFiles) files.set(`docs/${path.split('/').at(-1)}`, text);
  files.set('llms.txt', llms(all));
  return files;
}
