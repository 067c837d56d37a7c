import { captions } from './captions.ts';
import { captionTime } from './clock.ts';
import type { ExportFormat } from './exported.ts';

/** Limit on the length of a name. A longer one would leave no room for words. */
const NAME_CHARS = 24;

/** Players interpret tags and `{\…}`, which cannot be escaped, so these brackets are replaced with lookalikes. */
const untagged = (text: string): string =>
  text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('{', '(').replaceAll('}', ')');

const prefix = (name: string): string =>
  `${name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS - 1).trimEnd()}…` : name}:`;

/** SubRip. It has no speaker field, so the name precedes the words of each new speaker. */
export const srt: ExportFormat = {
  extension: '.srt',
  contentType: 'application/x-subrip; charset=utf-8',
  *write({ timeline }) {
    let number = 0;
    for (const { startMs, endMs, lines } of captions(timeline, prefix)) {
      yield `${++number}\r\n${captionTime(startMs, ',')} --> ${captionTime(endMs, ',')}\r\n`;
      yield `${lines.map(untagged).join('\r\n')}\r\n\r\n`;
    }
  },
};
