import { expect, it } from 'vitest';
import { DATES } from '../../../src/conversation/en/dates.ts';

/** A Wednesday. */
const SAID = { date: '2026-11-25', time: '10:00' };
const days = (text: string): string[] =>
  DATES.find(text, SAID).map(({ from, date, time }) => [from, date, time].filter(Boolean).join(' '));

it.each([
  ['I will call you tomorrow', '2026-11-26'],
  ['the day after tomorrow', '2026-11-27'],
  ['by Friday', '2026-11-27'],
  ['on Monday at 3 pm', '2026-11-30 15:00'],
  ['on Wednesday', '2026-12-02'],
  ["in a week's time", '2026-12-02'],
  ['in two weeks', '2026-12-09'],
  ['in a couple of days', '2026-11-27'],
  ['next week', '2026-11-30 2026-12-06'],
  ['this week', '2026-11-25 2026-11-29'],
  ['at the weekend', '2026-11-28 2026-11-29'],
  ['by the end of next week', '2026-12-06'],
  ['by the end of the month', '2026-11-30'],
  ['next month', '2026-12-01 2026-12-31'],
  ['in March', '2027-03-01 2027-03-31'],
  ['on the 3rd of December', '2026-12-03'],
  ['this afternoon', '2026-11-25'],
  ['Monday or Tuesday', '2026-11-30 2026-12-01'],
  ['in two to three weeks', '2026-12-09 2026-12-16'],
])('"%s" is %s', (text, day) => {
  expect(days(text)).toEqual([day]);
});

it.each([
  'soon',
  'for two weeks',
  'for the next 14 days',
  'every Monday',
  'since Tuesday',
  'until Friday',
  'three days ago',
  'last week',
  'in the next few days',
  'at 5',
  'I may call you',
  'she sat down',
  'pay the money',
  'a week from Friday',
  'two hours of my time',
  '$5 a month',
])('"%s" names no day on which something is due', (text) => {
  expect(days(text)).toEqual([]);
});

it('is found at its place', () => {
  const text = "We'll have a follow-up in a week's time, OK?";
  const [mention] = DATES.find(text, SAID);
  expect(text.slice(mention!.at, mention!.end)).toBe("in a week's time");
  expect(mention!.text).toBe("in a week's time");
});
