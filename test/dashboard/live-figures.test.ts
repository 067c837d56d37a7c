import { expect, it } from 'vitest';
import type { AnalysisLine } from '../../src/dashboard/lib/analysis-events.ts';
import { figuresOf } from '../../src/dashboard/lib/live-figures.ts';

const line = (speaker: number, start: number, end: number, text = 'some words'): AnalysisLine => ({
  ...{ id: `u${start}`, speaker, start, end, text, tone: undefined },
});
const valuesOf = (lines: readonly AnalysisLine[]): Record<string, string> =>
  Object.fromEntries(figuresOf(lines, 2).figures.map(([name, value, unit]) => [name, `${value} ${unit}`.trim()]));

it('has no figures that it cannot know before anyone has spoken', () => {
  expect(figuresOf([], 0).shares).toEqual([]);
  expect(valuesOf([])).toEqual({
    'Pace of the last line': '– words/min',
    Questions: '0',
    'Longest turn': '0 s',
    Silence: '0 %',
  });
});

it('shares all speech between the speakers', () => {
  expect(figuresOf([line(0, 0, 6), line(1, 6, 8)], 2).shares).toEqual([75, 25]);
});

it('takes the pace from the words of the last line alone, and counts the questions of all lines', () => {
  const lines = [
    line(0, 0, 60, 'One?'),
    line(1, 60, 64, ' Would you like to see it? '),
    line(0, 64, 66, 'Yes, I would'),
  ];
  expect(valuesOf(lines)).toMatchObject({ 'Pace of the last line': '90 words/min', Questions: '2' });
});

it('counts consecutive lines of one speaker as one turn', () => {
  expect(valuesOf([line(0, 0, 4), line(0, 5, 9), line(1, 9, 11), line(0, 12, 14)])['Longest turn']).toBe('9 s');
});

it('counts speech that overlaps once, and the silence between lines, not before the first', () => {
  expect(valuesOf([line(0, 2, 6), line(1, 4, 8), line(0, 9, 10)]).Silence).toBe('13 %');
});

it('puts lines that arrive late in their place', () => {
  expect(valuesOf([line(1, 5, 10), line(0, 0, 5)])).toMatchObject({ Silence: '0 %', 'Longest turn': '5 s' });
});
