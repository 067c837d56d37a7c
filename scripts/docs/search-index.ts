import { Marked, type Token } from 'marked';
import type { Heading } from './markdown.ts';

/** A section of a page in `/docs/search.json`, which the search reads (`src/docs/search.ts`). */
export interface SearchSection {
  /** Page address with the id of the heading. */
  id: string;
  page: string;
  /** '' for the text before a page's second heading. */
  heading: string;
  text: string;
}

/** Most characters of a section that are searched. The longest sections are tables in the API reference. */
const MOST_CHARS = 4000;

/**
 * The sections of a page.
 * @param headings of the rendered page, in order
 * @param deepest depth of the headings that begin a section
 */
export function sectionsOf(
  { title, markdown, address }: { title: string; markdown: string; address: string },
  headings: readonly Heading[],
  deepest: number,
): SearchSection[] {
  const sections: SearchSection[] = [{ id: address, page: title, heading: '', text: '' }];
  let next = 0;
  for (const token of new Marked({ gfm: true }).lexer(markdown)) {
    if (token.type === 'heading') {
      const { id, depth, text } = headings[next++]!;
      if (depth > 1 && depth <= deepest)
        sections.push({ id: `${address}#${id}`, page: title, heading: plain(text), text: '' });
      continue;
    }
    const section = sections.at(-1)!;
    section.text = `${section.text} ${textOf(token)}`.trim().slice(0, MOST_CHARS);
  }
  return sections.filter(({ heading, text }) => heading !== '' || text !== '');
}

/** The words of a block without its markup. */
const textOf = ({ raw }: Token): string =>
  plain(raw)
    .replace(/\]\([^)\s]*\)/g, ' ')
    .replace(/[`*#|>[\]]+|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The text content of HTML. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
