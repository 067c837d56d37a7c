import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { Diarization, SpeakerTurn } from './turns.ts';

/** Interval between two levels, s. */
const FRAME_S = 0.02;
const FRAME = SAMPLE_RATE_HZ * FRAME_S;
/** Levels are stored in half decibels above this. */
const LOWEST_DB = -100;
const DB_STEP = 0.5;
const BLOCK_FRAMES = 15_000;
/** The quietest tenth of a channel is its noise. Noise below `LOWEST_NOISE_DB` counts as that level. */
const NOISE_QUANTILE = 0.1;
const LOWEST_NOISE_DB = -70;
/** A channel counts as active when it is this far above its noise. */
const ACTIVE_DB = 9;
/** Half of the range of level differences that is searched, dB. */
const WIDEST_DB = 60;
/** Criteria for two channels with one person each, used by `channelsAreSpeakers`. */
const LEAST_SHARE = 0.02;
const LEAST_SECONDS = 1;
const LEAST_SEPARATION_DB = 10;
const LEAST_BIMODALITY = 0.6;
const LEAST_OWN_ACTIVITY = 0.5;

/** Levels of the two channels of a recording, measured while it is decoded. They take up 360 kB per hour. */
export class ChannelStatistics {
  readonly #blocks: [Uint8Array, Uint8Array][] = [];
  readonly #energy: [number, number] = [0, 0];
  #filled = 0;
  #frames = 0;

  /** Number of 20 ms frames measured so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Adds the next samples of both channels: 16 kHz, full scale = 1, equal lengths. */
  push(left: Float32Array, right: Float32Array): void {
    const [l, r] = [left, right];
    for (let i = 0; i < l.length; i++) {
      this.#energy[0] += l[i]! ** 2;
      this.#energy[1] += r[i]! ** 2;
      if (++this.#filled === FRAME) this.#keep();
    }
  }

  /** Level of a channel in a frame, dB re full scale, at least -100. */
  level(channel: 0 | 1, frame: number): number {
    return LOWEST_DB + DB_STEP * this.#blocks[Math.floor(frame / BLOCK_FRAMES)]![channel][frame % BLOCK_FRAMES]!;
  }

  #keep(): void {
    const at = this.#frames % BLOCK_FRAMES;
    if (at === 0) this.#blocks.push([new Uint8Array(BLOCK_FRAMES), new Uint8Array(BLOCK_FRAMES)]);
    const block = this.#blocks[this.#blocks.length - 1]!;
    for (const channel of [0, 1] as const) {
      const db = 10 * Math.log10(this.#energy[channel] / FRAME + 1e-12);
      block[channel][at] = Math.max(0, Math.round((db - LOWEST_DB) / DB_STEP));
      this.#energy[channel] = 0;
    }
    this.#filled = 0;
    this.#frames++;
  }
}

/** How the levels of two channels relate during speech. */
interface ChannelContrast {
  noise: [number, number];
  /** Border between the two speakers: left minus right, dB. Above it, the person in the left channel speaks. */
  border: number;
  /** Left minus right while the left person speaks, and while the right one does, dB. */
  means: [number, number];
  separated: boolean;
}

/**
 * Whether each channel carries one person of a conversation. If so, the level difference between the channels during
 * speech has two modes far apart (Otsu's threshold, 1979), each with its own channel active. Leakage between the
 * channels narrows the gap but does not close it. The same audio in both channels, music, or an empty channel produce
 * one mode.
 */
export function channelsAreSpeakers(statistics: ChannelStatistics): boolean {
  return contrastOf(statistics).separated;
}

/**
 * A channel is silent if its loud moments stay below the first level while those of the other are above the second, dB.
 */
const SILENT_DB = -60;
const HEARD_DB = -45;
/** Quantile of a channel's levels that represents its loud moments. Clicks are shorter. */
const LOUD_QUANTILE = 0.99;

/** The silent channel of a stereo recording. Undefined when both channels or neither have sound. */
export function silentChannel(statistics: ChannelStatistics): 0 | 1 | undefined {
  if (statistics.frames === 0) return undefined;
  const [left, right] = [levelQuantile(statistics, 0, LOUD_QUANTILE), levelQuantile(statistics, 1, LOUD_QUANTILE)];
  if (left <= SILENT_DB && right >= HEARD_DB) return 0;
  return right <= SILENT_DB && left >= HEARD_DB ? 1 : undefined;
}

/** The channel that is louder in a span. */
export function louderChannel(statistics: ChannelStatistics, { start, end }: Interval): 0 | 1 {
  let difference = 0;
  const last = Math.min(statistics.frames, Math.ceil(end / FRAME_S));
  for (let t = Math.floor(start / FRAME_S); t < last; t++)
    difference += statistics.level(0, t) - statistics.level(1, t);
  return difference >= 0 ? 0 : 1;
}

const noiseOf = (statistics: ChannelStatistics, channel: 0 | 1): number =>
  Math.max(LOWEST_NOISE_DB, levelQuantile(statistics, channel, NOISE_QUANTILE));

/** The level that a given share of a channel's frames lie below, dB. */
function levelQuantile(statistics: ChannelStatistics, channel: 0 | 1, quantile: number): number {
  const counts = new Uint32Array(256);
  for (let t = 0; t < statistics.frames; t++) {
    const step = (statistics.level(channel, t) - LOWEST_DB) / DB_STEP;
    counts[step] = counts[step]! + 1;
  }
  let seen = 0;
  const step = counts.findIndex((count) => {
    seen += count;
    return seen >= quantile * statistics.frames;
  });
  return LOWEST_DB + DB_STEP * Math.max(0, step);
}

function contrastOf(statistics: ChannelStatistics): ChannelContrast {
  const noise: [number, number] = [noiseOf(statistics, 0), noiseOf(statistics, 1)];
  const bins = (2 * WIDEST_DB) / DB_STEP + 1;
  const counts = new Float64Array(bins);
  const own: [Float64Array, Float64Array] = [new Float64Array(bins), new Float64Array(bins)];
  for (let t = 0; t < statistics.frames; t++) {
    const levels = ([0, 1] as const).map((c) => Math.max(noise[c], statistics.level(c, t)));
    const active = ([0, 1] as const).map((c) => levels[c]! > noise[c] + ACTIVE_DB);
    if (!active[0] && !active[1]) continue;
    const difference = Math.max(-WIDEST_DB, Math.min(WIDEST_DB, levels[0]! - levels[1]!));
    const bin = Math.round((difference + WIDEST_DB) / DB_STEP);
    counts[bin] = counts[bin]! + 1;
    for (const c of [0, 1] as const) if (active[c]) own[c][bin] = own[c][bin]! + 1;
  }
  const split = otsu(counts);
  const db = (bin: number): number => bin * DB_STEP - WIDEST_DB;
  const total = split.below + split.above;
  const ownShare = (row: Float64Array, from: number, to: number, of: number): number =>
    row.slice(from, to).reduce((a, b) => a + b, 0) / Math.max(1, of);
  const separated =
    Math.min(split.below, split.above) >= Math.max(LEAST_SHARE * total, LEAST_SECONDS / FRAME_S) &&
    (split.meanAbove - split.meanBelow) * DB_STEP >= LEAST_SEPARATION_DB &&
    split.bimodality >= LEAST_BIMODALITY &&
    ownShare(own[0], split.bin, bins, split.above) >= LEAST_OWN_ACTIVITY &&
    ownShare(own[1], 0, split.bin, split.below) >= LEAST_OWN_ACTIVITY;
  return { noise, border: db(split.bin), means: [db(split.meanAbove), db(split.meanBelow)], separated };
}

interface Split {
  /** First bin of the upper class. */
  bin: number;
  below: number;
  above: number;
  meanBelow: number;
  meanAbove: number;
  /** Variance between the classes as a fraction of the total, 0 to 1. */
  bimodality: number;
}

function otsu(counts: Float64Array): Split {
  let total = 0;
  let sum = 0;
  let squares = 0;
  for (const [bin, count] of counts.entries()) {
    total += count;
    sum += bin * count;
    squares += bin * bin * count;
  }
  const variance = total > 0 ? squares / total - (sum / total) ** 2 : 0;
  let best: Split = { bin: counts.length >> 1, below: 0, above: 0, meanBelow: 0, meanAbove: 0, bimodality: 0 };
  let below = 0;
  let sumBelow = 0;
  for (let bin = 1; bin < counts.length; bin++) {
    below += counts[bin - 1]!;
    sumBelow += (bin - 1) * counts[bin - 1]!;
    const above = total - below;
    if (below === 0 || above === 0) continue;
    const meanBelow = sumBelow / below;
    const meanAbove = (sum - sumBelow) / above;
    const between = (below * above * (meanAbove - meanBelow) ** 2) / total ** 2;
    const bimodality = variance > 0 ? between / variance : 0;
    if (bimodality > best.bimodality) best = { bin, below, above, meanBelow, meanAbove, bimodality };
  }
  return best;
}

/** Longest delay of leakage (echo on a telephone line), s. */
const ECHO_S = 0.3;
/** A channel's own speech is this far above the level that leakage from the other channel would explain, dB. */
const LEAK_MARGIN_DB = 6;
/** Spans shorter than this are joined or dropped, s. */
const SHORTEST_SPAN_S = 0.2;

/**
 * Turns of a recording with one person per channel: the speech found in each channel, excluding leakage from the other
 * one. Speakers are numbered in the order in which their channels first have speech.
 * @param speech regions found in each channel.
 * @returns the turns, and the channel of each speaker.
 */
export function channelTurns(
  statistics: ChannelStatistics,
  speech: [Interval[], Interval[]],
): Diarization & { channels: (0 | 1)[] } {
  const contrast = contrastOf(statistics);
  const turns = ([0, 1] as const)
    .flatMap((channel) => {
      const leaked = leakage(statistics, contrast, channel);
      return speech[channel].flatMap((region) => ownSpans(region, leaked)).map((s) => ({ ...s, channel }));
    })
    .sort((a, b) => a.start - b.start || a.channel - b.channel);
  const order = [...new Set(turns.map((turn) => turn.channel))];
  return {
    turns: turns.map(
      ({ start, end, channel }): SpeakerTurn => ({ start, end, speaker: order.indexOf(channel), confidence: 0.98 }),
    ),
    speakers: { count: order.length, confidence: 0.98, source: 'channels' },
    channels: order,
  };
}

/** 1 for each frame in which the channel has only leakage from the other one. */
function leakage(statistics: ChannelStatistics, contrast: ChannelContrast, channel: 0 | 1): Uint8Array {
  const other = channel === 0 ? 1 : 0;
  // How much louder the other channel's speech is than its leakage into this channel.
  const loss = Math.abs(contrast.means[other]);
  const reach = Math.round(ECHO_S / FRAME_S);
  const leads = Uint8Array.from({ length: statistics.frames }, (_, t) => {
    const level = statistics.level(other, t);
    if (level <= contrast.noise[other] + ACTIVE_DB) return 0;
    const difference = statistics.level(0, t) - statistics.level(1, t);
    return Number(other === 0 ? difference >= contrast.border : difference < contrast.border);
  });
  return Uint8Array.from({ length: statistics.frames }, (_, t) => {
    let loudest = LOWEST_DB;
    for (let k = Math.max(0, t - reach); k <= t; k++)
      if (leads[k]) loudest = Math.max(loudest, statistics.level(other, k));
    return Number(statistics.level(channel, t) < loudest - loss + LEAK_MARGIN_DB);
  });
}

/** The spans of a region that consist mostly of the channel's own speech. */
function ownSpans({ start, end }: Interval, leaked: Uint8Array): Interval[] {
  const first = Math.floor(start / FRAME_S);
  const last = Math.min(leaked.length, Math.ceil(end / FRAME_S));
  const half = Math.round(SHORTEST_SPAN_S / FRAME_S / 2);
  const out: Interval[] = [];
  for (let t = first; t < last; t++) {
    let own = 0;
    let seen = 0;
    for (let k = Math.max(first, t - half); k < Math.min(last, t + half + 1); k++, seen++) own += 1 - leaked[k]!;
    if (2 * own < seen) continue;
    const from = Math.max(start, t * FRAME_S);
    const before = out[out.length - 1];
    if (before && from - before.end < SHORTEST_SPAN_S) before.end = Math.min(end, (t + 1) * FRAME_S);
    else out.push({ start: from, end: Math.min(end, (t + 1) * FRAME_S) });
  }
  return out.filter((span) => span.end - span.start >= SHORTEST_SPAN_S);
}
