import { expect, it } from 'vitest';
import { RuleWhenSchema } from '../../src/contract/rule-conditions.ts';
import { wideningsOf } from '../../src/conversation/rules/widenings.ts';
import { labelOfSpeaker, speakerName } from '../../src/dashboard/lib/speaker-names.ts';
import {
  afterOfferOf,
  gapIn,
  groupOf,
  KINDS,
  precisionOf,
  sentenceOf,
  whenOf,
  widerIn,
} from '../../src/dashboard/pages/rules/rule-draft.ts';
import { countsOf } from '../../src/dashboard/pages/rules/trial-counts.ts';
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

it('only a bare phrase is narrowed to the time after an offer', () => {
  const said = { phrases: ['price'], words: 'exact' as const, who: { role: 'customer' } };
  const narrowed = afterOfferOf({ said })!;
  expect(narrowed.said).toMatchObject(said);
  expect(sentenceOf(narrowed)).toBe('the customer says exactly “price”, within 60 s after an offer');
  expect(RuleWhenSchema.safeParse(narrowed).success).toBe(true);
  for (const other of [narrowed, { all: [{ said }, { length: { min: 3 } }] }, { silence: { min_seconds: 3 } }])
    expect(afterOfferOf(other)).toBeUndefined();
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
    'within 60 s there is an offer by somebody and somebody says exactly “no”',
  );
});

it('every step by which a rule can be wider is written in words', () => {
  const who = { role: 'agent' };
  const where = { first_seconds: 60 };
  const when = RuleWhenSchema.parse({
    all: [
      { said: { phrases: ['too high'], words: 'exact', who, where } },
      { moment: { categories: ['objection'], min_confidence: 0.5 } },
      { silence: { min_seconds: 10 } },
      { interruption: { min_count: 2, min_seconds: 3 } },
      { talk_share: { who, min: 0.6, max: 0.8 } },
      { length: { min: 300, max: 600 } },
      { not: { said: { phrases: ['honest'] } } },
    ],
  });
  const steps = wideningsOf(when);
  expect(steps.map((step) => [step.path, widerIn(step)])).toEqual([
    ['when.all.0.said.words', 'in another form of the words'],
    ['when.all.0.said.who', 'of other speakers'],
    ['when.all.0.said.where', 'elsewhere in the conversation'],
    ['when.all.1.moment.min_confidence', 'from 40 % sure'],
    ['when.all.2.silence.min_seconds', 'from 8 s'],
    ['when.all.3.interruption.min_count', 'from 1 time'],
    ['when.all.3.interruption.min_seconds', 'from 2.4 s'],
    ['when.all.4.talk_share.min', 'from 55 %'],
    ['when.all.4.talk_share.max', 'up to 85 %'],
    ['when.all.5.length.min', 'from 240 s'],
    ['when.all.5.length.max', 'up to 750 s'],
    ['when.all.6.not', 'without the exclusion'],
  ]);
  const within = wideningsOf({ within: { seconds: 60, all: [when.all![0]!, when.all![1]!] } });
  expect(within.map(({ path }) => path)[0]).toBe('when.within.seconds');
  expect(widerIn(within[0]!)).toBe('within 75 s');
  expect(wideningsOf({ not: when })).toEqual([]);
});

it('the counts of a trial belong to the parts that were tried', () => {
  const when = { all: [{ said: { phrases: ['a', 'b'] } }, { not: { length: { max: 30 } } }] };
  const counts = countsOf(when, {
    phrases: [
      { path: 'when.all.0.said.phrases.0', phrase: 'a', hit_count: 3 },
      { path: 'when.all.0.said.phrases.1', phrase: 'b', hit_count: 0 },
    ],
    left_out: [{ path: 'when.all.1.not', when: { all: [] }, matched: 2, hit_count: 4, matches: [] }],
  });
  expect(counts.phrases.get(when.all[0]!.said!.phrases)).toEqual([3, 0]);
  expect(counts.takenAway.get(when.all[1]!)).toBe(4);
  expect(counts.phrases.get(['a', 'b'])).toBeUndefined();
});

it('a speaker is named by a letter or a name, and has to be named', () => {
  for (const name of ['Speaker A', 'Speaker H']) expect(speakerName(labelOfSpeaker(name))).toBe(name);
  expect(labelOfSpeaker('Anna')).toBe('Anna');
  expect(gapIn({ said: { phrases: ['a'], who: { speaker: '' } } })).toBe('Name the speaker.');
});

it('the precision that the page works out is that of the service', () => {
  expect(precisionOf(0, 0)).toBeNull();
  const { share, from, to } = precisionOf(18, 24)!;
  expect([share.toFixed(2), from.toFixed(2), to.toFixed(2)]).toEqual(['0.75', '0.55', '0.88']);
  for (let judged = 1; judged < 30; judged += 4)
    for (let right = 0; right <= judged; right++)
      expect(precisionOfService(right, judged)).toEqual({ right, judged, ...precisionOf(right, judged) });
});
