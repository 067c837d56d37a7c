import { describe, expect, test } from 'vitest';
import { SAMPLE_RATE_HZ } from '../../../containers/pipeline/audio/interval.ts';
import {
  ChannelStatistics,
  channelsAreSpeakers,
  channelTurns,
} from '../../../containers/pipeline/diarization/channels.ts';
import { add, noise, sine } from '../../../support/synthetic-voice.ts';
import { dialogue, HIGH_VOICE, LOW_VOICE, speak } from './voices.ts';

const TURNS: [number, number][] = [
  [0, 3],
  [1, 2],
  [0, 2],
  [1, 4],
  [0, 1],
  [1, 2],
];
const call = dialogue([LOW_VOICE, HIGH_VOICE], TURNS);
const regionsOf = (talker: number) => call.speech.filter((_, i) => call.talkers[i] === talker);

/** The call with each speaker in a separate channel. */
function channels(): [Float32Array, Float32Array] {
  const alone = (talker: number): Float32Array => {
    const out = Float32Array.from(noise(call.samples.length / SAMPLE_RATE_HZ, 1e-4, talker + 1));
    for (const { start, end } of regionsOf(talker)) {
      const from = Math.round(start * SAMPLE_RATE_HZ);
      out.set(call.samples.subarray(from, Math.round(end * SAMPLE_RATE_HZ)), from);
    }
    return out;
  };
  return [alone(0), alone(1)];
}
const [left, right] = channels();

function statisticsOf(l: Float32Array, r: Float32Array, block = 5000): ChannelStatistics {
  const statistics = new ChannelStatistics();
  for (let at = 0; at < l.length; at += block) statistics.push(l.subarray(at, at + block), r.subarray(at, at + block));
  return statistics;
}
const leaked = (own: Float32Array, other: Float32Array, gain: number, delay = 0): Float32Array =>
  own.map((x, i) => x + gain * (other[i - Math.round(delay * SAMPLE_RATE_HZ)] ?? 0));

describe('channelsAreSpeakers', () => {
  test('detects one person in each channel', () => {
    expect(channelsAreSpeakers(statisticsOf(left, right))).toBe(true);
  });

  test.each([
    ['cross-talk', leaked(left, right, 0.25), leaked(right, left, 0.25)],
    ['an echo', leaked(left, right, 0.12, 0.2), right],
    ['one side 15 dB down', left, right.map((x) => x * 0.18)],
  ])('detects them through %s', (_, l, r) => {
    expect(channelsAreSpeakers(statisticsOf(l, r))).toBe(true);
  });

  const mix = add(left, right);
  const seconds = mix.length / SAMPLE_RATE_HZ;
  const noisy = (seed: number): Float32Array => add(mix, noise(seconds, 1e-3, seed));
  const melody = (from: number): Float32Array =>
    add(...[1, 1.26, 1.5, 2].map((ratio, i) => sine(from * ratio, seconds, 0.05 + 0.02 * i))).map(
      (x, i) => x * (0.4 + 0.6 * Math.abs(Math.sin((2 * Math.PI * i) / 16_000))),
    );
  test.each([
    ['the same sound in both', mix, mix],
    ['the same sound in both, each with noise of its own', noisy(1), noisy(2)],
    ['the same sound, one side softer', mix, mix.map((x) => x / 2)],
    ['an empty channel', mix, new Float32Array(mix.length)],
    ['a channel of noise', mix, noise(seconds, 1e-3, 7)],
    ['music in stereo', melody(220), melody(330)],
    ['silence', new Float32Array(mix.length), new Float32Array(mix.length)],
  ])('is not misled by %s', (_, l, r) => {
    expect(channelsAreSpeakers(statisticsOf(l, r))).toBe(false);
  });

  test('detects nothing before the first sample', () => {
    expect(channelsAreSpeakers(new ChannelStatistics())).toBe(false);
  });
});

describe('channelTurns', () => {
  test('gives each channel its own speech and leaves out leakage', () => {
    const statistics = statisticsOf(leaked(left, right, 0.2), leaked(right, left, 0.2), 333);
    // Speech is found in both channels all the time: half of it is leakage.
    const found = channelTurns(statistics, [call.speech, call.speech]);
    expect(found.speakers).toMatchObject({ count: 2, source: 'channels' });
    for (const [i, { start, end }] of call.speech.entries()) {
      const inside = found.turns.filter((turn) => turn.start < end - 0.2 && turn.end > start + 0.2);
      expect(inside.map((turn) => turn.speaker)).toEqual([call.talkers[i]]);
      expect(inside[0]!.end - inside[0]!.start).toBeGreaterThan((end - start) * 0.8);
    }
  });

  test('keeps simultaneous speech of both channels', () => {
    const { start } = call.speech[3]!;
    const second = speak(LOW_VOICE, 2, 55);
    const into = Math.round((start + 1) * SAMPLE_RATE_HZ);
    const busy = left.map((x, i) => x + (second[i - into] ?? 0));
    const both = { start: start + 1, end: start + 3 };
    const { turns } = channelTurns(statisticsOf(busy, right), [[...regionsOf(0), both], regionsOf(1)]);
    const during = turns.filter((turn) => turn.start < both.end - 0.1 && turn.end > both.start + 0.1);
    expect(during.map((turn) => turn.speaker).sort()).toEqual([0, 1]);
  });

  test('numbers the channel that speaks first 0', () => {
    const found = channelTurns(statisticsOf(right, left), [regionsOf(1), regionsOf(0)]);
    expect(found.turns[0]).toMatchObject({ speaker: 0, start: call.speech[0]!.start });
  });
});
