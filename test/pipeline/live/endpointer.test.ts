import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Endpointer, type EndpointerEvent } from '../../../containers/pipeline/live/endpointer.ts';

const frames = (seconds: number): number => Math.round(seconds / 0.032);
const S = 16_000;

type Timed = EndpointerEvent & { at: number };

function run(...stretches: [probability: number, seconds: number][]): Timed[] {
  const endpointer = new Endpointer(15);
  const events: Timed[] = [];
  let frame = 0;
  const take = (event: EndpointerEvent | null) => event && events.push({ ...event, at: frame * 0.032 });
  for (const [probability, seconds] of stretches) {
    for (let i = 0; i < frames(seconds); i++) {
      frame++;
      take(endpointer.push(probability));
    }
  }
  take(endpointer.end());
  return events;
}
const types = (events: Timed[]) => events.map(({ type }) => type);

it('gives no event for silence', () => {
  expect(run([0.1, 5])).toEqual([]);
});

it('decides the end 0.6 s after speech', () => {
  const events = run([0.1, 1], [0.9, 2], [0.1, 2]);
  expect(types(events)).toEqual(['opened', 'paused', 'closed']);
  expect(events[2]!.at).toBeCloseTo(3.6, 1);
});

it('includes some silence before speech, none of it twice', () => {
  const starts = run([0.1, 1], [0.9, 2], [0.1, 0.65], [0.9, 1], [0.1, 1]).flatMap((event) =>
    event.type === 'opened' ? [event.start / S] : [],
  );
  expect(starts[0]).toBeCloseTo(0.7, 1);
  expect(starts[1]).toBeCloseTo(3.35, 1);
});

it('bridges a pause shorter than 0.6 s', () => {
  const events = run([0.9, 1], [0.1, 0.45], [0.9, 1], [0.1, 1]);
  expect(types(events)).toEqual(['opened', 'paused', 'paused', 'closed']);
});

it('continues speech while the probability stays over the lower threshold', () => {
  expect(types(run([0.9, 1], [0.4, 3], [0.1, 1]))).toEqual(['opened', 'paused', 'closed']);
});

it('does not open below the upper threshold', () => {
  expect(run([0.45, 3])).toEqual([]);
});

it('marks a click as too short to hold a word', () => {
  expect(run([0.9, 0.05], [0.1, 1]).at(-1)).toMatchObject({ type: 'closed', dropped: true });
});

it('reports long speech after 19 s, and again while none of it is emitted', () => {
  const long = run([0.9, 21], [0.1, 1]).filter(({ type }) => type === 'long');
  expect(long[0]!.at).toBeCloseTo(19, 1);
  expect(long[1]!.at).toBeCloseTo(20, 1);
});

it('counts again from where the open speech was emitted', () => {
  const endpointer = new Endpointer(15);
  for (let frame = 0; frame < frames(19); frame++) endpointer.push(0.9);
  expect(endpointer.push(0.9)?.type).toBe('long');
  endpointer.continueFrom(12);
  let after = 1;
  while (endpointer.push(0.9) === null) after++;
  expect(19 + after * 0.032).toBeCloseTo(31, 1);
});

it('closes open speech when the stream ends', () => {
  expect(types(run([0.9, 1]))).toEqual(['opened', 'closed']);
});

it('opens and closes in turn', () => {
  void fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 60 }))),
      (parts) => {
        const events = run(...parts.map(([p, n]): [number, number] => [p, n * 0.1]));
        const bounds = types(events).filter((type) => type === 'opened' || type === 'closed');
        expect(bounds).toEqual(bounds.map((_, i) => (i % 2 === 0 ? 'opened' : 'closed')));
        expect(bounds.length % 2).toBe(0);
      },
    ),
  );
});
