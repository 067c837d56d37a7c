import { describe, expect, it } from 'vitest';
import { FRAME_S, speechRegions } from '../../../containers/pipeline/audio/speech.ts';
import { StreamLayout, type StreamSegment } from '../../../containers/pipeline/live/layout.ts';
import { recognitionSegments } from '../../../containers/pipeline/recognition/segments.ts';

const turn = (start: number, end: number, speaker: number) => ({ start, end, speaker, confidence: 1 });
/** Probabilities of alternating speech and silence, s; speech comes first. */
const frames = (...seconds: number[]): number[] =>
  seconds.flatMap((length, i) =>
    Array.from({ length: Math.round(length / FRAME_S) }, () => (i % 2 === 0 ? 0.95 : 0.02)),
  );
/** Pushes speech and silence and lays out after each silence, as when speech has ended. */
function layouts(turns: ReturnType<typeof turn>[], ...seconds: number[]): StreamSegment[][] {
  const layout = new StreamLayout(15);
  const out: StreamSegment[][] = [];
  for (let i = 0; i < seconds.length; i += 2) {
    for (const p of frames(seconds[i]!)) layout.push(p, true);
    for (const p of frames(0, seconds[i + 1]!).slice(0, 19)) layout.push(p, true);
    out.push(layout.lay(layout.speech(), turns));
    for (const p of frames(0, seconds[i + 1]!).slice(19)) layout.push(p, false);
  }
  return out;
}

describe('the layout of a stream', () => {
  it('joins speech after a short pause with the speech before it, and emits its words only', () => {
    const [first, second] = layouts([turn(0, 10, 0)], 2, 0.8, 3, 2);
    expect(first).toHaveLength(1);
    expect(first![0]!.emittedUntil).toBe(Number.NEGATIVE_INFINITY);
    expect(second).toHaveLength(1);
    expect(second![0]!.start).toBe(0);
    expect(second![0]!.emittedUntil).toBeCloseTo(2.4, 1);
    expect(second![0]!.emitFrom).toBeCloseTo(2.5, 1);
  });

  it('separates speech after a longer pause, or when somebody else speaks', () => {
    for (const [turns, pause] of [
      [[turn(0, 10, 0)], 1.5],
      [[turn(0, 2.3, 0), turn(2.3, 10, 1)], 0.8],
    ] as const) {
      const [, second] = layouts([...turns], 2, pause, 3, 2);
      expect(second![0]!.start).toBeGreaterThan(2);
      expect(second![0]!.emittedUntil).toBe(Number.NEGATIVE_INFINITY);
    }
  });

  it('emits nothing twice', () => {
    const all = layouts([turn(0, 100, 0)], 2, 0.7, 3, 0.8, 4, 1.5, 2, 0.9, 1, 3).flat();
    const spans = all.map(({ emitFrom, end }) => [emitFrom, end] as const);
    for (const [i, [from]] of spans.entries()) expect(from).toBeGreaterThanOrEqual(spans[i - 1]?.[1] ?? 0);
  });

  it('gives the segments of the whole file', () => {
    const seconds = [2, 0.7, 3, 0.8, 4, 1.5, 2, 0.55, 9, 0.9, 7, 3];
    const turns = [turn(0, 14, 0), turn(14, 40, 1)];
    const probabilities = frames(...seconds);
    const whole = recognitionSegments(
      speechRegions(probabilities, { pad: 0 }),
      Float32Array.from(probabilities),
      turns,
      15,
    );
    const pauses = [2, 0.7, 3, 0.8, 4, 1.5, 11.55, 0.9, 7, 3];
    const layout = new StreamLayout(15);
    const emitted = new Map<number, StreamSegment>();
    let at = 0;
    for (const [i, length] of pauses.entries()) {
      for (let frame = 0; frame < Math.round(length / FRAME_S) && at < probabilities.length; frame++, at++) {
        layout.push(probabilities[at]!, i % 2 === 0 || frame < 19);
        if (i % 2 === 1 && frame === 18)
          for (const segment of layout.lay(layout.speech(), turns)) emitted.set(segment.start, segment);
      }
    }
    const bounds = ({ start, end }: { start: number; end: number }) => [start.toFixed(3), end.toFixed(3)];
    expect([...emitted.values()].map(bounds)).toEqual(whole.map(bounds));
  });

  it('emits the parts of long speech that whole files would cut off', () => {
    const layout = new StreamLayout(15);
    const probabilities = [...frames(11, 0.1), ...frames(8)];
    for (const p of probabilities) layout.push(p, true);
    const [begun, ...others] = layout.layBegun(layout.speech(), [turn(0, 30, 0)]);
    expect(others).toEqual([]);
    expect(begun!.end).toBeCloseTo(11.05, 1);
    expect(layout.from).toBeCloseTo(11.05, 1);
    for (const p of frames(2, 0.6)) layout.push(p, true);
    const [rest] = layout.lay(layout.speech(), [turn(0, 30, 0)]);
    expect(rest!.start).toBeCloseTo(begun!.end, 3);
  });

  it('needs no sound of a long silence', () => {
    const layout = new StreamLayout(15);
    for (const p of frames(2, 0.6)) layout.push(p, true);
    layout.lay(layout.speech(), []);
    for (const p of frames(0, 60)) layout.push(p, false);
    expect(layout.needed).toBeGreaterThan(61);
  });

  it('gives each region to the diarization once', () => {
    const layout = new StreamLayout(15);
    for (const p of frames(2, 0.4)) layout.push(p, true);
    expect(layout.voices()).toHaveLength(1);
    expect(layout.voices()).toEqual([]);
    for (const p of frames(1, 0.7)) layout.push(p, true);
    const [voice] = layout.voices();
    expect(voice!.start).toBeGreaterThanOrEqual(2);
  });
});
