import { expect, it } from 'vitest';
import { newestFirst, scaleOf } from '../../src/dashboard/pages/rules/hit-scale.ts';
import { wrongHitsOf } from '../../src/dashboard/pages/rules/wrong-hits.ts';

const thumbs = new Map([
  ['u1', 'up'],
  ['u2', 'down'],
  ['u3', null],
] as const);
const hit = (utterance: string, ...matched: string[]) => ({ utterance, matched });
const phrase = (text: string, n = 0) => ({ path: `when.said.phrases.${n}`, phrase: text, hit_count: 1 });

it('hits stand by how near they are to the words of the rule, judged ones first', () => {
  const when = { said: { phrases: [], words: 'loose' as const } };
  const left = { path: 'when.said.words', when, matched: 2, hit_count: 3, matches: [] };
  const steps = scaleOf(
    [
      hit('u3', 'too expensive'),
      hit('u1', 'too expensive', 'too bloody expensive'),
      hit('u2', 'it costs'),
      hit('u4', 'too bloody expensive'),
    ],
    { phrases: [phrase('Too expensive!'), phrase('it cost', 1)], left_out: [left] },
    thumbs,
  );
  expect(steps).toEqual([
    { label: 'in these words', isIn: true, count: 2, dots: ['right', 'open'] },
    { label: 'in another form', isIn: true, count: 1, dots: ['wrong'] },
    { label: 'with words between', isIn: true, count: 1, dots: ['open'] },
    {
      label: 'with other words between those of a phrase',
      isIn: false,
      count: 3,
      dots: ['open', 'open', 'open'],
    },
  ]);
});

it('conversations stand by the date of their recording, whatever its time zone', () => {
  const dates = ['2026-10-12T20:22:00Z', '2026-11-22T20:22:00Z', '2026-11-22T23:00:00+05:00', '2026-11-20T20:22:00Z'];
  const order = newestFirst(dates.map((recorded_at) => ({ recorded_at }))).map(({ recorded_at }) =>
    dates.indexOf(recorded_at),
  );
  expect(order).toEqual([1, 2, 3, 0]);
});

it('hits of rules without phrases are only heard', () => {
  const steps = scaleOf([hit(''), hit('u2')], { phrases: [], left_out: [] }, thumbs);
  expect(steps).toEqual([{ label: 'heard', isIn: true, count: 2, dots: ['wrong', 'open'] }]);
  expect(scaleOf([], { phrases: [], left_out: [] }, thumbs)).toEqual([]);
});

const phrases = ['scam', 'trustworthy', 'legit'];
const rule = { all: [{ said: { phrases } }, { not: { said: { phrases: ['trustworthy', 'honest'] } } }] };
const quoted = (utterance: string, quote: string, ...matched: string[]) => ({ utterance, quote, matched });
const HITS = [
  quoted('a', 'A trustworthy charity.', 'trustworthy'),
  quoted('b', 'They are trustworthy and legit.', 'trustworthy', 'legit'),
  quoted('c', 'So legit.', 'legit'),
  quoted('d', 'Is it a scam?', 'scam'),
];
const judged = (right: string, wrong: string) =>
  new Map([...Array.from(right, (one) => [one, 'up'] as const), ...Array.from(wrong, (one) => [one, 'down'] as const)]);

it('the words that wrong hits share are named, with changes that would leave them out', () => {
  const wrong = wrongHitsOf(rule, HITS, judged('d', 'abc'))!;
  expect([wrong.count, wrong.shared]).toEqual([
    3,
    [
      ['trustworthy', 2],
      ['legit', 2],
    ],
  ]);
  expect(wrong.remedies).toEqual([
    { label: 'Without “trustworthy”', when: { all: [{ said: { phrases: ['scam', 'legit'] } }, rule.all[1]] } },
    { label: 'Without “legit”', when: { all: [{ said: { phrases: ['scam', 'trustworthy'] } }, rule.all[1]] } },
    { label: 'Only in a question', when: { all: [{ said: { phrases, where: { in_question: true } } }, rule.all[1]] } },
  ]);
});

it('words that right hits have as often are no reason for the wrong ones', () => {
  const told = (text: string) => ['a', 'b', 'c'].map((one) => quoted(one, text, 'legit'));
  const right = quoted('d', 'So legit.', 'legit', 'scam');
  expect(wrongHitsOf(rule, [...told('Legit.'), right], judged('d', 'abc'))!).toEqual({
    count: 3,
    shared: [],
    remedies: [],
  });
  // One of two right hits has them, each of the wrong ones does.
  const half = [...told('Legit.'), right, quoted('e', 'A scam.', 'scam')];
  expect(wrongHitsOf(rule, half, judged('de', 'abc'))!.shared).toEqual([['legit', 3]]);
});

it('nothing is concluded from two wrong hits, and no remedy leaves a rule without words or as it was', () => {
  expect(wrongHitsOf(rule, HITS, judged('d', 'ab'))).toBeNull();
  const only = { said: { phrases: ['legit'], where: { in_question: true } } };
  const hits = ['a', 'b', 'c'].map((one) => quoted(one, 'Legit.', 'legit'));
  expect(wrongHitsOf(only, [...hits, HITS[3]!], judged('d', 'abc'))).toEqual({
    count: 3,
    shared: [['legit', 3]],
    remedies: [],
  });
  // A right hit that is no question would go as well.
  const told = [...hits, quoted('d', 'A scam.', 'scam')];
  expect(wrongHitsOf(rule, told, judged('d', 'abc'))!.remedies.map(({ label }) => label)).toEqual(['Without “legit”']);
});
