import { captions } from './captions.ts';
import { captionTime } from './clock.ts';
import type { ExportFormat } from './exported.ts';

/** Escapes characters with a special meaning in cue text and in a tag's annotation (WebVTT 3.5, 6.4). */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** WebVTT, with speakers in voice tags. */
export const vtt: ExportFormat = {
  extension: '.vtt',
  contentType: 'text/vtt; charset=utf-8',
  *write({ timeline }) {
    yield 'WEBVTT\n';
    for (const { startMs, endMs, speaker, lines } of captions(timeline)) {
      yield `\n${captionTime(startMs, '.')} --> ${captionTime(endMs, '.')}\n`;
      yield `<v ${escaped(speaker)}>${lines.map(escaped).join('\n')}</v>\n`;
    }
  },
};
