import { expect, it } from 'vitest';
import { RuleWhenSchema } from '../../src/contract/rule-conditions.ts';
import { gapIn, groupOf, KINDS, precisionOf, sentenceOf, whenOf } from '../../src/dashboard/pages/rules/rule-draft.ts';
import { precisionOf as precisionOfService } from '../../src/worker/conversations/rule-trial.ts';

it('every kind of condition that can be added is accepted once its gaps are filled', () => {
  for (const { kind, make } of KINDS) {
    const made = make();
    const gap = gapIn(made);
    expect([kind, gap === undefined]).toEqual([kind, !['said', 'any', 'within'].includes(kind)]);
    if (made.said) made.said.phrases.push('price');
    if (made.any) made.any.push({ said: { phrases: ['price'] } });
    if (made.within) made.within.all.push({ said: { phrases: ['price'] } });
    expect(gapIn(made)).toBeUndefined();
    expect(RuleWhenSchema.safeParse(made).success, kind).toBe(true);
    expect(sentenceOf(made)).not.toMatch(/undefined|NaN|nothing yet/);
  }
});

it('a condition is a group on the page and itself again when it is stored', () => {
  for (const when of [
    { said: { phrases: ['price'] } },
    { not: { silence: { min_seconds: 3 } } },
    { any: [{ said: { phrases: ['a'] } }, { length: { min: 3 } }] },
    { all: [{ said: { phrases: ['a'] } }, { not: { said: { phrases: ['b'] } } }] },
  ])
    expect(whenOf(groupOf(when))).toEqual(when);
  expect(whenOf({ any: [{ length: { min: 3 } }] })).toEqual({ length: { min: 3 } });
  expect(gapIn({ all: [{ said: { phrases: ['a'] } }, { not: { said: { phrases: [] } } }] })).toMatch(/words/);
});

it('a condition is written as a sentence', () => {
  const phrases = ['scam', 'fraud', 'how do I know', 'legitimate', 'suspicious'];
  const said = { said: { phrases, who: { role: 'customer' }, where: { in_question: true, first_seconds: 60 } } };
  expect(
    sentenceOf({ all: [said, { not: { any: [{ length: { max: 120 } }, { language: { is: ['en', 'de'] } }] } }] }),
  ).toBe(
    'the customer says “scam”, “fraud”, “how do I know” or 2 more, in the first 60 s, in a question and ' +
      'not (the recording lasts 2 min or less or the language is en or de)',
  );
  const offer = { moment: { categories: ['cta_offered' as const] } };
  expect(sentenceOf({ within: { seconds: 60, all: [offer, { said: { phrases: ['no'], words: 'exact' } }] } })).toBe(
    'within 60 s offer by somebody and somebody says exactly “no”',
  );
});

it('the precision that the page works out is that of the service', () => {
  expect(precisionOf(0, 0)).toBeNull();
  const { share, from, to } = precisionOf(18, 24)!;
  expect([share.toFixed(2), from.toFixed(2), to.toFixed(2)]).toEqual(['0.75', '0.55', '0.88']);
  for (let judged = 1; judged < 30; judged += 4)
    for (let right = 0; right <= judged; right++)
      expect(precisionOfService(right, judged)).toEqual({ right, judged, ...precisionOf(right, judged) });
});
