/**
 * Share of noun positions among the occurrences of each stem of the word vectors, counted in free text: after a
 * determiner and before a function word (a head), after a determiner (head or modifier), or after a pronoun, modal or
 * 'to' (a verb).
 *
 *   node scripts/train/noun-shares.ts      writes src/conversation/weights/noun-shares.bin
 *
 * QMSum (MIT), CaSiNo (CC BY), ABCD sample (MIT), GoEmotions text (CC BY).
 */
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../src/conversation/languages.ts';
import { isContentWord, words } from '../../src/conversation/text/tokens.ts';
import { NOUN_STEPS, type NounShareWeights } from '../../src/conversation/topics/noun-shares.ts';
import { abcd, casino, goEmotions, qmsum } from './dialogue-corpus.ts';
import { writeWeights } from './write-weights.ts';

const ENGLISH = languageOf('en');

const DETERMINERS = new Set(
  'the a an my your our their his her its some any no each every another these those'.split(' '),
);
const BEFORE_VERBS = new Set(
  "i you we they he she it to will would can could should may might must shall do does did don't doesn't didn't can't won't wouldn't couldn't i'll we'll you'll they'll he'll she'll it'll i'd we'd you'd they'd i've we've you've they've who have has had be been is are was were not just really".split(
    ' ',
  ),
);
/** Pseudo-count of each kind for each stem. */
const PRIOR = 1;

const heads = new Map<string, number>();
const inside = new Map<string, number>();
const verbs = new Map<string, number>();
const bump = (map: Map<string, number>, word: string) => map.set(word, (map.get(word) ?? 0) + 1);

function count(text: string): void {
  // Punctuation between words ends a phrase.
  for (const clause of text.split(/[,.;:!?()]+/)) {
    const spoken = words(clause);
    spoken.forEach((word, k) => {
      if (!isContentWord(word, ENGLISH)) return;
      const root = ENGLISH.words.stem(word);
      const before = spoken[k - 1] ?? '';
      const ends = spoken[k + 1] === undefined || !isContentWord(spoken[k + 1]!, ENGLISH);
      const opened =
        DETERMINERS.has(before) || (isContentWord(before, ENGLISH) && DETERMINERS.has(spoken[k - 2] ?? ''));
      if (opened && ends) bump(heads, root);
      else if (DETERMINERS.has(before)) bump(inside, root);
      else if (BEFORE_VERBS.has(before)) bump(verbs, root);
    });
  }
}

for (const d of [...qmsum('train'), ...casino(), ...abcd()]) for (const turn of d.turns) count(turn);
for (const d of qmsum('train')) for (const q of d.queries) count(`${q.query}. ${q.answer}`);
for (const text of goEmotions()) count(text);

const steps = (part: number, rest: number): number =>
  Math.round((NOUN_STEPS * (part + PRIOR)) / (part + rest + 2 * PRIOR));
const stems = [...conversationWeights().vectors.index.keys()];
const of = (map: Map<string, number>, root: string) => map.get(root) ?? 0;
const head = Int8Array.from(stems, (s) => steps(of(heads, s), of(verbs, s) + of(inside, s) / 2));
const nominal = Int8Array.from(stems, (s) => steps(of(heads, s) + of(inside, s), of(verbs, s)));
const weights: NounShareWeights = { head: { step: 1, values: head }, nominal: { step: 1, values: nominal } };
writeWeights('noun-shares', weights, {
  trained_on: ['QMSum train (MIT)', 'CaSiNo train (CC BY 4.0)', 'ABCD sample (MIT)', 'GoEmotions text (CC BY 4.0)'],
  made_by: 'scripts/train/noun-shares.ts',
});
for (const word of 'appointment told came run life paper new insurance time light flight watch link card price till plan call meeting'.split(
  ' ',
)) {
  const i = stems.indexOf(ENGLISH.words.stem(word));
  console.error(`${word}: ${i < 0 ? '-' : `head ${head[i]} nominal ${nominal[i]}`}`);
}
