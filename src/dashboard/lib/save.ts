import type { ExportFormat } from '../../sdk/wire.ts';

/** The formats of an export, in the order in which menus show them. */
export const FORMATS: Readonly<Record<ExportFormat, string>> = {
  html: 'Single-file page (HTML)',
  md: 'Markdown',
  txt: 'Text',
  vtt: 'Subtitles (WebVTT)',
  srt: 'Subtitles (SRT)',
  csv: 'Table (CSV)',
  json: 'All data (JSON)',
};

/** Downloads a file in the browser. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Time after which the browser has certainly started the download, ms. The bytes are kept in memory until then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A title as a file name, without characters that operating systems refuse. */
export const fileName = (title: string): string =>
  title
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, 80) || 'conversation';
