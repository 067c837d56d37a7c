import { expect, it } from 'vitest';
import { mayBeLater, otherDay } from '../../src/dashboard/pages/next-weekday.ts';

const due = (said: string, date: string) => ({
  ...{ said, date, from: null, time: null },
  ...{ time_zone: 'Europe/Paris', time_zone_source: 'given' as const },
});

it.each([
  // 29 November 2026 is a Sunday.
  ['next Tuesday', '2026-12-01', '2026-11-29T10:00:00Z', '2026-12-08'],
  ['by next Tuesday', '2026-12-08', '2026-11-30T10:00:00Z', '2026-12-01'],
  ['next Sunday', '2026-12-13', '2026-11-30T10:00:00Z', '2026-12-06'],
  // It is Sunday in Paris already.
  ['next Tuesday', '2026-12-01', '2026-11-28T23:30:00Z', '2026-12-08'],
  ['next Tuesday', '2026-12-08', '2026-12-04T10:00:00Z', undefined],
  ['on Tuesday', '2026-12-01', '2026-11-29T10:00:00Z', undefined],
  ['next week', '2026-12-06', '2026-11-29T10:00:00Z', undefined],
])('"%s" for %s, said at %s, may also mean %s', (said, date, at, other) => {
  expect(otherDay(due(said, date), at)).toBe(other);
});

it.each([
  ['next Tuesday', '2026-12-08', true],
  ['next Tuesday', '2026-12-09', false],
  ['on Tuesday', '2026-12-02', false],
])('"%s" that was due on 1 December may be later on %s: %s', (said, today, mayBe) => {
  expect(mayBeLater({ due: due(said, '2026-12-01'), recorded_at: '2026-11-29T10:00:00Z' }, today)).toBe(mayBe);
});
