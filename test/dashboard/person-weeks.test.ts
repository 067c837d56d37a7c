import { describe, expect, it } from 'vitest';
import { notableWeeks, noteOf, placesIn, scaleOf, TIMING, weeksOf } from '../../src/dashboard/pages/person-weeks.ts';
import type { TrendCell } from '../../src/sdk/wire.ts';

const MONDAYS = ['2026-11-02', '2026-11-09', '2026-11-16'];
const [share] = TIMING;
const cell = (day: string, values: number[] | null, more: Partial<TrendCell> = {}): TrendCell => ({
  group: { day },
  n: values?.length ?? 0,
  n_unknown: 0,
  sum: null,
  unsure: 0,
  unsure_share: null,
  mean: null,
  pooled: null,
  quartiles: null,
  values: values?.map((value, i) => ({ conversation_id: `${day}-${i}`, value })) ?? null,
  ...more,
});
const of = (cells: TrendCell[], quartiles: number[] | null = [0.4, 0.5, 0.6]) =>
  weeksOf(share!, { cells, people: [{ person: 'person_a', name: 'Ada', n: 1, quartiles }] }, MONDAYS);

describe('the weeks of a person', () => {
  it('have a median from eight conversations on, and single values below that', () => {
    const seven = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];
    const { weeks } = of([cell('2026-11-02', seven), cell('2026-11-09', seven), cell('2026-11-15', [0.9])]);
    expect(weeks.map(({ n, median }) => [n, median])).toEqual([
      [7, null],
      [8, 0.45],
      [0, null],
    ]);
    expect(weeks[1]!.points.at(-1)).toEqual({ conversation: '2026-11-15-0', value: 0.9, n: 1, day: '2026-11-15' });
  });

  it('have a place of its own for each conversation of a day', () => {
    const { weeks } = of([cell('2026-11-02', [0.5]), cell('2026-11-08', [0.5, 0.5])]);
    expect(placesIn(weeks[0]!).map((place) => Math.round(place * 700))).toEqual([50, 625, 675]);
  });

  it('show the median of a day whose single values are not given, and claim none for its week', () => {
    const { weeks } = of([cell('2026-11-03', null, { n: 9, quartiles: [0.2, 0.3, 0.4] }), cell('2026-11-04', [0.5])]);
    expect(weeks[0]).toMatchObject({ n: 10, median: null });
    expect(weeks[0]!.points[0]).toEqual({ conversation: null, value: 0.3, n: 9, day: '2026-11-03' });
  });

  it('stand out only against the own median, and only with enough conversations', () => {
    const measures = [of([cell('2026-11-02', Array(8).fill(0.3)), cell('2026-11-09', Array(7).fill(0.1))])];
    expect(notableWeeks(measures)).toEqual([{ monday: '2026-11-02', name: 'Talk share', value: '30 %', own: '50 %' }]);
    expect(notableWeeks([of([cell('2026-11-02', Array(8).fill(0.36))])])).toEqual([]);
    expect(notableWeeks([of([cell('2026-11-02', Array(8).fill(0.3))], null)])).toEqual([]);
  });

  it('tell a week whose conversations are not measured from one without conversations', () => {
    const { weeks } = of([cell('2026-11-02', [0.5], { n_unknown: 1 }), cell('2026-11-10', [], { n_unknown: 2 })]);
    expect(weeks.map(({ n, unknown }) => [n, unknown])).toEqual([
      [1, 1],
      [0, 2],
      [0, 0],
    ]);
  });

  it('have an own median from eight conversations on', () => {
    const all = (n: number) => of([cell('2026-11-02', Array(n).fill(0.3)), cell('2026-11-10', [], { n_unknown: 2 })]);
    expect(all(7)).toMatchObject({ n: 7, unknown: 2, own: null });
    expect(all(8)).toMatchObject({ n: 8, unknown: 2, own: [0.4, 0.5, 0.6] });
  });

  it('say what a measure needs and how many conversations do not have it', () => {
    const questions = TIMING.find(({ measure }) => measure === 'questions')!;
    const note = (n: number, unknown: number): string => noteOf({ ...questions, n, unknown });
    expect(note(14, 0)).toBe('how many they ask in an hour of their own speech');
    expect(note(0, 14)).toBe('needs 5 minutes of own speech; none of the 14 conversations has it');
    expect(note(0, 1)).toBe('needs 5 minutes of own speech; the only conversation does not have it');
    expect(note(11, 3)).toBe(
      'how many they ask in an hour of their own speech · needs 5 minutes of own speech; 3 of the 14 conversations do not have it',
    );
    expect(note(13, 1)).toMatch(/; 1 of the 14 conversations does not have it$/);
  });

  it('have a scale that is never empty', () => {
    expect(scaleOf(of([], null))).toEqual([0, 1]);
    expect(scaleOf(of([cell('2026-11-02', [0.5])], [0.5, 0.5, 0.5]))).toEqual([0, 1]);
    expect(scaleOf(of([cell('2026-11-02', [400])], [400, 400, 400]))).toEqual([300, 500]);
    expect(scaleOf(of([cell('2026-11-02', Array(8).fill(0.1))]))).toEqual([0.1, 0.6]);
    // A share is never below nothing.
    expect(scaleOf(of([cell('2026-11-02', [0.1])]))).toEqual([0, 0.6]);
  });
});
