import { expect, it, vi } from 'vitest';
import { daysAfter, mondays } from '../../src/sdk/days.ts';
import { patternColumns, queryOfView } from '../../src/sdk/page-filters.ts';

const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ofPatterns = (query: string) => queryOfView({ page: 'patterns', query }).query;

it('the weeks of a view of Patterns count back from this one, unless some were chosen', () => {
  expect(ofPatterns('')).toEqual({ from: mondays(8)[0], tz });
  expect(ofPatterns('weeks=13&q=price')).toEqual({ from: mondays(13)[0], tz, q: 'price' });
  expect(ofPatterns('from=2026-09-28&to=2026-10-12')).toEqual({ from: '2026-09-28', to: '2026-10-12', tz });
  expect(ofPatterns('week=2026-09-28')).toEqual({ from: '2026-09-28', to: '2026-10-05', tz });
});

it('a view of Patterns that looks back on more than 13 weeks has whole months, the running one included', () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T12:00:00'), toFake: ['Date'] });
  try {
    expect(patternColumns(13)).toEqual({ span: 'week', days: mondays(13) });
    const half = ['2025-08-01', '2025-09-01', '2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01'];
    expect(patternColumns(26)).toEqual({ span: 'month', days: half });
    expect(ofPatterns('weeks=26')).toEqual({ from: '2025-08-01', tz });
    expect(ofPatterns('weeks=52')).toEqual({ from: '2025-02-01', tz });
    expect(patternColumns(52).days).toHaveLength(12);
  } finally {
    vi.useRealTimers();
  }
});

it('several categories stay together', () => {
  expect(ofPatterns('category=objection,cta_offered')).toMatchObject({ category: 'objection,cta_offered' });
});

it.each(['weeks=5', 'week=2026-99-99', 'from=2026-10-12&to=2026-09-28', 'category=praise', 'colour=red', 'at=m_1'])(
  '%s of an old or a mistaken address is left out',
  (query) => {
    expect(ofPatterns(query)).toEqual({ from: mondays(8)[0], tz });
  },
);

it('the choices of the list are ranges of its query', () => {
  const { query } = queryOfView({
    page: 'conversations',
    query: 'length=medium&with=objection&tone=negative&sort=oldest',
  });
  expect(query).toMatchObject({
    ...{ min_duration: 300, max_duration: 1800, moment: 'objection', sentiment: 'negative', sort: 'oldest' },
    ...{ from: undefined, q: undefined },
  });
  const recent = queryOfView({ page: 'conversations', query: 'when=7d&tone=glad' }).query as { from: string };
  expect(Date.now() - Date.parse(recent.from)).toBeGreaterThanOrEqual(7 * 86_400_000);
  expect(recent).toMatchObject({ sentiment: undefined });
});

it('commitments are those still open at any time, unless the view says otherwise', () => {
  const ofCommitments = (query: string) => queryOfView({ page: 'commitments', query }).query;
  expect(ofCommitments('')).toEqual({ status: 'open,accepted' });
  const monday = mondays(1)[0]!;
  const { due_before } = ofCommitments('due=week&status=done&person=Anna') as { due_before: string };
  expect(due_before > daysAfter(monday, 7)).toBe(true);
  expect(ofCommitments('due=week&status=done&person=Anna')).toEqual({ status: 'done', person: 'Anna', due_before });
});
