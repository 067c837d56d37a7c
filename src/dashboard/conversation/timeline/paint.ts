import { clamp, clock, isUnsure } from '../../lib/format.ts';
import type { MomentPin } from '../model.ts';
import { MOMENTS_PX, PHASES_PX, ticks } from './geometry.ts';
import { paintLanes } from './lanes.ts';
import { linesBetween, type Palette, type Picture, shownPins } from './picture.ts';
import { rule, writeLetter } from './rule.ts';
import { paintRibbon, paintShifts, paintStrokes } from './tone.ts';

/** Draws the timeline. Text and pins are separate elements of the page, and the playhead moves separately. */
export function paint(ctx: CanvasRenderingContext2D, picture: Picture, palette: Palette): void {
  const { rows, view } = picture;
  ctx.lineCap = 'round';
  const inView = linesBetween(picture, view.from, view.to);
  paintGround(ctx, picture, palette);
  paintLanes(ctx, picture, palette, inView);
  if (rows.tone > 0) {
    if (picture.mode === 'ribbon') paintRibbon(ctx, picture, palette);
    else paintStrokes(ctx, picture, palette, inView);
    paintShifts(ctx, picture, palette);
  }
  ctx.globalAlpha = 1;
  paintLetters(ctx, picture, palette);
  paintArcs(ctx, picture, palette);
  paintAxis(ctx, picture, palette);
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

/** Drawn below everything else: the selected line, and the evidence of a claim. */
export function paintBands(
  ctx: CanvasRenderingContext2D,
  { conversation, rows, scale }: Picture,
  { selected, evidence }: { selected: number | undefined; evidence: readonly number[] },
  p: Palette,
): void {
  const band = (index: number, alpha: number): void => {
    const line = conversation.lines[index];
    if (!line) return;
    ctx.globalAlpha = alpha;
    ctx.fillStyle = p.ink!;
    const x = scale.x(line.start);
    ctx.fillRect(x - 2, rows.lanes, Math.max(4, scale.x(line.end) - x + 4), rows.axis - rows.lanes);
  };
  if (selected !== undefined) band(selected, 0.06);
  for (const index of evidence) band(index, 0.1);
  ctx.globalAlpha = 1;
}

/** Drawn above everything else: the lines that a search found. */
export function paintHits(
  ctx: CanvasRenderingContext2D,
  { conversation, rows, scale }: Picture,
  hits: readonly number[],
  p: Palette,
): void {
  ctx.strokeStyle = p['hl-cur']!;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (const index of hits) {
    const x = scale.x(conversation.lines[index]!.start);
    ctx.moveTo(x, rows.lanes);
    ctx.lineTo(x, rows.toneTop);
  }
  ctx.stroke();
}

/** A phone has no space beside the lanes, so their letters and the signs of the tone are drawn inside. */
function paintLetters(ctx: CanvasRenderingContext2D, { rows }: Picture, p: Palette): void {
  if (rows.left === 0) return;
  for (let k = 0; k < rows.speakers; k++) writeLetter(ctx, p, k, 4, rows.lanes + k * rows.lane + rows.lane / 2 + 3.2);
  if (rows.tone === 0) return;
  ctx.fillText('+', 5, rows.toneTop + 13);
  ctx.fillText('−', 5, rows.axis - 6);
}

/** The ends of the lines from each offer to its answer, px. Counted moments have none. */
export function arcsIn(picture: Picture): { pin: MomentPin; x0: number; x1: number }[] {
  if (shownPins(picture).bins) return [];
  const { conversation, scale, width } = picture;
  return conversation.pins.flatMap((pin) => {
    if (!pin.offer) return [];
    const x0 = scale.x(pin.offer.at) + 8;
    const x1 = scale.x(pin.at) - 8;
    return x1 - x0 < 6 || x1 < 0 || x0 > width ? [] : [{ pin, x0, x1 }];
  });
}

/** A line is dashed when the answer is uncertain. */
function paintArcs(ctx: CanvasRenderingContext2D, picture: Picture, p: Palette): void {
  ctx.strokeStyle = p['ink-3']!;
  ctx.lineWidth = 1.2;
  const y = PHASES_PX + MOMENTS_PX / 2;
  for (const { pin, x0, x1 } of arcsIn(picture)) {
    const depth = Math.min(15, 5 + (x1 - x0) / 14);
    const reach = Math.min(24, (x1 - x0) / 3);
    ctx.setLineDash(isUnsure(pin.moment.confidence) ? [3, 3] : []);
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
