/**
 * How often each stem of the word vectors stands where nouns stand, counted in free text: behind a determiner and before
 * a function word (a head), behind a determiner (head or modifier), or behind a pronoun, modal or 'to' (a verb).
 *
 *   node scripts/train/noun-shares.ts      writes src/conversation/generated/noun-shares.ts
 *
 * QMSum (MIT), CaSiNo (CC BY), ABCD sample (MIT), GoEmotions text (CC BY).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../../bench/report.ts';
import { STEMS } from '../../src/conversation/generated/word-vectors.ts';
import { isContentWord, stem, words } from '../../src/conversation/segmentation/tokens.ts';
import { abcd, casino, goEmotions, qmsum } from './dialogue-corpus.ts';

const DETERMINERS = new Set(
  'the a an my your our their his her its some any no each every another these those'.split(' '),
);
const BEFORE_VERBS = new Set(
  "i you we they he she it to will would can could should may might must shall do does did don't doesn't didn't can't won't wouldn't couldn't i'll we'll you'll they'll he'll she'll it'll i'd we'd you'd they'd i've we've you've they've who have has had be been is are was were not just really".split(
    ' ',
  ),
);
/** Mentions of each sort that every stem starts with. */
const PRIOR = 1;

const heads = new Map<string, number>();
const inside = new Map<string, number>();
const verbs = new Map<string, number>();
const bump = (map: Map<string, number>, word: string) => map.set(word, (map.get(word) ?? 0) + 1);

function count(text: string): void {
  // A mark between words ends a phrase.
  for (const clause of text.split(/[,.;:!?()]+/)) {
    const spoken = words(clause);
    spoken.forEach((word, k) => {
      if (!isContentWord(word)) return;
      const root = stem(word);
      const before = spoken[k - 1] ?? '';
      const ends = spoken[k + 1] === undefined || !isContentWord(spoken[k + 1]!);
      const opened = DETERMINERS.has(before) || (isContentWord(before) && DETERMINERS.has(spoken[k - 2] ?? ''));
      if (opened && ends) bump(heads, root);
      else if (DETERMINERS.has(before)) bump(inside, root);
      else if (BEFORE_VERBS.has(before)) bump(verbs, root);
    });
  }
}

for (const d of [...qmsum('train'), ...casino(), ...abcd()]) for (const turn of d.turns) count(turn);
for (const d of qmsum('train')) for (const q of d.queries) count(`${q.query}. ${q.answer}`);
for (const text of goEmotions()) count(text);

const digit = (part: number, rest: number): number => Math.round((9 * (part + PRIOR)) / (part + rest + 2 * PRIOR));
const stems = STEMS.split(' ');
const of = (map: Map<string, number>, root: string) => map.get(root) ?? 0;
const head = stems.map((s) => digit(of(heads, s), of(verbs, s) + of(inside, s) / 2)).join('');
const nominal = stems.map((s) => digit(of(heads, s) + of(inside, s), of(verbs, s))).join('');
writeFileSync(
  join(import.meta.dirname, '../../src/conversation/generated/noun-shares.ts'),
  [
    '// Written by scripts/train/noun-shares.ts from QMSum (MIT), CaSiNo (CC BY 4.0), ABCD (MIT) and GoEmotions (CC BY 4.0) text.',
    '/** A digit a stem of the word vectors, in ninths: how often it is the noun of its phrase. */',
    `export const HEAD = '${head}';`,
    '/** ... and how often it stands within a noun phrase at all, rather than where verbs stand. */',
    `export const NOMINAL = '${nominal}';`,
    '',
  ].join('\n'),
);
for (const word of 'appointment told came run life paper new insurance time light flight watch link card price till plan call meeting'.split(
  ' ',
)) {
  const i = stems.indexOf(stem(word));
  say(`${word}: ${i < 0 ? '-' : `head ${head[i]} nominal ${nominal[i]}`}`);
}
