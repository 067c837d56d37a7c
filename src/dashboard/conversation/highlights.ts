import type { UtteranceLine } from './model.ts';

/** Names of CSS custom highlights. They mark parts of plain text without an element for each word. */
export type Mark = 'word' | 'hit' | 'cur' | 'unsure' | 'redacted';
const isSupported = 'highlights' in CSS;

/** The text node of a line, in which marks are placed. */
export function textNode(row: HTMLElement | undefined): Text | undefined {
  const node = row?.querySelector('.txt')?.firstChild;
  return node instanceof Text ? node : undefined;
}

export function span(node: Text | undefined, from: number, to: number): Range | undefined {
  if (!node || from >= node.length) return undefined;
  const range = new Range();
  range.setStart(node, from);
  range.setEnd(node, Math.min(to, node.length));
  return range;
}

export function mark(name: Mark, ranges: readonly (Range | undefined)[]): void {
  if (!isSupported) return;
  const found = ranges.filter((range) => range !== undefined);
  if (found.length > 0) CSS.highlights.set(name, new Highlight(...found));
  else CSS.highlights.delete(name);
}

export function addMarks(name: Mark, ranges: readonly (Range | undefined)[]): void {
  const highlight = isSupported ? CSS.highlights.get(name) : undefined;
  if (!highlight) mark(name, ranges);
  else for (const range of ranges) if (range) highlight.add(range);
}

/** The word of a line that is spoken at `t`. */
export const wordAt = (line: UtteranceLine, t: number) => line.words.findLast((word) => word.at <= t + 0.05);
/** The word of a line at a given character offset. */
export const wordAtOffset = (line: UtteranceLine, offset: number) => line.words.findLast((word) => word.from <= offset);
