import { expect, it } from 'vitest';
import { Calendar } from '../../../src/worker/tenant/filters/calendar.ts';
import { meanOf, quartilesOf, ratioOf, studentQuantile } from '../../../src/worker/tenant/patterns/statistics.ts';

it("the quantiles of Student's distribution are those of the tables", () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, for .975.
  const table = { 1: 12.706, 2: 4.303, 3: 3.182, 7: 2.365, 10: 2.228, 30: 2.042, 60: 2.0, 100: 1.984 };
  for (const [degrees, quantile] of Object.entries(table))
    expect(studentQuantile(Number(degrees))).toBeCloseTo(quantile, 3);
  expect(studentQuantile(1e6)).toBeCloseTo(1.95996, 4);
});

it('a mean has the interval of the textbook', () => {
  const { value, from, to } = meanOf([1, 2, 3, 4, 5]);
  expect([value, from, to].map((n) => Number(n.toFixed(4)))).toEqual([3, 1.0368, 4.9632]);
});

it('a pooled ratio counts long conversations more, and has no width where all ratios are equal', () => {
  const pooled = ratioOf([1, 1], [1, 3]);
  expect(pooled.value).toBe(0.5);
  expect(meanOf([1, 1 / 3]).value).toBeCloseTo(2 / 3, 12);
  expect(ratioOf([1, 2, 3], [2, 4, 6])).toEqual({ value: 0.5, from: 0.5, to: 0.5 });
});

it('95 % of the intervals of drawn samples contain the value from which they were drawn', () => {
  let seed = 1;
  const draw = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const share = (isInside: () => boolean) => Array.from({ length: 4000 }, isInside).filter(Boolean).length / 4000;
  const means = share(() => {
    const { from, to } = meanOf(Array.from({ length: 12 }, () => draw() + draw() + draw()));
    return from <= 1.5 && 1.5 <= to;
  });
  expect(means).toBeGreaterThan(0.935);
  expect(means).toBeLessThan(0.965);
  const ratios = share(() => {
    const below = Array.from({ length: 40 }, () => 1 + 4 * draw());
    const { from, to } = ratioOf(
      below.map((length) => length * 0.3 + (draw() - 0.5) * length),
      below,
    );
    return from <= 0.3 && 0.3 <= to;
  });
  expect(ratios).toBeGreaterThan(0.92);
  expect(ratios).toBeLessThan(0.97);
});

it('quartiles are interpolated', () => {
  expect(quartilesOf([4, 1, 3, 2])).toEqual([1.75, 2.5, 3.25]);
  expect(quartilesOf([7])).toEqual([7, 7, 7]);
});

it('days and weeks are those of the time zone, also where the clocks change and before 1970', () => {
  const berlin = new Calendar('Europe/Berlin');
  const at = (iso: string) => Date.parse(iso);
  expect(berlin.dayOf(at('2026-03-28T23:30:00Z'))).toBe('2026-03-29');
  expect(berlin.startOf('2026-03-29')).toBe(at('2026-03-28T23:00:00Z'));
  expect(berlin.startOf('2026-03-30')).toBe(at('2026-03-29T22:00:00Z'));
  expect(berlin.weekOf(at('2026-03-29T21:59:00Z'))).toBe('2026-03-23');
  expect(berlin.weekOf(at('2026-03-29T22:00:00Z'))).toBe('2026-03-30');
  expect(berlin.monthOf(at('2026-03-31T22:30:00Z'))).toBe('2026-04-01');
  expect(new Calendar('UTC').weekOf(at('1969-12-28T12:00:00Z'))).toBe('1969-12-22');
  expect(new Calendar('Asia/Kathmandu').dayOf(at('2026-01-01T18:14:00Z'))).toBe('2026-01-01');
  expect(new Calendar('Asia/Kathmandu').dayOf(at('2026-01-01T18:15:00Z'))).toBe('2026-01-02');
});
