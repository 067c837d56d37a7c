import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Where a person reads: how wide it is, and whether it knows colours. */
export interface Paper {
  width: number;
  /** The text in a style, or as it is where there are no colours. */
  paint: (style: Style, text: string) => string;
}

/** Narrower than this nothing is laid out; wider nobody reads. */
const WIDTHS = { least: 32, most: 100, usual: 80 };

export function paperOf(stream: NodeJS.WriteStream, env = process.env): Paper {
  const columns = stream.columns ?? (Number(env.COLUMNS) || WIDTHS.usual);
  const isColoured = coloursOf(stream, env);
  return {
    width: Math.max(WIDTHS.least, Math.min(WIDTHS.most, columns)),
    paint: (style, text) => (isColoured && text !== '' ? styleText(style, text, { validateStream: false }) : text),
  };
}

/** https://no-color.org, and the wish for colours in a pipe. */
function coloursOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '' && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Legible on dark and on light: a terminal's own colours, not ours. */
const SPEAKER_STYLES: readonly Style[] = ['cyan', 'magenta', 'green', 'blue', 'yellow', 'red', 'gray'];

/** The style of a speaker, by where it stands among all. */
export const speakerStyle = (index: number): Style => SPEAKER_STYLES[index % SPEAKER_STYLES.length] ?? 'cyan';

/** What strangers wrote, as one line without what a terminal would take for a command. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WIDE =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;

/** Columns that a text takes. */
export function widthOf(text: string): number {
  // Most of what there is, and a hundred times as quick.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** A text in no more than so many columns. */
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

/** Lines of no more than so many columns, broken at spaces; a longer word is broken where it must. In linear time. */
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

/** Columns beside each other, the last as wide as is left. */
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
