/**
 * Fits the logistic regression that guesses whether a conversation is small talk, to data/moments/fit.jsonl: dialogues
 * without an offer, answer or objection against those with one, as far as they have got after 4 to 24 turns. Written
 * dialogues, meetings (QMSum, MIT) and negotiations (CaSiNo, CC BY 4.0) have equal weight, and so do both classes.
 * Writes src/conversation/moments/small-talk-weights.ts, and prints how many dialogues of each kind exceed a chance,
 * each read by a regression that was fitted to other folds.
 *
 *   npm run train -- small-talk
 */
import { writeFileSync } from 'node:fs';
import { languageOf } from '../../src/conversation/languages.ts';
import { SmallTalkGuess } from '../../src/conversation/moments/small-talk.ts';
import { FOLDS, readDialogues } from '../../support/own-data.ts';
import { fitLogistic } from './logistic-regression.ts';

const PREFIXES = [4, 8, 12, 18, 24];

interface Piece {
  fold: number;
  /** Source and label. */
  kind: string;
  isSmallTalk: boolean;
  isWhole: boolean;
  guess: SmallTalkGuess;
}

const language = languageOf('en');
const dialogues = readDialogues('fit').filter(
  ({ kind, source }) => kind === 'dialogue' && ['undertone', 'QMSum', 'CaSiNo'].includes(source),
);
const pieces = dialogues.flatMap(({ source, fold, turns }): Piece[] => {
  const proposes = turns.some(({ moments = [] }) => moments.some(({ category }) => category !== 'topic_shift'));
  // Four negotiations without a marked offer are too few for a class.
  if (source === 'CaSiNo' && !proposes) return [];
  const lengths = PREFIXES.map((length) => Math.min(length, turns.length));
  return [...new Set(lengths)].map((length) => {
    const guess = new SmallTalkGuess(language);
    for (const { text } of turns.slice(0, length)) guess.add(text);
    const kind = `${source}, ${proposes ? 'with' : 'without'} proposals`;
    return { fold, kind, isSmallTalk: !proposes, isWhole: length === Math.max(...lengths), guess };
  });
});

const meanOf = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
/** Mean frequency of each kind of word in the whole dialogues. */
const none = pieces[0]!.guess.features().map(() => 0);
const rates = none.map((_, f) =>
  meanOf(pieces.filter(({ isWhole }) => isWhole).map(({ guess }) => Math.exp(guess.features(none)[f]!))),
);

interface Fitted {
  bias: number;
  weights: number[];
}

function fitted(own: readonly Piece[]): Fitted {
  const rows = own.map(({ guess }) => guess.features(rates));
  const means = rates.map((_, f) => meanOf(rows.map((row) => row[f]!)));
  const scales = rates.map((_, f) => Math.sqrt(meanOf(rows.map((row) => (row[f]! - means[f]!) ** 2))));
  const kinds = Map.groupBy(own, ({ kind }) => kind);
  const kindsOf = (isSmallTalk: boolean): number =>
    [...kinds.values()].filter(([first]) => first!.isSmallTalk === isSmallTalk).length;
  const { bias, dense } = fitLogistic(
    {
      dense: Float32Array.from(rows.flatMap((row) => row.map((v, f) => (v - means[f]!) / scales[f]!))),
      width: rates.length,
      words: rows.map(() => new Uint16Array(0)),
      labels: Uint8Array.from(own, ({ isSmallTalk }) => (isSmallTalk ? 1 : 0)),
    },
    {
      buckets: 0,
      c: 1,
      wordScale: 1,
      denseScale: 1,
      iterations: 300,
      exampleWeights: Float32Array.from(
        own,
        ({ kind, isSmallTalk }) => own.length / 2 / kindsOf(isSmallTalk) / kinds.get(kind)!.length,
      ),
    },
  );
  const weights = [...dense].map((w, f) => w / scales[f]!);
  return { bias: bias - weights.reduce((sum, w, f) => sum + w * means[f]!, 0), weights };
}

const chanceOf = ({ bias, weights }: Fitted, { guess }: Piece): number =>
  1 / (1 + Math.exp(-guess.features(rates).reduce((sum, value, f) => sum + value * weights[f]!, bias)));

const unseen = Array.from({ length: FOLDS }, (_, fold) => {
  const model = fitted(pieces.filter((piece) => piece.fold !== fold));
  return pieces
    .filter((piece) => piece.fold === fold && piece.isWhole)
    .map((piece) => ({ kind: piece.kind, chance: chanceOf(model, piece) }));
}).flat();
for (const [kind, own] of Map.groupBy(unseen, (one) => one.kind)) {
  const above = (least: number): string => (own.filter(({ chance }) => chance >= least).length / own.length).toFixed(2);
  console.log(`${kind}: ${own.length}, >= .5 ${above(0.5)}, >= .65 ${above(0.65)}, >= .8 ${above(0.8)}`);
}

const { bias, weights } = fitted(pieces);
const rounded = (values: readonly number[]): string => values.map((value) => Number(value.toFixed(4))).join(', ');
writeFileSync(
  new URL('../../src/conversation/moments/small-talk-weights.ts', import.meta.url),
  `// Written by scripts/train/small-talk-guess.ts from data/moments/fit.jsonl: dialogues of this project, QMSum (MIT),
// CaSiNo (CC BY 4.0).

/** Mean frequency of each kind of word. */
export const RATES = [${rounded(rates)}] as const;

/** The regression's bias and its weights of \`SmallTalkGuess.features\`. */
export const BIAS = ${rounded([bias])};
export const WEIGHTS = [${rounded(weights)}] as const;
`,
);
