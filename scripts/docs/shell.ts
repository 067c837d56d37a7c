import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../start/command.ts';
import type { Heading } from './markdown.ts';
import { escaped, type Page } from './page.ts';

export interface Shelled {
  page: Page;
  all: readonly Page[];
  html: string;
  /** The second-level headings. */
  headings: readonly Heading[];
  before: Page | undefined;
  after: Page | undefined;
}

/** The address of a page on the site. */
export const addressOf = ({ name }: Page): string => (name === 'index' ? '/docs' : `/docs/${name}`);
/** Fewest headings for an "On this page" list. */
const LEAST_HEADINGS = 2;

/** The dashboard's mark, in the colour of the text. */
const MARK = readFileSync(join(ROOT, 'src/dashboard/mark.svg'), 'utf8')
  .replace('<svg ', '<svg aria-hidden="true" width="22" height="22" ')
  .replace(/stroke="#[0-9a-f]{6}"/, 'stroke="currentColor"')
  .trim();

/** Wraps a page in the site's HTML. Every page can be read without the script. */
export function shell({ page, all, html, headings, before, after }: Shelled): string {
  const groups = [...new Set(all.map(({ group }) => group))].map((group) => {
    const items = all
      .filter((one) => one.group === group)
      .map(
        (one) =>
          `<li><a href="${addressOf(one)}"${one === page ? ' aria-current="page"' : ''}>${escaped(one.title)}</a></li>`,
      );
    return `<p class="group">${group}</p><ul>${items.join('')}</ul>`;
  });
  const onPage = headings.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('');
  const next = (one: Page | undefined, rel: string): string =>
    one
      ? `<a rel="${rel}" href="${addressOf(one)}"><span>${rel === 'prev' ? 'Previous' : 'Next'}</span>${escaped(one.title)}</a>`
      : '<span></span>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Undertone</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="alternate" type="text/markdown" href="/docs/${page.name}.md">
<script src="/docs/page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header class="top">
<a class="brand" href="/docs">${MARK}Undertone <span>docs</span></a>
<form id="search" role="search" hidden><input type="search" placeholder="Search the docs" aria-label="Search the docs" autocomplete="off"><div class="found"><p role="status"></p><ol></ol></div></form>
<nav aria-label="Service"><a href="/app">Dashboard</a><a href="/openapi.json">OpenAPI</a></nav>
<button type="button" id="theme" hidden>Theme</button>
</header>
<div class="layout">
<nav class="pages" aria-label="Pages"><details open id="pages"><summary>All pages</summary>${groups.join('')}</details></nav>
<main id="content" tabindex="-1">
<article>${html}</article>
<footer><a href="/docs/${page.name}.md">This page as Markdown</a></footer>
<nav class="turn" aria-label="Previous and next">${next(before, 'prev')}${next(after, 'next')}</nav>
</main>
${headings.length >= LEAST_HEADINGS ? `<nav class="beside" aria-label="On this page"><p class="group">On this page</p><ul>${onPage}</ul></nav>` : ''}
</div>
</body>
</html>
`;
}
