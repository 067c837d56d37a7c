import { correlation } from '../../../bench/agreement.ts';
import { loadNetwork, readVad } from '../../../containers/pipeline/affect/text-model.ts';
import { runNetwork } from '../../../containers/pipeline/affect/text-network.ts';
import { emoBank } from './corpora.ts';
import { bareSpeech } from './speech-like.ts';
import { fitVad } from './vad.ts';

/**
 * Pearson r of V/A/D over five folds of EmoBank train for several penalties, as written and without marks: what the
 * penalties of `vad.ts` were chosen by. Run: `node scripts/train/text-affect/vad-folds.ts`; about three minutes.
 */
const FOLDS = 5;
const CANDIDATES = [3, 6, 10, 16, 24];

const network = loadNetwork();
const scoresOf = (text: string) => runNetwork(network, text).scores;
const rated = emoBank('train');
const FORMS = { written: (text: string) => text, bare: bareSpeech };
for (const penalty of CANDIDATES) {
  const guesses = { written: [] as number[][], bare: [] as number[][] };
  for (let fold = 0; fold < FOLDS; fold++) {
    const kept = rated.filter((_, i) => i % FOLDS !== fold);
    const { ngrams, cues } = fitVad(kept, scoresOf, [penalty, penalty, penalty]);
    for (let i = fold; i < rated.length; i += FOLDS)
      for (const form of ['written', 'bare'] as const) {
        const text = FORMS[form](rated[i]!.text);
        guesses[form][i] = readVad(text, scoresOf(text), ngrams, cues);
      }
  }
  for (const [form, rows] of Object.entries(guesses)) {
    const scores = [0, 1, 2].map((k) =>
      correlation(
        rows.map((row) => row[k]!),
        rated.map(({ vad }) => vad[k]!),
      ).toFixed(3),
    );
    console.log(`penalty ${penalty}, ${form}: ${scores.join(' / ')}`);
  }
}
