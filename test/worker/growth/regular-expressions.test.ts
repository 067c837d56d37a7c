import { describe, expect, it } from 'vitest';
import { seeded } from '../../../support/random.ts';
import { patternsBelow, patternsOf } from './regex-sources.ts';
import { StepCounter } from './regex-steps.ts';

/** Lengths of a hostile text in characters, ascending, and the allowed growth of steps per character at the longest. */
const LENGTHS = [250, 1000] as const;
const LINEAR = LENGTHS[1] / LENGTHS[0];
const MOST_GROWTH = 2 * LINEAR;
/** Growth below this many steps per character is not judged. */
const FEW_STEPS = 4;
const MOST_STEPS = 1_000_000;
/** Hostile texts tried at the shortest length, and the number of the worst of them tried at the longest. */
const TRIED = 160;
const GROWN = 6;
/** Pieces of hostile texts independent of any pattern, and endings of such a text. */
const ANYTHING = ['a', "a'", "I'm ", ' ', '.', ',', ', ', '-', '. ', '? ', '!', '"', '0', '1.', 'no ', 'a ', '(', '\n'];
const ENDS = ['', '\u0000', 'x', ' x', ' x y', '!', '?', '\n', '\nx'];

/** A text that repeats one or a few pieces. */
interface Hostile {
  start: string;
  pump: string;
  end: string;
}
const grown = ({ start, pump, end }: Hostile, length: number): string =>
  start + pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + end;

/** The worst growth of steps found, for the text with the most steps at the shortest length. */
function worstGrowth(pattern: RegExp): { growth: number; text: Hostile } {
  const random = seeded(pattern.source.length);
  const counter = new StepCounter(pattern);
  const own = counter.pieces(random, 2);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const piece = () => (random() < 0.75 && own.length > 0 ? any(own) : any(ANYTHING));
  const hostile = (): Hostile => ({
    start: random() < 0.3 ? piece() : '',
    pump: Array.from({ length: 1 + Math.floor(random() * 3) }, () => piece() + any(['', '', ' ', ', '])).join(''),
    end: any(ENDS),
  });
  const steps = (text: Hostile, length: number) => counter.findAll(grown(text, length), MOST_STEPS).steps;
  const texts = [
    ...ANYTHING.map((pump) => ({ start: '', pump, end: 'x' })),
    ...Array.from({ length: TRIED }, hostile),
    ...counter.repeats(random).map((text) => ({ ...text, end: '\u0000' })),
  ];
  const tried: { text: Hostile; short: number }[] = [];
  for (const text of texts) {
    const short = steps(text, LENGTHS[0]);
    // More steps than are counted in the shortest text: the longest needs no counting.
    if (short === Number.POSITIVE_INFINITY) return { growth: short, text };
    tried.push({ text, short });
  }
  return tried
    .sort((a, b) => b.short - a.short)
    .slice(0, GROWN)
    .map(({ text, short }) => ({
      text,
      growth: steps(text, LENGTHS[1]) / Math.max(short, FEW_STEPS * LENGTHS[0]),
    }))
    .reduce((a, b) => (b.growth > a.growth ? b : a));
}

/** Hard cases of both kinds, which test the measure itself: linear ones, and ones that are not. */
const LINEAR_ONES = [
  /\b(\w+) \1\b/,
  /(?<![.!])[.!]+$/,
  /$(?<=((?:[ ,]*\bso\b[ ,.]*)+))/,
  /^(?:no |a )*$/,
  /"[^"]*"/,
  /^\s*\w+\s*,\s*$/,
];
const OTHERS = [
  /[.!]+$/,
  /\s+,/,
  /a.*b/,
  /(?:[ ,]*\bso\b[ ,.]*)+$/,
  /\b([\p{L}']+) \1/u,
  /^(?:m+|mm-?h)+$/,
  /b(?=.*a)/,
  /^(a|a)*$/,
  /^(?:a?){20}a{20}$/,
  /^.*foo.*bar.*$/,
  /<!--.*-->/s,
  /^Stream \d+.*?: (.+)/,
];

describe('regular expressions', () => {
  it('are distinguished by the growth of their steps', () => {
    for (const pattern of LINEAR_ONES) expect(worstGrowth(pattern).growth, pattern.source).toBeLessThan(MOST_GROWTH);
    for (const pattern of OTHERS) expect(worstGrowth(pattern).growth, pattern.source).toBeGreaterThan(MOST_GROWTH);
  });

  it('are all found in a source', () => {
    const filled = '$' + '{WE}';
    const source = `const WE = 'we|i'; const a = [/x+/u, new RegExp(\`^(?:${filled})$\`, 'i')]; const f = (s: string) => RegExp(s);`;
    expect(patternsOf('a.ts', source).map(({ pattern }) => String(pattern))).toEqual([
      '/x+/u',
      '/^(?:we|i)$/i',
      '/name/',
    ]);
    expect(() => patternsOf('a.ts', 'new RegExp(make())')).toThrow(TypeError);
  });

  it('count the steps to what the engine finds', () => {
    const text = "so I'm, um, so so (a price) a price! İ 😀x 12.5 mm-hm Mr. B. Yes?";
    for (const { pattern } of patternsBelow('src', 'containers')) {
      const found = [...text.matchAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`))];
      expect(new StepCounter(pattern).findAll(text, MOST_STEPS).places, pattern.source).toEqual(
        found.map((m) => m.index),
      );
    }
  });

  it.each(patternsBelow('src', 'containers').map(({ place, pattern }) => [place, pattern] as const))(
    '%s is linear in the text: %s',
    (_, pattern) => {
      const { growth, text } = worstGrowth(pattern);
      expect(growth, JSON.stringify(text)).toBeLessThan(MOST_GROWTH);
    },
  );
});
