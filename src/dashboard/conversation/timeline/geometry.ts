import { clamp } from '../../lib/format.ts';
import type { TimeView } from '../time-view.ts';

/** Positions of the timeline's rows, px from the top. */
export interface TimelineRows {
  speakers: number;
  isPhone: boolean;
  /** Left edge of the time axis, px. On a phone, each lane begins with its letter. */
  left: number;
  lane: number;
  tone: number;
  /** The tops of the first lane, the tone row and the axis, and the total height. */
  lanes: number;
  toneTop: number;
  axis: number;
  height: number;
}

export const PHASES_PX = 23;
export const MOMENTS_PX = 29;
const AXIS_PX = 20;
/** Height of the axis below lanes that can be pressed, px. */
const AXIS_UNDER_LANES_PX = 26;
/** Height of the lowest lane with a letter, and width of the letters on a phone, px. */
const LETTER_PX = 11;
const LETTERS_PX = 15;

export function rowsOf(speakers: number, isPhone: boolean, hasTone: boolean): TimelineRows {
  const few = speakers <= 2 ? 0 : speakers <= 4 ? 1 : 2;
  const lane = (isPhone ? [20, 13, LETTER_PX] : [42, 28, 18])[few]!;
  const tone = !hasTone ? 0 : isPhone ? 46 : speakers > 4 ? 74 : 78;
  const lanes = PHASES_PX + MOMENTS_PX;
  const toneTop = lanes + speakers * lane;
  const left = isPhone ? LETTERS_PX : 0;
  const axis = toneTop + tone;
  return {
    speakers,
    isPhone,
    left,
    lane,
    tone,
    lanes,
    toneTop,
    axis,
    height: axis + (hasTone ? AXIS_PX : AXIS_UNDER_LANES_PX),
  };
}

/** Maps time, valence and arousal to px. */
export interface TimelineScale {
  x(t: number): number;
  t(x: number): number;
  y(valence: number): number;
  thickness(arousal: number): number;
}

/** Space above and below the strokes, which holds the dots of the shifts, px. */
const EDGE_PX = 11;

/** Half of the valence range that the tone row covers, for single strokes and for the mean of many. */
const SPREAD = { strokes: 0.34, ribbon: 0.18 };

export function scaleOf(
  view: TimeView,
  width: number,
  rows: TimelineRows,
  mode: 'strokes' | 'ribbon',
  duration: number,
): TimelineScale {
  const span = view.to - view.from;
  const wide = width - rows.left;
  const middle = rows.toneTop + rows.tone / 2;
  return {
    x: (t) => rows.left + ((t - view.from) / span) * wide,
    t: (x) => clamp(view.from + (Math.max(0, x - rows.left) / wide) * span, 0, duration),
    y: (valence) => middle - clamp((valence - 0.5) / SPREAD[mode], -1, 1) * (rows.tone / 2 - EDGE_PX),
    thickness: (arousal) => clamp(2 + ((arousal - 0.35) / 0.3) * 7, 2, 9),
  };
}

const STEPS_S = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
const LONGEST_STEP_S = 7200;
/** Labelled times on the axis, at least 74 px apart, and the interval between them, s. */
export function ticks(view: TimeView, width: number): { times: number[]; step: number } {
  const span = view.to - view.from;
  const step = STEPS_S.find((s) => width / (span / s) >= 74) ?? LONGEST_STEP_S;
  const times: number[] = [];
  for (let t = Math.ceil(view.from / step) * step; t <= view.to + 0.01; t += step) times.push(t);
  return { times, step };
}

/** Width of the sign of a single moment, and of its digits and its ends if it stands for several, px. */
const SIGN_PX = 16;
const DIGIT_PX = 6.5;
const ENDS_PX = 7;
/** Width of the sign that stands for this many moments, px. */
export const signWidth = (count: number): number =>
  count === 1 ? SIGN_PX : Math.max(SIGN_PX, ENDS_PX + String(count).length * DIGIT_PX);

/** Items that share a sign, and its middle, px. */
export interface Sign<T> {
  x: number;
  items: T[];
}

/** Share of the width from which signs that stand for several moments are crowded. */
const CROWDED = 0.4;
export const isCrowded = (signs: readonly Sign<unknown>[], width: number): boolean =>
  width > 0 &&
  signs.reduce((sum, { items }) => sum + (items.length > 1 ? signWidth(items.length) : 0), 0) > CROWDED * width;

/** Minimum width of a bin, px: room for a number of three digits. */
const BIN_PX = 30;

/** The items of one interval of the axis, s, and its place, px. */
export interface MomentBin<T> {
  from: number;
  to: number;
  x: number;
  width: number;
  items: T[];
}

/** Counts items by equal intervals of the axis, which have labels of their own length on it. Empty ones are left out. */
export function binned<T extends { at: number }>(
  items: readonly T[],
  view: TimeView,
  width: number,
  scale: Pick<TimelineScale, 'x'>,
): { step: number; bins: MomentBin<T>[] } {
  const span = view.to - view.from;
  const wide = scale.x(view.to) - scale.x(view.from);
  const step = STEPS_S.find((s) => (wide * s) / span >= BIN_PX) ?? LONGEST_STEP_S;
  const bins = new Map<number, MomentBin<T>>();
  for (const item of items) {
    const n = Math.floor(item.at / step);
    const [from, to] = [n * step, (n + 1) * step];
    if (to <= view.from || from >= view.to) continue;
    let bin = bins.get(n);
    if (!bin) {
      const x = Math.max(scale.x(view.from), scale.x(from));
      bin = { from, to, x, width: Math.min(width, scale.x(to)) - x, items: [] };
      bins.set(n, bin);
    }
    bin.items.push(item);
  }
  return { step, bins: [...bins.values()] };
}

/** Groups items whose signs would overlap, in the order of the axis. Every sign lies within the width. */
export function joined<T extends { x: number }>(items: readonly T[], width: number): Sign<T>[] {
  const signs: Sign<T>[] = [];
  const within = (all: T[]): Sign<T> => {
    const half = signWidth(all.length) / 2 + 1;
    return { x: clamp(all[0]!.x, half, Math.max(half, width - half)), items: all };
  };
  const overlap = (a: Sign<T>, b: Sign<T>): boolean =>
    b.x - a.x < (signWidth(a.items.length) + signWidth(b.items.length)) / 2 + 1;
  for (const item of items) {
    let sign = within([item]);
    // A sign with more digits is wider, and may reach the one before it.
    for (let before = signs.at(-1); before && overlap(before, sign); before = signs.at(-1)) {
      before.items.push(...sign.items);
      sign = within(before.items);
      signs.pop();
    }
    signs.push(sign);
  }
  return signs;
}
