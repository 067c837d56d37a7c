import { clock } from './clock.ts';
import type { ExportFormat } from './exported.ts';
import { type OutlineLine, outlineOf } from './outline.ts';

/**
 * Escapes text for Markdown (CommonMark allows escaping every ASCII punctuation character). Many viewers turn bare
 * addresses into links (GFM, 6.9), which would be wrong for an address spoken in a call.
 */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>&~|$#@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');

const item = ({ lead, at, text }: OutlineLine): string =>
  `- ${at === undefined ? '' : `${clock(at)} `}${lead === undefined ? '' : `**${plain(lead)}** `}${paragraph(text)}\n`;

/** Markdown with the summary, the moments, and the transcript divided into its phases. */
export const md: ExportFormat = {
  extension: '.md',
  contentType: 'text/markdown; charset=utf-8; variant=CommonMark',
  *write(conversation) {
    const { title, facts, sections, phases } = outlineOf(conversation);
    yield `# ${plain(title)}\n\n`;
    for (const [name, value] of facts) yield `- **${name}** ${plain(value)}\n`;
    for (const { heading, lines } of sections) {
      yield `\n## ${heading}\n\n`;
      yield lines.length === 1 && lines[0]!.lead === undefined
        ? `${plain(lines[0]!.text)}\n`
        : lines.map(item).join('');
    }
    yield '\n## Transcript\n';
    for (const { name, at, turns } of phases) {
      if (name !== '') yield `\n### ${clock(at)} ${plain(name)}\n`;
      for (const { speaker, at: begins, utterances } of turns)
        yield `\n**${plain(speaker)}** ${clock(begins)}  \n${paragraph(utterances.map(({ text }) => text).join(' '))}\n`;
    }
  },
};

/** A paragraph. Characters that would turn the start of a line into a list, a heading or a rule are escaped, too. */
const paragraph = (said: string): string =>
  plain(said)
    .replace(/^ /, '')
    .replace(/^[-+=:]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
