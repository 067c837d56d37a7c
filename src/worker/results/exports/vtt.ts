import { captions } from './captions.ts';
import { captionTime } from './clock.ts';
import type { ExportFormat } from './exported.ts';

/** What has a meaning of its own in cue text, and in the annotation of a tag (WebVTT 3.5, 6.4). */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** WebVTT; who speaks stands in a voice tag of its own. */
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
