import { clock } from './clock.ts';
import type { ExportFormat } from './exported.ts';
import { outlineOf } from './outline.ts';

/** Plain text for reading and printing. */
export const txt: ExportFormat = {
  extension: '.txt',
  contentType: 'text/plain; charset=utf-8',
  *write(conversation) {
    const { title, facts, sections, phases } = outlineOf(conversation);
    yield `${title}\n`;
    for (const [name, value] of facts) yield `${name}: ${value}\n`;
    for (const { heading, lines } of sections) {
      yield `\n${heading.toUpperCase()}\n`;
      for (const { lead, at, text } of lines)
        yield `${at === undefined ? '' : `[${clock(at)}] `}${lead === undefined ? '' : `${lead}: `}${text}\n`;
    }
    yield '\nTRANSCRIPT\n';
    for (const { name, turns } of phases) {
      if (name !== '') yield `\n- ${name} -\n`;
      for (const { speaker, at, utterances } of turns)
        yield `\n[${clock(at)}] ${speaker}:\n${utterances.map(({ text }) => text).join(' ')}\n`;
    }
  },
};
