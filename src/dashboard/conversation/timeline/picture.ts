import type { ConversationView, Pin, SoundLevels, UtteranceLine } from '../model.ts';
import type { TimeView } from '../time-view.ts';
import {
  binned,
  isCrowded,
  joined,
  type MomentBin,
  type Sign,
  type TimelineRows,
  type TimelineScale,
} from './geometry.ts';

/** Everything that is drawn, except temporary highlights. */
export interface Picture {
  conversation: ConversationView;
  levels: SoundLevels | undefined;
  rows: TimelineRows;
  view: TimeView;
  width: number;
  scale: TimelineScale;
  mode: 'strokes' | 'ribbon';
  /** The only speaker to show, if one is selected. */
  solo: number | undefined;
  /** Lines that pass the filter. Undefined when all are shown. */
  shown: ReadonlySet<number> | undefined;
  /** Speakers whose tone is hidden. */
  hidden: ReadonlySet<number>;
}

/** The page's colours, read from its stylesheet once per theme. */
export type Palette = Readonly<Record<string, string>>;
const NAMES = [
  'surface',
  'line',
  'line-2',
  'ink',
  'ink-3',
  'ink-4',
  'hl-cur',
  'wash-pos',
  'wash-neg',
  ...['neg-3', 'neg-2', 'neg-1', 'mid', 'pos-1', 'pos-2', 'pos-3'],
  ...Array.from({ length: 8 }, (_, i) => `s${i}`),
];
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  const font = style.fontFamily;
  return Object.fromEntries([
    ...NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
    ['font', font],
  ]);
}
export const colourOf = (p: Palette, speaker: number): string => p[`s${Math.min(speaker, 7)}`]!;

/** Values that every drawing needs, computed once per conversation. */
interface Facts {
  /** Median duration of an utterance, s. */
  median: number;
  longest: number;
  /** Lines with a tone, by speaker and in order of time. */
  told: readonly (readonly UtteranceLine[])[];
  /** Lines with a tone, most salient first. */
  strongest: readonly UtteranceLine[];
}
const known = new WeakMap<ConversationView, Facts>();
export function factsOf(conversation: ConversationView): Facts {
  let facts = known.get(conversation);
  if (facts) return facts;
  const { lines, labels } = conversation;
  const lengths = lines.map((line) => line.end - line.start).sort((a, b) => a - b);
  const told = lines.filter((line) => line.tone);
  facts = {
    median: lengths[lengths.length >> 1] ?? 0,
    longest: lengths.at(-1) ?? 0,
    told: labels.map((_, speaker) => told.filter((line) => line.speaker === speaker)),
    strongest: told.toSorted((a, b) => strength(b) - strength(a)),
  };
  known.set(conversation, facts);
  return facts;
}
const strength = (line: UtteranceLine): number => Math.abs(line.tone!.valence - 0.5);

/** Median width of a stroke below which dense speech is drawn as a ribbon of means, px. */
const DENSE_PX = 5;
const DENSE_LINES = 60;
export function modeOf(
  conversation: ConversationView,
  view: TimeView,
  width: number,
  solo: number | undefined,
): Picture['mode'] {
  if (solo !== undefined || conversation.lines.length <= DENSE_LINES) return 'strokes';
  return (factsOf(conversation).median / (view.to - view.from)) * width < DENSE_PX ? 'ribbon' : 'strokes';
}

/** Index of the first line that begins at `t` or later. */
export function firstFrom(lines: readonly UtteranceLine[], t: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.start < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The lines that overlap the given period. */
export function linesBetween({ conversation }: Picture, from: number, to: number): UtteranceLine[] {
  const { lines } = conversation;
  const begin = firstFrom(lines, from);
  const before = lines.slice(firstFrom(lines, from - factsOf(conversation).longest), begin);
  return [...before.filter((line) => line.end >= from), ...lines.slice(begin, firstFrom(lines, to))];
}

export const FADED = 0.16;
export const isFaded = ({ solo, shown }: Picture, line: UtteranceLine): boolean =>
  (solo !== undefined && solo !== line.speaker) || (shown !== undefined && !shown.has(line.index));

/** The pins in view: as signs, or counted by intervals of `step` seconds. */
export type ShownPins =
  | { signs: Sign<{ pin: Pin; x: number }>[]; bins?: undefined }
  | { signs?: undefined; bins: MomentBin<Pin>[]; step: number };
const pinsByPicture = new WeakMap<Picture, ShownPins>();
/** Pins whose signs would overlap share one. Where most would, they are counted. */
export function shownPins(picture: Picture): ShownPins {
  let shown = pinsByPicture.get(picture);
  if (shown) return shown;
  const { conversation, scale, view, width } = picture;
  const near = conversation.signs
    .map((pin) => ({ pin, x: scale.x(pin.at) }))
    .filter(({ x }) => x > -6 && x < width + 6);
  const signs = joined(near, width);
  shown = isCrowded(signs, width) ? binned(conversation.signs, view, width, scale) : { signs };
  pinsByPicture.set(picture, shown);
  return shown;
}
