import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { build, stop } from 'esbuild';
import { PUBLISHED_NAMES } from '../../src/contract/doc-pages.ts';
import type { JsonSchema } from '../../src/openapi/operation.ts';
import { ROOT } from '../start/command.ts';
import { type Heading, rendered } from './markdown.ts';
import type { Page } from './page.ts';
import { referencePages } from './reference.ts';
import { type SearchSection, sectionsOf } from './search-index.ts';
import { addressOf, shell } from './shell.ts';

/** The pages of the site in reading order: a folder in `docs`, its group in the list, and its files without `.md`. */
const GUIDES = [
  'index',
  'first-analysis',
  'python',
  'replay',
  'live-from-a-browser',
  'message-sequence',
  'resume',
  'keys-and-tokens',
  'webhooks',
  'big-files',
  'stored-conversations',
  'rules',
  'people',
  'commitments',
  'moments-and-lines',
  'trends',
  'playlists',
  'shares',
  'holds',
  'sign-in',
  'errors',
  'limits',
  'redaction',
  'affect',
  'moving',
];
const REFERENCE = [
  ...['api', 'live', 'jobs', 'accounts', 'client', 'cli', 'dashboard'],
  ...['measures', 'prosody', 'diarization', 'recognisers', 'models'],
];
const OPERATIONS = ['deploying', 'operating', 'capacity', 'backup', 'incidents', 'settings', 'language-model'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function page(folder: string, file: string, group: string): Page {
  const source = `docs/${folder}/${file}.md`;
  const markdown = read(source);
  const title = /^# (.+)$/m.exec(markdown)?.[1];
  if (title === undefined) throw new Error(`${source} has no title`);
  return { name: PUBLISHED_NAMES.get(file) ?? file, title, markdown, group, source };
}

/** Every page, with the start page first. */
export function pagesOf(document: JsonSchema): Page[] {
  return [
    ...GUIDES.map((file) => page('guides', file, 'Guides')),
    ...referencePages(JSON.parse(JSON.stringify(document))).map((one) => ({ ...one, group: 'API reference' })),
    ...REFERENCE.map((file) => page('reference', file, 'Reference')),
    ...OPERATIONS.map((file) => page('operations', file, 'Operations')),
  ];
}

type Link = (href: string) => string | undefined;

/**
 * Resolves the links of a page. A relative link to a Markdown file leads to that file's page, and a bare name is the
 * name of a page. Undefined for a link to anything that is not on the site.
 */
function linksOf(all: readonly Page[]): (from: Page) => Link {
  const names = new Set(all.map(({ name }) => name));
  const nameOfSource = new Map(all.map(({ source, name }) => [source, name]));
  return (from) => (href) => {
    if (/^(https?:|mailto:|\/)/.test(href)) return href;
    const [path = '', hash] = href.split('#');
    const name = path.endsWith('.md') ? nameOfSource.get(posix.join(posix.dirname(from.source ?? ''), path)) : path;
    if (name === undefined || !names.has(name)) return undefined;
    return `${name === 'index' ? '/docs' : `/docs/${name}`}${hash === undefined ? '' : `#${hash}`}`;
  };
}

/** A page as Markdown, with links that also work outside the repository. */
function twin({ markdown }: Page, link: Link): string {
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
    '> Conversation intelligence over HTTP: who spoke, what they said, how they said it, what happened and what the conversation amounts to. One schema in three modes: a file in and JSON out, a file in and a stream of events out, or live capture in ordered chunks.',
    '- [OpenAPI 3.1](/openapi.json): every route, parameter, error and example\n- [Schemas of the events](/schemas/events.json) and [of webhooks](/schemas/webhooks.json)',
  ];
  return `${[...intro, ...groups].join('\n\n')}\n`;
}

/** The files of the site, by path among the static assets. */
export interface SiteFiles {
  texts: Map<string, string>;
  fonts: Map<string, Uint8Array>;
}

/** Builds every file of the site. */
export async function pages(document: JsonSchema): Promise<SiteFiles> {
  const all = pagesOf(document);
  const linksFrom = linksOf(all);
  const texts = new Map<string, string>();
  const fonts = new Map<string, Uint8Array>();
  const sections: SearchSection[] = [];
  for (const [at, one] of all.entries()) {
    const link = linksFrom(one);
    const { html, headings } = rendered(one.markdown, link);
    const beside = headings.filter(({ depth }: Heading) => depth === 2);
    const neighbours = { before: all[at - 1], after: all[at + 1] };
    texts.set(`docs/${one.name}.html`, shell({ page: one, all, html, headings: beside, ...neighbours }));
    texts.set(`docs/${one.name}.md`, twin(one, link));
    sections.push(...sectionsOf({ ...one, address: addressOf(one) }, headings, one.source === undefined ? 2 : 3));
  }
  const made = await build({
    entryPoints: [join(ROOT, 'src/docs/page.ts'), join(ROOT, 'src/docs/style.css')],
    outdir: join(ROOT, 'build/docs'),
    bundle: true,
    minify: true,
    write: false,
    target: 'es2022',
    loader: { '.woff2': 'file' },
    assetNames: '[name]',
  });
  // Otherwise esbuild's process would outlive `npm start`.
  await stop();
  for (const { path, text, contents } of made.outputFiles) {
    const file = `docs/${path.split('/').at(-1)}`;
    if (path.endsWith('.woff2')) fonts.set(file, contents);
    else texts.set(file, text);
  }
  texts.set('docs/search.json', JSON.stringify(sections));
  texts.set('llms.txt', llms(all));
  return { texts, fonts };
}
