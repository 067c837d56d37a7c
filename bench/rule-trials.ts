import type { RuleTryResult } from '../src/contract/rules.ts';
import type { Table } from './report.ts';

const MOST_TRIAL_MS = 5_000;
const TRIALS = 5;

const said = (...phrases: string[]) => ({ said: { phrases } });
const CONDITIONS: [string, object][] = [
  ['a phrase', said('too expensive')],
  [
    'twenty phrases',
    said(
      ...'price,cost,money,pay,cheap,expensive,discount,offer,deal,budget'.split(','),
      ...'meet on,call me,next week,thank you,of course,no problem,i see,good morning,how much,i agree'.split(','),
    ),
  ],
  [
    'an offer that nobody answers in 60 s',
    {
      within: {
        seconds: 60,
        all: [
          { moment: { categories: ['cta_offered'] } },
          { not: { moment: { categories: ['cta_accepted', 'cta_rejected'] } } },
        ],
      },
    },
  ],
  [
    'a question about the price, and negative at the end',
    {
      all: [
        { said: { phrases: ['price'], where: { in_question: true } } },
        { sentiment: { is: ['negative'], where: { last_share: 0.2 } } },
      ],
    },
  ],
];

/** Trials of rules over everything stored. */
export async function ruleTrials(ask: (path: string, body: object) => Promise<string>): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const [name, when] of CONDITIONS) {
    const took: number[] = [];
    let tried: RuleTryResult | undefined;
    for (let n = 0; n < TRIALS; n++) {
      const begin = performance.now();
      tried = JSON.parse(await ask('/rules/try', { when })) as RuleTryResult;
      took.push(performance.now() - begin);
    }
    took.sort((a, b) => a - b);
    const { conversations, matched, hit_count, cost } = tried!;
    const [middle, longest] = [took[took.length >> 1]!, took.at(-1)!];
    rows.push([
      ...[name, cost.nodes, cost.utterances, conversations, matched, hit_count, ms(middle), ms(longest)],
      longest < MOST_TRIAL_MS ? 'yes' : 'NO',
    ]);
  }
  return {
    title: `Trials of rules over everything stored, ${TRIALS} each`,
    columns: [
      ...['condition', 'nodes', 'utterances', 'conversations', 'matched', 'hits', 'median, ms', 'longest, ms'],
      `< ${MOST_TRIAL_MS} ms`,
    ],
    rows,
  };
}

const ms = (value: number): number => Math.round(value * 10) / 10;
