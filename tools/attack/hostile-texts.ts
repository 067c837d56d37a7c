import type { Dice } from './dice.ts';

// Texts that are hard to handle for patterns, splitters, tables indexed by word, and printers.

const SENTENCES = [
  'I think we should look at the numbers again before Friday.',
  'Would you like to book a demo for next week?',
  'That is too expensive for us, honestly.',
  'Yes, that sounds good, let us do that.',
  "No, I'm sorry, we can't sign this today.",
  'Let us move on to the next topic, the delivery of the new machines.',
  'My name is Ann and I am calling about the invoice of 1,250.50 dollars.',
  'We discussed the plan. Then he said: "maybe". Mr. Smith agreed, e.g. at 5 p.m.',
];

/** Each is repeated up to the requested length. */
const REPEATED: Record<string, string> = {
  'inner apostrophes': "I'm ",
  'apostrophes within a word': "a'b'c'd'",
  'apostrophes alone': "'",
  'one huge word': 'supercalifragilistic',
  'one letter': 'a',
  'hyphens within a word': 'a-b-c-',
  spaces: ' ',
  'kinds of white space': ' \t\u00a0\u2003\u3000',
  'line breaks': '\r\n',
  'ends of sentences': '. ',
  'dots and marks': '.?!…',
  titles: 'Mr. Dr. St. e.g. i.e. ',
  'numbers with points': '1,000.50 ',
  digits: '9',
  prices: '$9.99 ',
  'family of emoji': '👩‍👩‍👧‍👦',
  'combining marks': 'e\u0301\u0323\u0300',
  'right to left': 'שלום\u202eabc\u202c ',
  'no spaces between words': '会話分析',
  'letters that grow when cased': 'İŉǰΐßﬃ',
  'lone surrogates': '\ud800x\udfff',
  'control characters': '\u0000\u0001\u001b[31m\u007f',
  'line separators': '\u2028\u2029\u0085',
  quotes: '"“”\'`',
  'opening brackets': '([{<',
  backslashes: '\\',
  'percent signs': '%s%n%00',
  markup: '<script>alert(1)</script>',
  'a query language': "'; DROP TABLE sessions;-- ",
  'paths upwards': '../../',
  placeholders: '<%=x%>{{x}}$1$&',
  'prototype names': '__proto__ constructor toString hasOwnProperty ',
  'one word again and again': 'no ',
  fillers: 'um uh like you know ',
  'short words': 'a b c d e f ',
  'asked without end': 'why what how who? ',
  'offers without end': 'would you like to ',
  'half of a pattern': 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
  'zero width': '\u200b\u200d\ufeff',
};

export const TEXT_KINDS = [...Object.keys(REPEATED), 'plain English', 'all words different', 'random characters'];

/** Named limits are powers of two or round numbers, so the lengths are at, just below and just above each. */
const STEPS = [1, 64, 100, 255, 500, 1_000, 2_000, 4_096, 5_000, 8_192, 10_000, 16_384, 20_000, 32_768, 50_000, 65_536];
const HIGH_STEPS = [100_000, 131_072, 200_000, 262_144, 500_000, 524_288, 1_000_000, 1_048_576];

export function textLength(dice: Dice, most = Number.POSITIVE_INFINITY): number {
  const step = dice.pick(dice.chance(0.12) ? HIGH_STEPS : STEPS.slice(0, dice.chance(0.7) ? 9 : STEPS.length));
  return Math.min(most, Math.max(0, step + dice.pick([-1, 0, 0, 1])));
}

/** A text of exactly `length` UTF-16 units. */
export function hostileText(dice: Dice, length: number, kind = dice.pick(TEXT_KINDS)): string {
  const unit = REPEATED[kind];
  if (unit !== undefined) return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  let text = '';
  for (let i = 0; text.length < length; i++) {
    if (kind === 'plain English') text += `${dice.pick(SENTENCES)} `;
    else if (kind === 'all words different') text += `w${i.toString(36)}o${dice.whole(0, 1e9).toString(36)} `;
    else text += String.fromCharCode(...Array.from({ length: 32 }, () => dice.whole(0, 0xffff)));
  }
  return text.slice(0, length);
}

/** Names that a table indexed by name must handle. */
export const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  ' ',
  '\u0000',
  '-1',
  'NaN',
  'undefined',
  '../../etc/passwd',
  'Speaker_0',
];
