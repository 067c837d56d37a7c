import { NGRAM_COLUMNS } from '../../../containers/pipeline/affect/text-features.ts';
import { type CueWeights, type NgramWeights, vadCues } from '../../../containers/pipeline/affect/text-model.ts';
import type { RatedText } from './corpora.ts';
import { fitLinear, matrixOf, momentsOf, rarityOf, squaredLoss } from './linear.ts';
import { bareSpeech, punctuatedSpeech } from './speech-like.ts';

/** L2 penalties of valence, arousal and dominance with the best r over five folds of EmoBank train (`vad-folds.ts`). */
const PENALTIES = [6, 16, 20];
/** A standardised cue counts this much beside n-gram blocks of length 1, so that one penalty fits both; .1 gave the same r over folds. */
const CUE_SCALE = 0.05;
const ITERATIONS = 80;

/** Linear reading of valence, arousal and dominance: n-grams and cues are fitted together. */
export interface VadFit {
  ngrams: NgramWeights;
  cues: CueWeights;
}

/**
 * Fits V/A/D on rated texts, each as written and in one of its speech-like forms, in turns.
 * @param scoresOf The trained network's scores of a text.
 */
export function fitVad(rated: RatedText[], scoresOf: (text: string) => Float32Array, penalties = PENALTIES): VadFit {
  const { means: centre, scales: spread } = momentsOf(rated.map(({ vad }) => vad));
  const forms = rated.flatMap(({ text }, i) => [text, i % 2 === 0 ? bareSpeech(text) : punctuatedSpeech(text)]);
  const targets = rated.flatMap(({ vad }) => {
    const target = vad.map((value, k) => (value - centre[k]!) / spread[k]!);
    return [...target, ...target];
  });
  /** In tenths, so that one byte keeps it exactly. */
  const rarity = rarityOf(forms).map((value) => Math.min(127, Math.round(value * 10)) / 10);
  const cues = forms.map((text) => vadCues(text, scoresOf(text)));
  const { means, scales } = momentsOf(cues);
  const scaled = cues.map((row) => row.map((value, i) => (CUE_SCALE * (value - means[i]!)) / scales[i]!));
  const weights = fitLinear(
    matrixOf(forms, rarity, scaled),
    3,
    squaredLoss(Float32Array.from(targets), 3),
    penalties,
    ITERATIONS,
  );
  const cueWeights = [0, 1, 2].map((k) => means.map((_, i) => CUE_SCALE * weights[(NGRAM_COLUMNS + i) * 3 + k]!));
  return {
    ngrams: { vad: weights.slice(0, NGRAM_COLUMNS * 3), bias: weights.slice(-3), rarity },
    cues: { means, scales, weights: cueWeights },
  };
}
