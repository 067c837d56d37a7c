import { expect, it } from 'vitest';
import { HISTOGRAMS, ObservedValues } from '../../src/worker/metrics/histograms.ts';
import { writePoints } from '../../src/worker/metrics/points.ts';

/** Limits of a point: blobs, doubles, and the bytes of an index. */
const MOST = { blobs: 20, doubles: 20, indexBytes: 96 };

function written(counts: Parameters<typeof writePoints>[1]): object[] {
  const points: object[] = [];
  writePoints({ writeDataPoint: (point: object = {}) => void points.push(point) }, counts);
  return points;
}

it('writes a point for each series, with its labels, its number, its sum and its buckets', () => {
  const observed = new ObservedValues();
  observed.add('request_seconds', 0.02, 'GET /health', '2xx');
  observed.add('request_seconds', 3, 'GET /health', '2xx');
  const [request, ...others] = written({
    events: { done: 2 },
    latency: { utterance: { sumMs: 500, count: 4 } },
    observed: observed.drain(),
  });
  expect(request).toEqual({
    indexes: ['request_seconds'],
    blobs: ['request_seconds', 'GET /health', '2xx'],
    doubles: [2, 3.02, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0],
  });
  expect(others).toEqual([
    { indexes: ['agent_seconds'], blobs: ['agent_seconds', 'utterance'], doubles: [4, 0.5] },
    { indexes: ['events_total'], blobs: ['events_total', 'done'], doubles: [2] },
  ]);
});

it('stays within the limits of a point and of an invocation', () => {
  for (const [name, { labels, bounds }] of Object.entries(HISTOGRAMS)) {
    expect(name.length).toBeLessThanOrEqual(MOST.indexBytes);
    expect(1 + labels.length).toBeLessThanOrEqual(MOST.blobs);
    expect(2 + bounds.length + 1).toBeLessThanOrEqual(MOST.doubles);
  }
  const events = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`event${i}`, 1]));
  expect(written({ events, latency: {}, observed: [] })).toHaveLength(250);
});

it('writes nothing without the binding', () => {
  expect(() => writePoints(undefined, { events: { done: 1 }, latency: {}, observed: [] })).not.toThrow();
});
