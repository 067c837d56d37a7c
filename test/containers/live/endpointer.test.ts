import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Endpointer, type EndpointerEvent } from '../../../containers/pipeline/live/endpointer.ts';

const frames = (seconds: number): number => Math.round(seconds / 0.032);
const S = 16_000;

function run(...stretches: [probability: number, seconds: number][]): (EndpointerEvent & { at: number })[] {
  const endpointer = new Endpointer();
  const events: (EndpointerEvent & { at: number })[] = [];
  let frame = 0;
  for (const [probability, seconds] of stretches) {
    for (let i = 0; i < frames(seconds); i++) {
      frame++;
      for (const event of endpointer.push(probability)) events.push({ ...event, at: frame * 0.032 });
    }
  }
  for (const event of endpointer.end()) events.push({ ...event, at: frame * 0.032 });
  return events;
}
const closed = (events: EndpointerEvent[]) => events.flatMap((e) => (e.type === 'closed' ? [e.segment] : []));

it('says nothing about silence', () => {
  expect(run([0.1, 5])).toEqual([]);
});

it('decides the end 0.6 s after speech ended', () => {
  const events = run([0.1, 1], [0.9, 2], [0.1, 2]);
  expect(events.map((e) => e.type)).toEqual(['opened', 'paused', 'closed']);
  expect(events[2]!.at).toBeCloseTo(3.6, 1);
});

it('keeps a margin on both sides of speech', () => {
  const [segment] = closed(run([0.1, 1], [0.9, 2], [0.1, 2]));
  expect(segment!.start / S).toBeCloseTo(0.7, 1);
  expect(segment!.end / S).toBeCloseTo(3.3, 1);
});

it('closes exactly the segment that was paused', () => {
  const events = run([0.1, 1], [0.9, 2], [0.1, 2]);
  const paused = events.find((e) => e.type === 'paused');
  expect(closed(events)).toEqual([paused?.type === 'paused' && paused.segment]);
});

it('goes on over a pause shorter than 0.6 s', () => {
  const events = run([0.9, 1], [0.1, 0.45], [0.9, 1], [0.1, 1]);
  expect(events.map((e) => e.type)).toEqual(['opened', 'paused', 'resumed', 'paused', 'closed']);
});

it('holds speech while the probability stays over the lower threshold', () => {
  expect(closed(run([0.9, 1], [0.4, 3], [0.1, 1]))).toHaveLength(1);
});

it('does not open below the upper threshold', () => {
  expect(run([0.45, 3])).toEqual([]);
});

it('marks a click as too short to hold a word', () => {
  const events = run([0.9, 0.05], [0.1, 1]);
  expect(events.at(-1)).toMatchObject({ type: 'closed', dropped: true });
});

it('cuts speech at 15 s where it is least likely', () => {
  const segments = closed(run([0.9, 12], [0.5, 0.1], [0.9, 6], [0.1, 1]));
  expect(segments).toHaveLength(2);
  expect(segments[0]!.end / S).toBeCloseTo(12, 1);
  expect(segments[1]!.start).toBe(segments[0]!.end);
});

it('closes open speech when the stream ends', () => {
  expect(closed(run([0.9, 1]))).toHaveLength(1);
});

it('gives segments in order, without overlap, none over 15.5 s', () => {
  void fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 60 }))),
      (parts) => {
        const segments = closed(run(...parts.map(([p, n]): [number, number] => [p, n * 0.1])));
        for (const [i, segment] of segments.entries()) {
          expect(segment.start).toBeGreaterThanOrEqual(segments[i - 1]?.end ?? 0);
          expect((segment.end - segment.start) / S).toBeLessThan(16);
        }
      },
    ),
  );
});
