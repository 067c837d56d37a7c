import type { ObjectionFacts, VerdictSentences } from '../../sentences/sentences.ts';
import { type Spans, say } from '../../sentences/spans.ts';
import { ended, enumerate, quoted } from './grammar.ts';

/** Nouns for the reasons for an objection. */
const GROUNDS: Readonly<Record<string, string>> = {
  price: ' to the price',
  timing: ' to the timing',
  authority: ' about who decides',
  need: ' about whether it is needed',
  trust: ' out of doubt',
  competitor: ' in favour of an alternative',
  technical: ' on technical grounds',
};
const objectionOf = ({ speaker, ground }: ObjectionFacts): Spans =>
  say`${{ speaker }}'s objection${GROUNDS[ground] ?? ''}`;

/** The answer to an objection, by its reason. */
const REMEDIES: Readonly<Record<string, (speaker: string) => Spans>> = {
  price: (speaker) => say`Go back to ${{ speaker }} about the price`,
  timing: (speaker) => say`Find a time that suits ${{ speaker }}`,
  authority: (speaker) => say`Involve the person who decides with ${{ speaker }}`,
  need: (speaker) => say`Find out what ${{ speaker }} needs`,
  trust: (speaker) => say`Give ${{ speaker }} reasons to trust it`,
  competitor: (speaker) => say`Show ${{ speaker }} how it differs from the alternative`,
  technical: (speaker) => say`Answer ${{ speaker }}'s technical question`,
};

export const verdict: VerdictSentences = {
  choice: (speaker, quotes) => ended(say`${{ speaker }} makes a choice: ${enumerate(quotes.map(quoted))}`),
  proposalAccepted: ({ speaker, proposal, on }) => {
    const words = quoted(proposal.quote);
    if (on === 'time') return ended(say`They agree on a time: ${{ speaker }} accepts ${words}`);
    if (on === 'price') return ended(say`They agree on a price: ${{ speaker }} accepts ${words}`);
    return ended(say`${{ speaker }} accepts ${{ speaker: proposal.speaker }}'s proposal: ${words}`);
  },
  keepTime: (speaker, proposal) => ended(say`Keep the time that ${{ speaker }} accepted: ${quoted(proposal)}`),
  objectionOvercome: (objection) =>
    say`${objectionOf(objection)}, ${quoted(objection.quote)}, did not prevent an agreement.`,
  rejection: ({ speaker, quote }, proposal) =>
    ended(say`${{ speaker }} turns down ${quoted(proposal)}: ${quoted(quote)}`),
  objectionUnresolved: (objection) => ended(say`Nobody resolves ${objectionOf(objection)}: ${quoted(objection.quote)}`),
  remedy: ({ speaker, ground, quote }) =>
    ended(say`${REMEDIES[ground]?.(speaker) ?? say`Address ${{ speaker }}'s objection`}: ${quoted(quote)}`),
  praise: ({ speaker, quote, isAtEnd }) =>
    ended(say`${isAtEnd ? 'The conversation ends warmly' : say`${{ speaker }} is pleased`}: ${quoted(quote)}`),
  complaint: ({ speaker, quote }) => ended(say`${{ speaker }} complains: ${quoted(quote)}`),
  keepPromise: ({ speaker, quote }) => ended(say`${{ speaker }} should keep the promise: ${quoted(quote)}`),
  shareTalk: ({ speaker, percent, other }) =>
    say`Let ${other === undefined ? 'the others' : { speaker: other }} talk more: ${{ speaker }} did ${percent} % of the talking.`,
};
