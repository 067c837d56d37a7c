import { Marked, type Tokens } from 'marked';
import { escaped } from './page.ts';
import { sequenceSvg } from './sequence.ts';

/** A heading of a page, for the "On this page" list. */
export interface Heading {
  depth: number;
  id: string;
  text: string;
}

export interface Rendered {
  html: string;
  headings: Heading[];
}

/** Makes the same heading ids as GitHub, so that a link to a heading works in both places. */
const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const NAMES: Readonly<Record<string, string>> = {
  sh: 'shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  html: 'HTML',
  json: 'JSON',
};

/**
 * Renders Markdown of this repository as HTML. The texts are trusted, so HTML in them is kept.
 * @param link resolves a link. If it returns undefined, only the text of the link is kept.
 */
export function rendered(markdown: string, link: (href: string) => string | undefined): Rendered {
  const headings: Heading[] = [];
  const seen = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens);
        const text = html.replace(/<[^>]*>/g, '');
        const base = slug(text.replaceAll('&amp;', '&'));
        const times = seen.get(base) ?? 0;
        seen.set(base, times + 1);
        const id = times === 0 ? base : `${base}-${times}`;
        headings.push({ depth, id, text });
        return `<h${depth} id="${id}">${html}${depth > 1 ? ` <a class="anchor" href="#${id}" aria-label="Link to ${escaped(text)}">#</a>` : ''}</h${depth}>\n`;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        const [language = ''] = lang.split(' ');
        if (language === 'http') return `<p class="route"><code>${escaped(text)}</code></p>\n`;
        if (language === 'sequence') return sequenceSvg(text);
        const label = NAMES[language] ?? language;
        return `<div class="code"><span class="language">${escaped(label)}</span><pre tabindex="0"><code>${escaped(text)}</code></pre></div>\n`;
      },
      table(token: Tokens.Table): string {
        const cell = (one: Tokens.TableCell, name: 'th' | 'td') =>
          `<${name}${name === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(one.tokens)}</${name}>`;
        const head = token.header.map((one) => cell(one, 'th')).join('');
        const rows = token.rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`).join('\n');
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens);
        const to = href.startsWith('#') ? href : link(href);
        return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
      image: ({ text }: Tokens.Image): string => `<em>${escaped(text)}</em>`,
    },
  });
  return { html: marked.parse(markdown, { async: false }), headings };
}
