import type { SoundLevels, UtteranceLine } from '../model.ts';
import { colourOf, FADED, isFaded, linesBetween, type Palette, type Picture } from './picture.ts';

/** Width of one bar, px. */
const BAR_PX = 3;
const OVERLAP = 0.08;
/** The fraction of the sounding parts of a recording that fit into its lanes. */
const FITTING = 0.95;
/** Minimum level that fills a lane, 0 to 255, so that the noise of a silent recording stays small. */
const MIN_FULL = 48;

/** Sound levels within the speakers' turns. Without audio, these are plain blocks. */
export function paintLanes(
  ctx: CanvasRenderingContext2D,
  picture: Picture,
  p: Palette,
  inView: readonly UtteranceLine[],
): void {
  const { rows, levels } = picture;
  const middle = (speaker: number): number => rows.lanes + speaker * rows.lane + rows.lane / 2;
  const half = rows.lane / 2 - (rows.lane < 24 ? 3 : 6);
  ctx.save();
  ctx.beginPath();
  ctx.rect(rows.left, 0, picture.width, rows.height);
  ctx.clip();
  const byFading = Map.groupBy(inView, (line) => isFaded(picture, line));
  for (const [alpha, lines] of [
    [FADED, byFading.get(true)],
    [1, byFading.get(false)],
  ] as const) {
    if (!lines) continue;
    ctx.globalAlpha = alpha;
    for (let speaker = 0; speaker < rows.speakers; speaker++) {
      const own = lines.filter((line) => line.speaker === speaker);
      if (own.length === 0) continue;
      ctx.strokeStyle = ctx.fillStyle = colourOf(p, speaker);
      if (levels && levels.channels.length > 0) paintBars(ctx, picture, own, middle(speaker), half);
      else paintBlocks(ctx, picture, own, middle(speaker), half);
    }
    paintHatches(ctx, picture, p, lines, middle, half);
  }
  ctx.restore();
}

/** All bars of a speaker as one path. Where lines overlap, they share one bar. */
function paintBars(
  ctx: CanvasRenderingContext2D,
  picture: Picture,
  own: readonly UtteranceLine[],
  middle: number,
  half: number,
): void {
  const { scale, width, levels, conversation } = picture;
  const { channels, rate } = levels!;
  const speaker = own[0]!.speaker;
  const isOwn = conversation.result.media.speaker_per_channel;
  const sums = sumsOf(channels[isOwn ? speaker : 0] ?? channels[0]!);
  const full = fullLevelOf(levels!);
  ctx.lineWidth = 2;
  ctx.lineCap = 'round';
  ctx.beginPath();
  let done = 0;
  for (const line of own) {
    const x0 = scale.x(line.start);
    const to = Math.min(width, Math.max(scale.x(line.end), x0 + BAR_PX));
    let x = Math.max(done, Math.ceil(Math.max(0, x0) / BAR_PX) * BAR_PX);
    for (; x < to; x += BAR_PX) {
      const h = Math.max(0.6, height(sums, rate, full, scale.t(x), scale.t(x + BAR_PX)) * half);
      ctx.moveTo(x + 1, middle - h);
      ctx.lineTo(x + 1, middle + h);
    }
    done = Math.max(done, x);
  }
  ctx.stroke();
}

function paintBlocks(
  ctx: CanvasRenderingContext2D,
  { scale, rows }: Picture,
  own: readonly UtteranceLine[],
  middle: number,
  half: number,
): void {
  ctx.beginPath();
  for (const line of own) {
    const x = scale.x(line.start);
    const wide = Math.max(1, scale.x(line.end) - x - 0.4);
    if (wide < 3) ctx.rect(x, middle - half, wide, half * 2);
    else ctx.roundRect(x, middle - half, wide, half * 2, rows.lane < 24 ? 1.5 : 3);
  }
  ctx.fill();
}

const sums = new WeakMap<Uint8Array, Uint32Array>();
/** Prefix sums of the levels, computed once per channel, so that every mean takes the same time. */
function sumsOf(channel: Uint8Array): Uint32Array {
  let found = sums.get(channel);
  if (found) return found;
  found = new Uint32Array(channel.length + 1);
  for (let i = 0; i < channel.length; i++) found[i + 1] = found[i]! + channel[i]!;
  sums.set(channel, found);
  return found;
}

const fullLevels = new WeakMap<SoundLevels, number>();
/** The level that fills a lane, 0 to 255: the 95th percentile of a recording's levels above 0. */
export function fullLevelOf(levels: SoundLevels): number {
  const known = fullLevels.get(levels);
  if (known !== undefined) return known;
  const counts = new Uint32Array(256);
  for (const channel of levels.channels) for (const level of channel) counts[level]!++;
  counts[0] = 0;
  const wanted = FITTING * counts.reduce((sum, count) => sum + count, 0);
  let full = 0;
  for (let seen = 0; seen < wanted; full++) seen += counts[full + 1]!;
  full = Math.max(MIN_FULL, full);
  fullLevels.set(levels, full);
  return full;
}

/** Mean level between two times, as a fraction of the lane's height. Loud passages are expanded. */
function height(sums: Uint32Array, rate: number, full: number, from: number, to: number): number {
  const last = sums.length - 1;
  const a = Math.min(last, Math.floor(from * rate));
  const b = Math.min(last, Math.max(a + 1, Math.floor(to * rate)));
  return Math.min(1, ((sums[b]! - sums[a]!) / Math.max(1, b - a) / full) ** 1.35);
}

const isHatched = ({ entry }: UtteranceLine): boolean => entry.overlap_ratio > OVERLAP;

/** Whether anything in view is hatched. */
export const hasHatches = (picture: Picture): boolean =>
  linesBetween(picture, picture.view.from, picture.view.to).some(isHatched);

/** Hatching where two people speak at the same time. */
function paintHatches(
  ctx: CanvasRenderingContext2D,
  { scale }: Picture,
  p: Palette,
  lines: readonly UtteranceLine[],
  middle: (speaker: number) => number,
  half: number,
): void {
  ctx.strokeStyle = p.surface!;
  ctx.lineWidth = 2;
  ctx.lineCap = 'butt';
  ctx.beginPath();
  for (const line of lines) {
    if (!isHatched(line)) continue;
    const share = line.entry.overlap_ratio;
    const x = scale.x(line.start);
    const wide = Math.max(3, (scale.x(line.end) - x) * share);
    const bottom = middle(line.speaker) + half;
    // Each stroke rises as far as it runs to the right, within the area.
    for (let d = -half * 2; d < wide; d += 7) {
      const from = Math.max(0, d);
      const to = Math.min(wide, d + half * 2);
      ctx.moveTo(x + from, bottom - (from - d));
      ctx.lineTo(x + to, bottom - (to - d));
    }
  }
  ctx.stroke();
}
