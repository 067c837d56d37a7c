import { describe, expect, it } from 'vitest';
import { RULE_LIMITS, type RuleCondition, RuleWhenSchema } from '../../../src/contract/rule-conditions.ts';
import { type RuleEvaluated, RuleEvaluation } from '../../../src/conversation/rules/evaluation.ts';
import { conversationOf, type RuleConversation, type RuleResult } from '../../../src/conversation/rules/facts.ts';
import { CALL, called } from './calls.ts';

const evaluated = (when: object, conversation: RuleConversation = conversationOf(CALL)): RuleEvaluated =>
  new RuleEvaluation(conversation).evaluate(RuleWhenSchema.parse(when) as RuleCondition);
const outcomeOf = (when: object, conversation?: RuleConversation): string => evaluated(when, conversation).outcome;
const startsOf = (when: object, conversation?: RuleConversation): number[] =>
  evaluated(when, conversation).hits.map(({ start }) => start);

const said = (...phrases: string[]) => ({ said: { phrases } });
/** An offer at 10 s, an objection at 20 s and an acceptance at 90 s. */
const SALE = called(
  [
    { speaker: 'Agent', t_start: 10, text: 'We could offer you the yearly plan.' },
    { speaker: 'Customer', t_start: 20, text: 'That price is too high, sorry.' },
    { speaker: 'Customer', t_start: 90, text: 'All right, I take it. What is the price?' },
  ],
  {
    moments: [
      { category: 'cta_offered', speaker_id: 'Agent', start_ms: 10_000, utterance_ids: ['c_utt_0'], confidence: 0.9 },
      { category: 'objection', speaker_id: 'Customer', start_ms: 20_000, utterance_ids: ['c_utt_1'], confidence: 0.4 },
      {
        category: 'cta_accepted',
        speaker_id: 'Customer',
        start_ms: 90_000,
        utterance_ids: ['c_utt_2'],
        confidence: 0.9,
      },
    ],
  },
);

describe('a phrase', () => {
  it.each([
    ['cancel', 'You cancelled it.'],
    ['cancelled order', 'Cancel orders please.'],
    ['stop', 'It stopped working.'],
    ['try', 'We tried that.'],
    ['price', 'The pricing is unclear.'],
    ["don't", 'I don’t know.'],
    ['CALL', 'They called.'],
  ])('%j is found in any form in %j', (phrase, text) => {
    expect(outcomeOf(said(phrase), called([{ speaker: 'A', t_start: 1, text }]))).toBe('matched');
  });

  it.each([
    ['price', 'The prince left.'],
    ['too high', 'too, and then high'],
    ['manager', ''],
  ])('%j is not found in %j', (phrase, text) => {
    expect(outcomeOf(said(phrase), called([{ speaker: 'A', t_start: 1, text }]))).toBe('not_matched');
  });

  it('is quoted with its place, and a long utterance is cut around it', () => {
    const [hit] = evaluated(said('too high'), SALE).hits;
    expect(hit).toEqual({
      utterances: [1],
      speaker: 'Customer',
      start: 20,
      end: 22,
      quote: 'That price is too high, sorry.',
      spans: [[14, 22]],
      isUnsure: false,
    });
    const text = `${'so it goes on '.repeat(50)}until the price came up${' and on it went'.repeat(50)}`;
    const long = evaluated(said('price'), called([{ speaker: 'A', t_start: 1, text }])).hits[0]!;
    const [[start, end]] = long.spans as [[number, number]];
    expect(long.quote.slice(start, end)).toBe('price');
    expect(long.quote.length).toBeLessThan(260);
  });

  it('is one hit an utterance, with every place in it', () => {
    const conversation = called([{ speaker: 'A', t_start: 1, text: 'Price, price and the pricing.' }]);
    expect(evaluated(said('price'), conversation).hits.map(({ spans }) => spans.length)).toEqual([3]);
  });
});

describe('a place', () => {
  it.each([
    [{ first_seconds: 15 }, []],
    [{ first_seconds: 30 }, [20]],
    [{ last_seconds: 10 }, [90]],
    [{ between_seconds: [20, 90] }, [20]],
    [{ first_share: 0.5 }, [20]],
    [{ last_share: 0.1 }, [90]],
    [{ between_share: [0.5, 1] }, [90]],
    [{ in_question: true }, [90]],
    [{ in_question: false }, [20]],
    [{ after: { categories: ['cta_offered'], within_seconds: 30 } }, [20]],
    [{ after: { categories: ['cta_offered'] } }, [20]],
    [{ after: { categories: ['objection'], within_seconds: 100, min_confidence: 0.5 } }, []],
    [{ after: { categories: ['objection'], within_seconds: 100 } }, [90]],
    [{ first_seconds: 30, in_question: true }, []],
  ])('%j limits a phrase', (where, starts) => {
    expect(startsOf({ said: { phrases: ['price'], where } }, SALE)).toEqual(starts);
  });

  it('after a moment is not the utterance of the moment itself', () => {
    const where = { after: { categories: ['cta_offered'] } };
    expect(startsOf({ said: { phrases: ['yearly plan'], where } }, SALE)).toEqual([]);
  });
});

describe('a combination', () => {
  it('within finds conditions near each other, in either order', () => {
    const both = (seconds: number) => ({ within: { seconds, all: [said('yearly plan'), said('price')] } });
    expect(startsOf(both(10), SALE)).toEqual([10]);
    expect(startsOf(both(9), SALE)).toEqual([]);
    expect(startsOf({ within: { seconds: 10, all: [said('price'), said('yearly plan')] } }, SALE)).toEqual([10]);
    expect(evaluated(both(10), SALE).hits[0]?.utterances).toEqual([0, 1]);
  });

  it('within leaves out what another condition follows', () => {
    const rule = { within: { seconds: 15, all: [said('price'), { not: said('sorry') }] } };
    expect(startsOf(rule, SALE)).toEqual([90]);
    const moment = { moment: { categories: ['cta_accepted'] } };
    const unanswered = { moment: { categories: ['cta_offered'] } };
    expect(startsOf({ within: { seconds: 60, all: [unanswered, { not: moment }] } }, SALE)).toEqual([10]);
    expect(startsOf({ within: { seconds: 80, all: [unanswered, { not: moment }] } }, SALE)).toEqual([]);
  });

  it('all, any and not join the hits in order', () => {
    expect(startsOf({ all: [said('price'), said('yearly plan')] }, SALE)).toEqual([10, 20, 90]);
    expect(startsOf({ any: [said('nothing'), said('sorry')] }, SALE)).toEqual([20]);
    expect(outcomeOf({ not: said('price') }, SALE)).toBe('not_matched');
    expect(evaluated({ not: said('nothing') }, SALE)).toEqual({ outcome: 'matched', hits: [], total: 0, unsure: 0 });
  });

  it('joins the phrases of one utterance', () => {
    const { hits } = evaluated({ all: [said('price'), said('too high'), said('price is')] }, SALE);
    expect(hits.find(({ start }) => start === 20)?.spans).toEqual([
      [5, 13],
      [14, 22],
    ]);
  });
});

describe('an unsure moment', () => {
  const moment = (...categories: string[]) => ({ moment: { categories } });
  const where = (category: string) => ({ after: { categories: [category], within_seconds: 100 } });
  it.each([
    ['makes its own hit unsure', moment('objection', 'cta_accepted'), [20]],
    ['makes a hit unsure that only follows it', { said: { phrases: ['price'], where: where('objection') } }, [90]],
    [
      'is no matter to a hit that follows a sure one',
      { said: { phrases: ['price'], where: where('cta_offered') } },
      [],
    ],
    ['is no matter to words of the same utterance', { any: [moment('objection'), said('too high')] }, []],
    ['makes every hit unsure that needs it', { all: [moment('objection'), said('yearly plan')] }, [10, 20]],
    ['is no matter beside a sure one of its kind', { all: [moment('objection', 'cta_accepted'), said('plan')] }, [20]],
    ['makes a group unsure', { within: { seconds: 20, all: [said('yearly plan'), moment('objection')] } }, [10]],
  ])('%s', (_, when, starts) => {
    const { hits, unsure } = evaluated(when, SALE);
    expect(hits.filter(({ isUnsure }) => isUnsure).map(({ start }) => start)).toEqual(starts);
    expect(unsure).toBe(starts.length);
    expect(hits).not.toEqual([]);
  });
});

describe('a measure', () => {
  const agent = { role: 'agent' };
  it.each([
    [{ moment: { categories: ['objection'] } }, 'matched'],
    [{ moment: { categories: ['objection'], min_confidence: 0.5 } }, 'not_matched'],
    [{ moment: { categories: ['objection'], who: agent } }, 'not_matched'],
    [{ talk_share: { who: agent, max: 0.4 } }, 'matched'],
    [{ talk_share: { who: agent, min: 0.4 } }, 'not_matched'],
    [{ talk_share: { who: { speaker: 'Anna' }, max: 0.4 } }, 'not_matched'],
    [{ length: { min: 100 } }, 'matched'],
    [{ length: { min: 100.5 } }, 'not_matched'],
    [{ length: { max: 99 } }, 'not_matched'],
    [{ silence: { min_seconds: 60 } }, 'matched'],
    [{ silence: { min_seconds: 70 } }, 'not_matched'],
    [{ language: { is: ['en'] } }, 'matched'],
    [{ language: { is: ['de', 'fr'] } }, 'not_matched'],
    [{ interruption: {} }, 'not_matched'],
  ])('%j', (when, outcome) => {
    expect(outcomeOf(when, SALE)).toBe(outcome);
  });

  it('of a language includes its forms', () => {
    const conversation = called([], { language: 'en-GB' });
    expect(outcomeOf({ language: { is: ['EN'] } }, conversation)).toBe('matched');
    expect(outcomeOf({ language: { is: ['en-US'] } }, conversation)).toBe('not_matched');
  });

  it('of interruptions counts them and adds them up', () => {
    expect(outcomeOf({ interruption: { min_count: 2 } })).toBe('not_matched');
    expect(startsOf({ interruption: { min_seconds: 0.5 } })).toEqual([29.5]);
  });

  it('of a transition names its states and speaker', () => {
    const change = {
      from_state: 'calm',
      to_state: 'frustrated',
      at_ms: 20_000,
      evidence_utterance_ids: ['c_utt_1'],
      speaker_id: 'Customer',
      confidence: 0.7,
    } satisfies RuleResult['transitions'][number];
    const lines = SALE.texts.map((text, i) => ({ speaker: i === 0 ? 'Agent' : 'Customer', t_start: i * 20, text }));
    const conversation = called(lines, { transitions: [change] });
    expect(startsOf({ transition: { to: ['frustrated'] } }, conversation)).toEqual([20]);
    expect(outcomeOf({ transition: { to: ['calm'] } }, conversation)).toBe('not_matched');
    expect(outcomeOf({ transition: { who: { speaker: 'agent' } } }, conversation)).toBe('not_matched');
    expect(outcomeOf({ transition: { min_confidence: 0.8 } }, conversation)).toBe('not_matched');
  });
});

describe('what is not known', () => {
  const HALF_WITHHELD = called([
    { speaker: 'Agent', t_start: 1, text: 'Hello', sentiment: null },
    { speaker: 'Customer', t_start: 4, text: 'Hello' },
  ]);
  const negative = (who?: object) => ({ sentiment: { is: ['negative'], who } });

  it('is unknown where affect was withheld, and never false', () => {
    expect(outcomeOf(negative(), HALF_WITHHELD)).toBe('unknown');
    expect(outcomeOf(negative({ role: 'agent' }), HALF_WITHHELD)).toBe('unknown');
    expect(outcomeOf({ not: negative() }, HALF_WITHHELD)).toBe('unknown');
    expect(outcomeOf({ transition: {} }, HALF_WITHHELD)).toBe('unknown');
    expect(outcomeOf(negative({ role: 'customer' }), HALF_WITHHELD)).toBe('not_matched');
    expect(outcomeOf({ sentiment: { is: ['neutral'] } }, HALF_WITHHELD)).toBe('matched');
  });

  it.each([
    ['all', [said('hello'), negative()], 'unknown'],
    ['all', [said('nothing'), negative()], 'not_matched'],
    ['any', [said('hello'), negative()], 'matched'],
    ['any', [said('nothing'), negative()], 'unknown'],
  ])('%s of known and unknown conditions %#', (name, conditions, outcome) => {
    expect(outcomeOf({ [name]: conditions }, HALF_WITHHELD)).toBe(outcome);
  });

  it('makes within unknown, unless what is known decides', () => {
    const within = (...all: object[]) => ({ within: { seconds: 60, all } });
    expect(outcomeOf(within(said('hello'), negative()), HALF_WITHHELD)).toBe('unknown');
    expect(outcomeOf(within(said('hello'), { not: negative() }), HALF_WITHHELD)).toBe('unknown');
    expect(outcomeOf(within(said('nothing'), negative()), HALF_WITHHELD)).toBe('not_matched');
    // One neutral utterance is known; the other may be one, too.
    const neutral = { sentiment: { is: ['neutral'] } };
    expect(outcomeOf({ within: { seconds: 1, all: [said('hello'), { not: neutral }] } }, HALF_WITHHELD)).toBe(
      'unknown',
    );
  });

  it('includes a role that nobody is known to have, if the words occur at all', () => {
    const conversation = called([{ speaker: 'Speaker_0', t_start: 1, text: 'I want a refund.' }]);
    const by = (phrase: string, who: object) => ({ said: { phrases: [phrase], who } });
    expect(outcomeOf(by('refund', { role: 'agent' }), conversation)).toBe('unknown');
    expect(outcomeOf({ not: by('refund', { role: 'agent' }) }, conversation)).toBe('unknown');
    expect(outcomeOf(by('manager', { role: 'agent' }), conversation)).toBe('not_matched');
    expect(outcomeOf(by('refund', { speaker: 'speaker_0' }), conversation)).toBe('matched');
    expect(outcomeOf(by('refund', { speaker: 'Anna' }), conversation)).toBe('not_matched');
    expect(outcomeOf({ talk_share: { who: { role: 'agent' }, min: 0.5 } }, conversation)).toBe('unknown');
  });

  it('includes moments and sentiment of words that were not understood, and an unknown language', () => {
    const conversation = called([
      { speaker: 'A', t_start: 1, text: 'mumble', sentiment: null, unread: 'not_understood' },
    ]);
    expect(outcomeOf({ moment: { categories: ['objection'] } }, conversation)).toBe('unknown');
    expect(outcomeOf(negative(), conversation)).toBe('unknown');
    const where = { after: { categories: ['objection'] } };
    expect(outcomeOf({ said: { phrases: ['mumble'], where } }, conversation)).toBe('unknown');
    expect(outcomeOf({ language: { is: ['en'] } }, called([], { language: null }))).toBe('unknown');
    expect(outcomeOf({ language: { is: ['en'] } }, called([], { language: 'unknown' }))).toBe('unknown');
  });
});

describe('the limits', () => {
  it('refuse a rule with too many conditions and phrases', () => {
    const phrases = Array.from({ length: RULE_LIMITS.phrases }, (_, i) => `p${i}`);
    const three = { any: [said(...phrases), said(...phrases)] };
    const refused = RuleWhenSchema.safeParse(three);
    expect(refused.error?.issues[0]?.message).toBe('has more than 200 conditions and phrases');
    expect(RuleWhenSchema.safeParse(said(...phrases)).success).toBe(true);
  });

  it.each([
    [{}, 'must have exactly one of all, any, not, within, said,'],
    [{ said: { phrases: ['a'] }, length: { min: 1 } }, 'must have exactly one of'],
    [{ within: { seconds: 5, all: [{ length: { min: 1 } }] } }, 'may only have conditions with a place'],
    [{ within: { seconds: 5, all: [{ not: said('a') }] } }, 'may only have conditions with a place'],
    [{ talk_share: { who: { role: 'agent' } } }, 'must have min or max'],
    [{ said: { phrases: ['a'], who: {} } }, 'must have either role or speaker'],
    [{ said: { phrases: ['?'] } }, 'must contain a letter or digit'],
    [{ said: { phrases: ['a'], where: { between_seconds: [2, 1] } } }, 'must begin before it ends'],
  ])('refuse %j', (when, message) => {
    expect(JSON.stringify(RuleWhenSchema.safeParse(when).error?.issues)).toContain(message);
  });

  it('keep the first hits and count all', () => {
    const lines = Array.from({ length: 200 }, (_, i) => ({ speaker: 'A', t_start: i, text: 'price' }));
    const { hits, total } = evaluated(said('price'), called(lines));
    expect([hits.length, hits[0]?.start, total]).toEqual([RULE_LIMITS.hits, 0, 200]);
  });
});
