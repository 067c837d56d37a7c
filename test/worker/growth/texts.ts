import { writtenDialogues } from '../../../support/own-data.ts';

/** Makes a text of a length; texts of the same kind from another position where `from` differs. */
type Maker = (length: number, from?: number) => string;

const spoken = writtenDialogues()
  .filter(({ writer }) => writer === 'author')
  .flatMap(({ turns }) => turns.map(({ text }) => text))
  .join(' ');

const cut =
  (whole: string): Maker =>
  (length, from = 0) => {
    const start = from % whole.length;
    return whole.repeat(Math.ceil((start + length) / whole.length)).slice(start, start + length);
  };

/** Words that do not repeat. */
const once =
  (word: (n: number) => string): Maker =>
  (length, from = 0) => {
    const parts: string[] = [];
    for (let n = from, chars = 0; chars < length; n++) {
      parts.push(word(n));
      chars += parts.at(-1)!.length;
    }
    return parts.join('').slice(0, length);
  };

/** Ordinary English of the dialogues, and texts that are hard for patterns and loops. */
export const TEXTS: Readonly<Record<string, Maker>> = {
  'what people say': cut(`${spoken} `),
  'without marks': cut(`${spoken.replaceAll(/[.,?!;:]/g, '')} `),
  'in capitals': cut(`${spoken.toUpperCase()} `),
  'apostrophes between words': cut("I'm "),
  'apostrophes between letters': cut("a'"),
  'one word': cut('a'),
  hums: cut('mm'),
  'letters with a hyphen': cut('mm-hm'),
  'no blanks': cut('Well,yes.'),
  blanks: cut(' '),
  'line breaks': cut('a\n'),
  points: cut('.'),
  'points in words': cut('a.a.a'),
  ellipses: cut('so... '),
  marks: cut('?!. '),
  commas: cut('a, '),
  quotes: cut('"a" “b” '),
  parentheses: cut('(a) '),
  'open brackets': cut('a['),
  dashes: cut('a - '),
  'short sentences': cut('I. '),
  abbreviations: cut('Mr. '),
  'no no no': cut('no '),
  'exclaimed no': cut('no! '),
  fillers: cut('um, so and like, you know '),
  'a phrase': cut('the price plan '),
  'a word and a mark': cut('price. '),
  questions: cut('how is that problem, '),
  promises: cut("maybe if you like I'll send it "),
  contrasts: cut('good but bad '),
  names: cut('New York City '),
  digits: cut('12 '),
  amounts: cut('$5.50, '),
  'words that come once': once((n) => `w${n.toString(36)}x `),
  'sentences that come once': once((n) => `training budget q${n.toString(36)}x. `),
  emoji: cut('😀 '),
  'no words between blanks': cut('日本語'),
  'longer in lower case': cut('İ '),
  'marks over letters': cut('e\u0301'),
};
