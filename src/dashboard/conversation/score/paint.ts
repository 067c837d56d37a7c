import { clamp, clock } from '../../lib/format.ts';
import { letter } from '../../lib/signs.tsx';
import { type Conversation, isHollow, type Levels, type Line } from '../model.ts';
import { joined, MOMENTS_PX, PHASES_PX, type Rows, type Scale, ticks, type View } from './geometry.ts';

/** What of the conversation stands out at the moment. */
export interface Emphasis {
  /** Only this speaker, when one is chosen. */
  solo: number | undefined;
  /** Lines that a filter lets through; all when undefined. */
  shown: ReadonlySet<number> | undefined;
  selected: number | undefined;
  /** Lines that a claim of the summary rests on. */
  evidence: readonly number[];
  /** Lines that a search found. */
  hits: readonly number[];
  /** Speakers whose tone is hidden. */
  hidden: ReadonlySet<number>;
}

export interface Picture {
  conversation: Conversation;
  levels: Levels | undefined;
  rows: Rows;
  view: View;
  width: number;
  scale: Scale;
  mode: 'strokes' | 'ribbon';
  emphasis: Emphasis;
}

/** The page's own colours, read from its style once per theme. */
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

/** Below this median width of a stroke, px, dense talk is told by a ribbon of means. */
const DENSE_PX = 5;
const DENSE_LINES = 60;
const medians = new WeakMap<readonly Line[], number>();
/** Of the utterances, s; found once for each conversation. */
function medianLength(lines: readonly Line[]): number {
  const known = medians.get(lines);
  if (known !== undefined) return known;
  const lengths = lines.map((line) => line.end - line.start).sort((a, b) => a - b);
  const median = lengths[lengths.length >> 1]!;
  medians.set(lines, median);
  return median;
}

export function modeOf(lines: readonly Line[], view: View, width: number, solo: number | undefined): Picture['mode'] {
  if (solo !== undefined || lines.length <= DENSE_LINES) return 'strokes';
  return (medianLength(lines) / (view.to - view.from)) * width < DENSE_PX ? 'ribbon' : 'strokes';
}

const FADED = 0.16;

/** Draws the whole score but its words and pins, which are elements of the page, and the playhead, which moves alone. */
export function paint(ctx: CanvasRenderingContext2D, picture: Picture, palette: Palette): void {
  const { rows, width } = picture;
  ctx.clearRect(0, 0, width, rows.height);
  ctx.lineCap = 'round';
  const inView = picture.conversation.lines.filter(
    (line) => line.end >= picture.view.from && line.start <= picture.view.to,
  );
  paintGround(ctx, picture, palette);
  paintBands(ctx, picture, palette);
  for (const line of inView) paintLane(ctx, picture, palette, line);
  if (rows.tone > 0) {
    if (picture.mode === 'ribbon') paintRibbon(ctx, picture, palette, inView);
    else paintStrokes(ctx, picture, palette, inView);
    paintShifts(ctx, picture, palette);
  }
  paintMarks(ctx, picture, palette);
  paintArcs(ctx, picture, palette);
  paintAxis(ctx, picture, palette);
  ctx.globalAlpha = 1;
}

function rule(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

function paintGround(ctx: CanvasRenderingContext2D, { rows, width, conversation, scale }: Picture, p: Palette): void {
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1;
  if (rows.tone > 0) {
    const middle = rows.toneTop + rows.tone / 2;
    for (const [name, from, to] of [
      ['wash-pos', rows.toneTop, middle],
      ['wash-neg', rows.axis, middle],
    ] as const) {
      const wash = ctx.createLinearGradient(0, from, 0, to);
      wash.addColorStop(0, p[name]!);
      wash.addColorStop(1, 'transparent');
      ctx.fillStyle = wash;
      ctx.fillRect(0, Math.min(from, to), width, rows.tone / 2);
    }
    ctx.strokeStyle = p['line-2']!;
    ctx.setLineDash([2, 3]);
    rule(ctx, 0, middle, width, middle);
    ctx.setLineDash([]);
  }
  ctx.strokeStyle = p.line!;
  for (let k = 0; k <= rows.speakers; k++)
    rule(ctx, 0, rows.lanes + k * rows.lane + 0.5, width, rows.lanes + k * rows.lane + 0.5);
  rule(ctx, 0, PHASES_PX + 0.5, width, PHASES_PX + 0.5);
  rule(ctx, 0, rows.axis + 0.5, width, rows.axis + 0.5);
  for (const phase of conversation.phases.slice(1)) {
    const x = scale.x(phase.start);
    if (x > 0 && x < width) rule(ctx, x, PHASES_PX, x, rows.axis);
  }
}

/** Behind everything: the chosen line, and what a claim rests on. */
function paintBands(ctx: CanvasRenderingContext2D, { conversation, rows, scale, emphasis }: Picture, p: Palette): void {
  const band = (index: number, alpha: number): void => {
    const line = conversation.lines[index];
    if (!line) return;
    ctx.globalAlpha = alpha;
    ctx.fillStyle = p.ink!;
    const x = scale.x(line.start);
    ctx.fillRect(x - 2, rows.lanes, Math.max(4, scale.x(line.end) - x + 4), rows.axis - rows.lanes);
  };
  if (emphasis.selected !== undefined) band(emphasis.selected, 0.06);
  for (const index of emphasis.evidence) band(index, 0.1);
  ctx.globalAlpha = 1;
}

const isFaded = ({ emphasis }: Picture, line: Line): boolean =>
  (emphasis.solo !== undefined && emphasis.solo !== line.speaker) ||
  (emphasis.shown !== undefined && !emphasis.shown.has(line.index));

const colourOf = (p: Palette, speaker: number): string => p[`s${Math.min(speaker, 7)}`]!;

/** Real levels in the speaker's turns; plain blocks where there is no audio. */
function paintLane(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette, line: Line): void {
  const { rows, scale, width, levels, conversation } = picture;
  const x0 = scale.x(line.start);
  const x1 = scale.x(line.end);
  const middle = rows.lanes + line.speaker * rows.lane + rows.lane / 2;
  const half = rows.lane / 2 - (rows.lane < 24 ? 3 : 6);
  ctx.globalAlpha = isFaded(picture, line) ? FADED : 1;
  ctx.strokeStyle = ctx.fillStyle = colourOf(p, line.speaker);
  if (levels && levels.channels.length > 0) {
    const isOwn = conversation.result.media.speaker_per_channel;
    const channel = levels.channels[isOwn ? line.speaker : 0] ?? levels.channels[0]!;
    ctx.lineWidth = 2;
    ctx.beginPath();
    const from = Math.ceil(Math.max(0, x0) / 3) * 3;
    const to = Math.min(width, Math.max(x1, x0 + 3));
    for (let x = from; x < to; x += 3) {
      const h = Math.max(0.6, height(channel, levels.rate, scale.t(x), scale.t(x + 3)) * half);
      ctx.moveTo(x + 1, middle - h);
      ctx.lineTo(x + 1, middle + h);
    }
    ctx.stroke();
  } else {
    ctx.beginPath();
    ctx.roundRect(x0, middle - half, Math.max(1, x1 - x0 - 0.4), half * 2, rows.lane < 24 ? 1.5 : 3);
    ctx.fill();
  }
  if (line.entry.overlap_ratio > 0.08)
    hatch(ctx, p, x0, middle - half, Math.max(3, (x1 - x0) * line.entry.overlap_ratio), half * 2);
}

/** Mean level between two times as a share of the lane, loud ones drawn out. */
function height(channel: Uint8Array, rate: number, from: number, to: number): number {
  const a = Math.floor(from * rate);
  const b = Math.max(a + 1, Math.floor(to * rate));
  let sum = 0;
  let count = 0;
  for (let i = a; i < b && i < channel.length; i++) {
    sum += channel[i]!;
    count++;
  }
  return Math.min(1, (sum / Math.max(1, count) / 255) ** 1.35 * 1.25);
}

/** Two speak at once. */
function hatch(ctx: CanvasRenderingContext2D, p: Palette, x: number, y: number, w: number, h: number): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
  ctx.strokeStyle = p.surface!;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let d = -h; d < w; d += 7) {
    ctx.moveTo(x + d, y + h);
    ctx.lineTo(x + d + h, y);
  }
  ctx.stroke();
  ctx.restore();
}

/** One stroke per utterance: height is valence, thickness arousal, colour who; threads join a speaker's strokes. */
function paintStrokes(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette, inView: readonly Line[]): void {
  const { rows, scale, emphasis, conversation } = picture;
  const slim = rows.isPhone ? 0.8 : rows.speakers > 4 ? 0.75 : 1;
  if (rows.speakers <= 4) {
    ctx.lineWidth = 1;
    for (let k = 0; k < rows.speakers; k++) {
      if (emphasis.hidden.has(k)) continue;
      ctx.globalAlpha = emphasis.solo !== undefined && emphasis.solo !== k ? FADED : 0.38;
      ctx.strokeStyle = colourOf(p, k);
      thread(
        ctx,
        conversation.lines.filter((line) => line.speaker === k),
        scale,
      );
    }
  }
  for (const line of inView) {
    if (!line.tone || emphasis.hidden.has(line.speaker)) continue;
    const thick = scale.thickness(line.tone.arousal) * slim;
    const y = scale.y(line.tone.valence);
    const x0 = scale.x(line.start) + thick / 2;
    const x1 = Math.max(x0 + 0.5, scale.x(line.end) - thick / 2);
    const isHeardBadly = isHollow(line);
    ctx.globalAlpha = isFaded(picture, line) ? FADED : isHeardBadly ? 0.75 : 0.92;
    ctx.strokeStyle = colourOf(p, line.speaker);
    ctx.lineWidth = isHeardBadly ? Math.max(thick, 4.5) : thick;
    rule(ctx, x0, y, x1, y);
    if (!isHeardBadly) continue;
    ctx.strokeStyle = p.surface!;
    ctx.lineWidth = Math.max(thick - 2.2, 2.3);
    rule(ctx, x0, y, x1, y);
  }
}

function thread(ctx: CanvasRenderingContext2D, lines: readonly Line[], scale: Scale): void {
  let before: { x: number; y: number } | undefined;
  ctx.beginPath();
  for (const { start, end, tone } of lines) {
    if (!tone) continue;
    const x = scale.x((start + end) / 2);
    const y = scale.y(tone.valence);
    if (before) {
      const half = (before.x + x) / 2;
      ctx.bezierCurveTo(half, before.y, half, y, x, y);
    } else ctx.moveTo(x, y);
    before = { x, y };
  }
  ctx.stroke();
}

/** Width of the ribbon's Gaussian, as a share of the view. */
const RIBBON_SHARE = 0.012;
const RIBBON_STEP_PX = 4;
/** How many strokes that stand out are drawn over the ribbon. */
const OUTSTANDING = 15;

/** The mean of dense talk, teal above the middle and brick below, and what stands out most. */
function paintRibbon(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette, inView: readonly Line[]): void {
  const { rows, scale, width, view, emphasis, conversation } = picture;
  const told = (line: Line): boolean => line.tone !== undefined && !emphasis.hidden.has(line.speaker);
  const points = means(conversation.lines.filter(told), scale, width, (view.to - view.from) * RIBBON_SHARE);
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
  points.slice(1).forEach(({ x, valence, arousal }, i) => {
    const before = points[i]!;
    ctx.strokeStyle = p[valence < 0.495 ? 'neg-3' : valence > 0.505 ? 'pos-3' : 'mid']!;
    ctx.lineWidth = clamp(1.2 + ((arousal - 0.42) / 0.12) * 2.4, 1.2, 5);
    rule(ctx, before.x, scale.y(before.valence), x, scale.y(valence));
  });
  const strong = inView.filter(told).sort((a, b) => strength(b) - strength(a));
  ctx.lineWidth = 5;
  for (const line of strong.slice(0, OUTSTANDING)) {
    ctx.strokeStyle = colourOf(p, line.speaker);
    const y = scale.y(line.tone!.valence);
    rule(ctx, scale.x(line.start), y, Math.max(scale.x(line.start) + 0.5, scale.x(line.end)), y);
  }
}

const strength = (line: Line): number => Math.abs((line.tone?.valence ?? 0.5) - 0.5);

/** Gaussian means of valence and arousal along the axis, each line weighed by its length. Linear in lines and width. */
function means(lines: readonly Line[], scale: Scale, width: number, sigma: number) {
  const points: { x: number; valence: number; arousal: number }[] = [];
  let first = 0;
  for (let x = 0; x <= width; x += RIBBON_STEP_PX) {
    const t = scale.t(x);
    while (first < lines.length && (lines[first]!.start + lines[first]!.end) / 2 < t - 3 * sigma) first++;
    let valence = 0;
    let arousal = 0;
    let weights = 0;
    for (let i = first; i < lines.length; i++) {
      const { start, end, tone } = lines[i]!;
      const d = ((start + end) / 2 - t) / sigma;
      if (d > 3) break;
      const weight = Math.exp((-d * d) / 2) * (end - start);
      valence += weight * tone!.valence;
      arousal += weight * tone!.arousal;
      weights += weight;
    }
    if (weights > 0) points.push({ x, valence: valence / weights, arousal: arousal / weights });
  }
  return points;
}

const SUREST_SHIFTS = 10;
function paintShifts(
  ctx: CanvasRenderingContext2D,
  { conversation, rows, scale, width, emphasis }: Picture,
  p: Palette,
): void {
  const shifts = conversation.shifts
    .filter(({ speaker }) => speaker === undefined || !emphasis.hidden.has(speaker))
    .sort((a, b) => b.source.confidence - a.source.confidence)
    .slice(0, SUREST_SHIFTS);
  ctx.globalAlpha = 1;
  for (const { at } of shifts) {
    const x = scale.x(at);
    if (x < 0 || x > width) continue;
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
  if (rows.tone < 46) return;
  ctx.fillStyle = p['ink-3']!;
  ctx.font = `10px ${p.font}`;
  ctx.fillText('more positive', 5, rows.toneTop + 11);
  ctx.fillText('more negative', 5, rows.axis - 5);
}

/** What a search found, and on a phone the letters of the lanes. */
function paintMarks(ctx: CanvasRenderingContext2D, { conversation, rows, scale, emphasis }: Picture, p: Palette): void {
  ctx.globalAlpha = 1;
  ctx.strokeStyle = p['hl-cur']!;
  ctx.lineWidth = 2;
  for (const index of emphasis.hits) {
    const x = scale.x(conversation.lines[index]!.start);
    rule(ctx, x, rows.lanes, x, rows.toneTop);
  }
  if (!rows.isPhone || rows.lane < 12) return;
  ctx.font = `700 9px ${p.font}`;
  ctx.lineWidth = 3;
  for (let k = 0; k < rows.speakers; k++) {
    const y = rows.lanes + k * rows.lane + rows.lane / 2 + 3.2;
    ctx.strokeStyle = p.surface!;
    ctx.strokeText(letter(k), 4, y);
    ctx.fillStyle = p.ink!;
    ctx.fillText(letter(k), 4, y);
  }
}

/** From each offer to its answer, dashed when the answer is unsure. */
function paintArcs(ctx: CanvasRenderingContext2D, { conversation, scale }: Picture, p: Palette): void {
  ctx.strokeStyle = p['ink-3']!;
  ctx.lineWidth = 1.2;
  const y = PHASES_PX + MOMENTS_PX / 2;
  for (const pin of conversation.pins) {
    if (!pin.offer) continue;
    const x0 = scale.x(pin.offer.at) + 8;
    const x1 = scale.x(pin.at) - 8;
    if (x1 - x0 < 6) continue;
    const depth = Math.min(15, 5 + (x1 - x0) / 14);
    const reach = Math.min(24, (x1 - x0) / 3);
    ctx.setLineDash(pin.moment.confidence < 0.5 ? [3, 3] : []);
    ctx.beginPath();
    ctx.moveTo(x0, y);
    ctx.bezierCurveTo(x0 + reach, y + depth, x1 - reach, y + depth, x1, y);
    ctx.stroke();
  }
  ctx.setLineDash([]);
}

function paintAxis(ctx: CanvasRenderingContext2D, { view, width, scale, rows }: Picture, p: Palette): void {
  const { times, step } = ticks(view, width);
  ctx.font = `10px ${p.font}`;
  ctx.lineWidth = 1;
  for (const t of times) {
    const x = scale.x(t);
    ctx.strokeStyle = p['line-2']!;
    rule(ctx, x, rows.axis, x, rows.axis + 4);
    ctx.fillStyle = p['ink-3']!;
    ctx.textAlign = t < 0.1 ? 'start' : 'center';
    ctx.fillText(step < 1 ? `${t.toFixed(1)} s` : clock(t), clamp(x, t < 0.1 ? 3 : 12, width - 14), rows.axis + 15);
  }
  ctx.textAlign = 'start';
}

/** Pins closer than 17 px join into one. */
export const joinedPins = (picture: Picture) =>
  joined(
    picture.conversation.pins
      .map((pin) => ({ pin, x: picture.scale.x(pin.at) }))
      .filter(({ x }) => x > -6 && x < picture.width + 6),
    17,
  );
