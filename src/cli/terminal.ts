import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** The width and the colours of an output stream. */
export interface Output {
  width: number;
  /** Styles a text, if the output has colours. */
  paint: (style: Style, text: string) => string;
}

/** Limits of the width and its default, columns. */
const WIDTHS = { min: 32, max: 100, default: 80 };

export function outputOf(stream: NodeJS.WriteStream, env = process.env): Output {
  const columns = stream.columns ?? (Number(env.COLUMNS) || WIDTHS.default);
  const isColoured = hasColours(stream, env);
  return {
    width: Math.max(WIDTHS.min, Math.min(WIDTHS.max, columns)),
    paint: (style, text) => (isColoured && text !== '' ? styleText(style, text, { validateStream: false }) : text),
  };
}

/** Follows https://no-color.org, and also FORCE_COLOR, which switches colours on in a pipe. */
function hasColours(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** The terminal's own colours, which are legible on dark and light backgrounds. */
const SPEAKER_STYLES: readonly Style[] = ['cyan', 'magenta', 'green', 'blue', 'yellow', 'red', 'gray'];

/** The style of a speaker, by the order in which the speakers first speak. */
export const speakerStyle = (index: number): Style => SPEAKER_STYLES[index % SPEAKER_STYLES.length] ?? 'cyan';

/** Untrusted text on one line, without terminal control characters. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;

/** Width of a text, columns. */
export function widthOf(text: string): number {
  // A fast path for the common case, which is a hundred times faster.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Shortens a text to a given number of columns. */
export function clipped(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += widthOf(segment);
    if (width > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));

/** Wraps a text at spaces, in linear time. A word is broken only if it is longer than a line. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const end = () => {
    lines.push(line);
    line = '';
    width = 0;
  };
  for (const word of plain(text).split(' ')) {
    const wide = widthOf(word);
    if (line !== '' && width + 1 + wide > columns) end();
    else if (line !== '') {
      line += ' ';
      width++;
    }
    for (const { segment } of wide > columns ? graphemes.segment(word) : [{ segment: word }]) {
      const room = wide > columns ? widthOf(segment) : wide;
      if (width + room > columns && line !== '') end();
      line += segment;
      width += room;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Aligns rows in columns. The last column gets the remaining width. */
export function table(
  rows: readonly (readonly string[])[],
  { width, gap = 2 }: { width: number; gap?: number },
): string[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => widthOf(row[i] ?? ''))));
  const before = widths.slice(0, -1).reduce((sum, one) => sum + one + gap, 0);
  const last = Math.max(8, width - before);
  return rows.map((row) =>
    row
      .map((cell, i) => (i < columns - 1 ? padded(cell, (widths[i] ?? 0) + gap) : clipped(cell, last)))
      .join('')
      .trimEnd(),
  );
}
