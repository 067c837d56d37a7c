import { pick } from '../../../support/random.ts';

/** A word of a text and the letters of the labels that it may have. */
export interface LabelledWord {
  text: string;
  label: string;
}

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');

const pairOf = (value: number): string[] =>
  value < 10
    ? ['oh', DIGITS[value]!]
    : value < 20
      ? [TEENS[value - 10]!]
      : [TENS[Math.floor(value / 10) - 2]!, ...(value % 10 === 0 ? [] : [DIGITS[value % 10]!])];

/** A number as somebody says it: in pairs or digit by digit. */
function saidNumber(random: () => number, number: string): string[] {
  if (number.length <= 4 && number.length >= 2 && !number.startsWith('0') && random() < 0.6) {
    const head = number.length % 2 === 1 ? [DIGITS[Number(number[0])]!] : [];
    const pairs = number.slice(number.length % 2).match(/../gu) ?? [];
    const words = pairs.flatMap((pair, i) =>
      i === 0 && head.length === 0 ? pairOf(Number(pair)) : pairOf(Number(pair)),
    );
    return [...head, ...words];
  }
  return [...number].map((digit) => (digit === '0' ? pick(random, ['zero', 'oh']) : DIGITS[Number(digit)]!));
}

/** A text as a recogniser without case, punctuation and digits prints it. */
export function spokenForm(random: () => number, words: readonly LabelledWord[]): LabelledWord[] {
  return words.flatMap(({ text, label }) => {
    const plain = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}']+/gu, ' ')
      .trim();
    return plain
      .split(' ')
      .filter((word) => word !== '')
      .flatMap((word) => {
        const ordinal = /^(\d)(?:st|nd|rd|th)$/u.exec(word);
        if (ordinal && ordinal[1] !== '0') return [ORDINALS[Number(ordinal[1]) - 1]!];
        return /^\d+$/u.test(word) ? saidNumber(random, word) : [word];
      })
      .map((word) => ({ text: word, label }));
  });
}
