import type { CueWeights } from '../../../containers/pipeline/affect/text/encoding-reading.ts';
import { NGRAM_COLUMNS } from '../../../containers/pipeline/affect/text/features.ts';
import type { NgramWeights } from '../../../containers/pipeline/affect/text/model.ts';
import type { RatedText } from './corpora.ts';
import { cueWeightsOf, fitLinear, matrixOf, momentsOf, rarityOf, squaredLoss, standardised } from './linear.ts';
import { bareSpeech, punctuatedSpeech } from './speech-like.ts';

/** L2 penalties of valence, arousal and dominance with the best r over five folds of EmoBank train (`vad-folds.ts`). */
const PENALTIES = [6, 16, 20];
const ITERATIONS = 80;

/** Linear model of valence, arousal and dominance, fitted on n-grams and cues together. */
export interface VadFit {
  ngrams: NgramWeights;
  cues: CueWeights;
}

/** The texts that V/A/D is fitted on, alternating between the text as written and one of its speech-like forms. */
export const vadForms = (rated: RatedText[]): string[] =>
  rated.flatMap(({ text }, i) => [text, i % 2 === 0 ? bareSpeech(text) : punctuatedSpeech(text)]);

/**
 * Fits V/A/D on rated texts in the forms of `vadForms`.
 * @param cuesOf the dense cues of a text
 */
export function fitVad(rated: RatedText[], cuesOf: (text: string) => number[], penalties = PENALTIES): VadFit {
  const { means: centre, scales: spread } = momentsOf(rated.map(({ vad }) => vad));
  const forms = vadForms(rated);
  const targets = rated.flatMap(({ vad }) => {
    const target = vad.map((value, k) => (value - centre[k]!) / spread[k]!);
    return [...target, ...target];
  });
  /** Rounded to tenths, so that one byte stores each exactly. */
  const rarity = rarityOf(forms).map((value) => Math.min(127, Math.round(value * 10)) / 10);
  const cues = forms.map(cuesOf);
  const moments = momentsOf(cues);
  const weights = fitLinear(
    matrixOf(forms, rarity, standardised(cues, moments)),
    3,
    squaredLoss(Float32Array.from(targets), 3),
    penalties,
    ITERATIONS,
  );
  return {
    ngrams: { vad: weights.slice(0, NGRAM_COLUMNS * 3), bias: weights.slice(-3), rarity },
    cues: cueWeightsOf(weights.subarray(NGRAM_COLUMNS * 3), moments),
  };
}
