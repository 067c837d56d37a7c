import fc from 'fast-check';
import { expect, test } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { clean, shorten } from '../../../src/conversation/text/quotes.ts';
import { readDialogues } from '../../../support/own-data.ts';
import { utterancesOf } from '../timelines.ts';

const ENGLISH = languageOf('en');

const NUMBERS = 'one two five five zero double nine twenty hundred 12 7 $40 1,200.50 10:30 3.5 4th B C F'.split(' ');
const NEGATIONS = "no not never don't can't none nothing".split(' ');
const OTHERS =
  "I I I a a the the um uh well so okay and but like you know we we need to meet at noon, Friday. price, it's it's mine hm the ER right. Yes, no".split(
    ' ',
  );
const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 1, arbitrary: fc.constantFrom(...NEGATIONS) },
  { weight: 4, arbitrary: fc.constantFrom(...OTHERS) },
);
const utterance = fc.array(word, { minLength: 1, maxLength: 24 }).map((words) => words.join(' '));

const bare = (token: string): string => token.replace(/^[^\p{L}\p{N}$]+|[^\p{L}\p{N}]+$/gu, '');
const tokens = (text: string): string[] => text.split(/\s+/).map(bare).filter(Boolean);
/** The words that a quote must never lose or alter, in order: numbers, spelled letters and negations. */
const keptIn = (text: string): string[] =>
  tokens(text).filter((one) => /\d|^[B-HJ-Z]$/.test(one) || NUMBERS.includes(one) || NEGATIONS.includes(one));

test('cleaning keeps every number, spelled letter and negation of 10,000 made utterances', () => {
  fc.assert(
    fc.property(utterance, (text) => {
      expect(keptIn(clean(text, ENGLISH))).toEqual(keptIn(text));
    }),
    { numRuns: 10_000 },
  );
}, 60_000);

test('a shortened quote never ends within a number', () => {
  fc.assert(
    fc.property(utterance, fc.integer({ min: 2, max: 12 }), (text, words) => {
      const short = shorten(text, words, ENGLISH);
      if (short === text) return;
      const kept = short.slice(0, -' ...'.length);
      const [last, next] = [
        kept.split(' ').at(-1)!,
        text
          .slice(kept.length)
          .trim()
          .replace(/^[,;] /, '')
          .split(' ')[0]!,
      ];
      const isPart = (one: string): boolean => ENGLISH.fillers.spelledOut.test(one);
      expect(text.startsWith(kept)).toBe(true);
      expect(isPart(last) && isPart(next)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['The postcode is five five five zero one.', 'The postcode is five five five zero one'],
  ['My number is oh oh seven two two.', 'My number is oh oh seven two two'],
  ['Oh five five two, that is the code.', 'Oh five five two, that is the code'],
  ['It is spelled H A W A I I.', 'It is spelled H A W A I I'],
  ['That is A A B C.', 'That is A A B C'],
  ['No, we never never agreed to that.', 'No, we never never agreed to that'],
  ['I use a 5 mm bolt, um, in the the lid.', 'I use a 5 mm bolt in the lid'],
])('quotes %j as %j', (said, quote) => {
  expect(clean(said, ENGLISH)).toBe(quote);
});

/** Every quote of a conversation's findings with the text of its utterance. */
function quotesOf(lines: string): { quote: string; said: string }[] {
  const conversation = new Conversation({ conversationId: 'c', goal: 'the price' }, conversationWeights());
  const utterances = utterancesOf(lines);
  for (const u of utterances) conversation.add(u);
  const texts = new Map(utterances.map((u) => [u.utterance_id, u.text]));
  const spans = (conversation.finish().sentences ?? []).flat();
  return spans.flatMap((span) => ('quote' in span ? [{ quote: span.quote, said: texts.get(span.utterance_id)! }] : []));
}

/** Whether the numbers of a quote occur in this order, without gaps, in what was said. */
const stands = ({ quote, said }: { quote: string; said: string }): boolean =>
  keptIn(quote).length === 0 || ` ${keptIn(said).join(' ')} `.includes(` ${keptIn(quote).join(' ')} `);

test('every number of every quote of a conversation stands in its utterance', () => {
  const recordings = readDialogues('judge').filter(({ source }) => source === 'recording');
  expect(recordings.length).toBeGreaterThan(0);
  for (const { turns } of recordings) {
    const quotes = quotesOf(turns.map(({ speaker, text }) => `${speaker ?? 'Speaker_0'}: ${text}`).join('\n'));
    expect(quotes.filter((one) => !stands(one))).toEqual([]);
  }
  const made = fc.sample(fc.array(utterance, { minLength: 20, maxLength: 30 }), { numRuns: 12, seed: 4 });
  const quotes = made.flatMap((turns) =>
    quotesOf(turns.map((text, i) => `Speaker_${i % 3 ? 1 : 0}: ${text}`).join('\n')),
  );
  expect(quotes.length).toBeGreaterThan(100);
  expect(quotes.filter((one) => !stands(one))).toEqual([]);
}, 120_000);
