import { clamp } from '../../lib/format.ts';
import { isHollow, isMeasured, type ToneShift, type UtteranceLine } from '../model.ts';
import { colourOf, FADED, factsOf, firstFrom, isFaded, linesBetween, type Palette, type Picture } from './picture.ts';
import { rule, writeLetter } from './rule.ts';

/**
 * One stroke per utterance. Its height shows the valence, its thickness the arousal, and its colour the speaker. The
 * words alone say too little about the arousal, so without measured audio a stroke is thin. Threads connect the strokes
 * of a speaker. With forced colours, the strokes that have room for it carry the letter of their speaker.
 */
export function paintStrokes(
  ctx: CanvasRenderingContext2D,
  picture: Picture,
  p: Palette,
  inView: readonly UtteranceLine[],
): void {
  const { rows, scale, solo, hidden } = picture;
  const slim = rows.isPhone ? 0.8 : rows.speakers > 4 ? 0.75 : 1;
  if (rows.speakers <= 4) {
    ctx.lineWidth = 1;
    for (let k = 0; k < rows.speakers; k++) {
      if (hidden.has(k)) continue;
      ctx.globalAlpha = solo !== undefined && solo !== k ? FADED : 0.38;
      ctx.strokeStyle = colourOf(p, k);
      paintThread(ctx, picture, k);
    }
  }
  const hasRoom = apart(LETTER_PX);
  for (const line of inView) {
    if (!line.tone || hidden.has(line.speaker)) continue;
    const thick = (line.voice ? scale.thickness(line.tone.arousal) : THIN_PX) * slim;
    const y = scale.y(line.tone.valence);
    const x0 = scale.x(line.start) + thick / 2;
    const x1 = Math.max(x0 + 0.5, scale.x(line.end) - thick / 2);
    const isHeardBadly = isHollow(line);
    ctx.globalAlpha = isFaded(picture, line) ? FADED : isHeardBadly ? 0.75 : 0.92;
    ctx.strokeStyle = colourOf(p, line.speaker);
    ctx.lineWidth = isHeardBadly ? Math.max(thick, 4.5) : thick;
    rule(ctx, x0, y, x1, y);
    if (isHeardBadly) {
      ctx.strokeStyle = p.surface!;
      ctx.lineWidth = Math.max(thick - 2.2, 2.3);
      rule(ctx, x0, y, x1, y);
    }
    if (p.s0 === p.s1 && rows.speakers > 1 && !isFaded(picture, line) && hasRoom(x0))
      writeLetter(ctx, p, line.speaker, x0 - 2, Math.max(rows.toneTop + 8, y - thick / 2 - 3));
  }
}

/** Draws a speaker's thread through the visible strokes and the strokes just before and after them. */
function paintThread(ctx: CanvasRenderingContext2D, { conversation, scale, view }: Picture, speaker: number): void {
  const own = factsOf(conversation).told[speaker] ?? [];
  const lines = own.slice(Math.max(0, firstFrom(own, view.from) - 2), firstFrom(own, view.to) + 2);
  let before: { x: number; y: number } | undefined;
  ctx.beginPath();
  for (const { start, end, tone } of lines) {
    const x = scale.x((start + end) / 2);
    const y = scale.y(tone!.valence);
    if (before) {
      const half = (before.x + x) / 2;
      ctx.bezierCurveTo(half, before.y, half, y, x, y);
    } else ctx.moveTo(x, y);
    before = { x, y };
  }
  ctx.stroke();
}

/** Thickness of a stroke that does not show the arousal, px. */
const THIN_PX = 3;

/** Standard deviation of the ribbon's Gaussian, as a fraction of the view. */
const RIBBON_SHARE = 0.012;
/** Number of steps of the ribbon, regardless of its width: a phone shows the same course as a desktop. */
const RIBBON_STEPS = 280;
/** Number of standard deviations at which the Gaussian is cut off. */
const REACH = 3;
/** Number of salient strokes drawn over the ribbon. */
const OUTSTANDING = 15;

/** The mean tone of dense speech, teal above the middle and brick below it, with the most salient strokes on top. */
export function paintRibbon(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette): void {
  const { rows, scale, width } = picture;
  const points = means(picture);
  if (points.length < 2) return;
  const middle = rows.toneTop + rows.tone / 2;
  for (const [colour, top] of [
    ['pos-1', rows.toneTop],
    ['neg-1', middle],
  ] as const) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, top, width, rows.tone / 2);
    ctx.clip();
    ctx.beginPath();
    ctx.moveTo(points[0]!.x, middle);
    for (const { x, valence } of points) ctx.lineTo(x, scale.y(valence));
    ctx.lineTo(points.at(-1)!.x, middle);
    ctx.fillStyle = p[colour]!;
    ctx.fill();
    ctx.restore();
  }
  paintCourse(ctx, picture, p, points);
  paintStrongest(ctx, picture, p);
}

/**
 * The edge of the ribbon. Its colour shows the valence and its thickness the arousal, in quarters of a px, which keeps
 * the number of paths small.
 */
function paintCourse(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette, points: readonly Mean[]): void {
  const { scale, conversation } = picture;
  const showsArousal = isMeasured(conversation);
  let style = '';
  points.slice(1).forEach(({ x, valence, arousal }, i) => {
    const before = points[i]!;
    const colour = p[valence < 0.495 ? 'neg-3' : valence > 0.505 ? 'pos-3' : 'mid']!;
    const lively = Math.round(clamp(1.2 + ((arousal - 0.42) / 0.12) * 2.4, 1.2, 5) * 4) / 4;
    const thick = showsArousal ? lively : 2;
    if (style !== `${colour}${thick}`) {
      if (i > 0) ctx.stroke();
      style = `${colour}${thick}`;
      ctx.strokeStyle = colour;
      ctx.lineWidth = thick;
      ctx.beginPath();
      ctx.moveTo(before.x, scale.y(before.valence));
    }
    ctx.lineTo(x, scale.y(valence));
  });
  ctx.stroke();
}

/**
 * Minimum distances of the marks over the ribbon, and of the dots of shifts, as fractions of the view: a phone shows the
 * same ones as a desktop.
 */
const MARKS_APART = 0.045;
const SHIFTS_APART = 0.025;
/** Width of a speaker's letter, px. */
const LETTER_PX = 10;
/** Whether a place is free, which it then no longer is. */
function apart(distance: number): (x: number) => boolean {
  const taken: number[] = [];
  return (x) => taken.every((other) => Math.abs(other - x) >= distance) && taken.push(x) > 0;
}

function paintStrongest(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette): void {
  const { scale, view, hidden, conversation, rows, width } = picture;
  ctx.lineWidth = 5;
  let left = OUTSTANDING;
  const isFree = apart((view.to - view.from) * MARKS_APART);
  for (const line of factsOf(conversation).strongest) {
    if (line.end < view.from || line.start > view.to || hidden.has(line.speaker)) continue;
    if (!isFree(line.start)) continue;
    ctx.strokeStyle = colourOf(p, line.speaker);
    const y = scale.y(line.tone!.valence);
    const x0 = scale.x(line.start);
    const x1 = Math.max(x0 + 0.5, scale.x(line.end));
    rule(ctx, x0, y, x1, y);
    if (rows.speakers > 1)
      writeLetter(ctx, p, line.speaker, x1 + 4 + LETTER_PX > width ? x0 - LETTER_PX : x1 + 4, y + 3.2);
    left -= 1;
    if (left === 0) return;
  }
}

interface Mean {
  x: number;
  valence: number;
  arousal: number;
}

/**
 * Gaussian means of valence and arousal along the axis, with each line weighted by its length. Lines are first summed
 * into steps of the axis, so that the cost does not grow with the square of the lines.
 */
export function means(picture: Picture): Mean[] {
  const { view, rows, hidden } = picture;
  const width = picture.width - rows.left;
  const step = (view.to - view.from) / RIBBON_STEPS;
  const sigma = RIBBON_SHARE * RIBBON_STEPS;
  const reach = Math.ceil(REACH * sigma);
  const kernel = Float64Array.from({ length: reach + 1 }, (_, d) => Math.exp(-((d / sigma) ** 2) / 2));
  const count = RIBBON_STEPS + 1;
  const weights = new Float64Array(count + 2 * reach);
  const valences = new Float64Array(weights.length);
  const arousals = new Float64Array(weights.length);
  for (const line of linesBetween(picture, view.from - reach * step, view.to + reach * step)) {
    const { start, end, tone, speaker } = line;
    const at = Math.round(((start + end) / 2 - view.from) / step) + reach;
    if (!tone || at < 0 || at >= weights.length || hidden.has(speaker)) continue;
    weights[at]! += end - start;
    valences[at]! += (end - start) * tone.valence;
    arousals[at]! += (end - start) * tone.arousal;
  }
  const points: Mean[] = [];
  for (let i = 0; i < count; i++) {
    let weight = 0;
    let valence = 0;
    let arousal = 0;
    for (let d = -reach; d <= reach; d++) {
      const share = kernel[Math.abs(d)]!;
      const at = i + reach + d;
      weight += share * weights[at]!;
      valence += share * valences[at]!;
      arousal += share * arousals[at]!;
    }
    if (weight > 0)
      points.push({ x: rows.left + (i / RIBBON_STEPS) * width, valence: valence / weight, arousal: arousal / weight });
  }
  return points;
}

const SUREST_SHIFTS = 10;
/** The shifts of tone, without those of speakers whose tone is hidden. */
export const shownShifts = ({ conversation, hidden }: Picture): readonly ToneShift[] =>
  conversation.shifts.filter(({ speaker }) => speaker === undefined || !hidden.has(speaker));

export function paintShifts(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette): void {
  const { rows, scale, view, width } = picture;
  const shifts = shownShifts(picture)
    .toSorted((a, b) => b.source.confidence - a.source.confidence)
    .slice(0, SUREST_SHIFTS);
  const isFree = apart((view.to - view.from) * SHIFTS_APART);
  ctx.globalAlpha = 1;
  for (const { at } of shifts) {
    const x = scale.x(at);
    if (x < 0 || x > width || !isFree(at)) continue;
    ctx.strokeStyle = p['ink-4']!;
    ctx.lineWidth = 1;
    ctx.setLineDash([1, 3]);
    rule(ctx, x, rows.toneTop + 3, x, rows.axis - 3);
    ctx.setLineDash([]);
    ctx.fillStyle = p['ink-3']!;
    ctx.beginPath();
    ctx.arc(x, rows.toneTop + 4, 2.6, 0, 2 * Math.PI);
    ctx.fill();
  }
}
