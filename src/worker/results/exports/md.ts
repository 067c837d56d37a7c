import { clock } from './clock.ts';
import type { ExportFormat } from './exported.ts';
import { type OutlineLine, outlineOf } from './outline.ts';

/**
 * Text as Markdown shows it, letter by letter (CommonMark: every ASCII punctuation character may be escaped). Many readers
 * make links of addresses as they stand (GFM, 6.9), which nobody is to follow for having been said in a call.
 */
const plain = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>&~|$#@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');

const item = ({ lead, at, text }: OutlineLine): string =>
  `- ${at === undefined ? '' : `${clock(at)} `}${lead === undefined ? '' : `**${plain(lead)}** `}${paragraph(text)}\n`;

/** Markdown: summary, moments, and the transcript under its phases. */
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
    yield '\n## What was said\n';
    for (const { name, at, turns } of phases) {
      if (name !== '') yield `\n### ${clock(at)} ${plain(name)}\n`;
      for (const { speaker, at: begins, utterances } of turns)
        yield `\n**${plain(speaker)}** ${clock(begins)}  \n${paragraph(utterances.map(({ text }) => text).join(' '))}\n`;
    }
  },
};

/** A paragraph of its own: what at the head of a line would make it a list, a heading or a rule is escaped, too. */
const paragraph = (said: string): string =>
  plain(said)
    .replace(/^ /, '')
    .replace(/^[-+=:]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
