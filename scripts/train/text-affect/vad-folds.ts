import { loadEncodingNetwork, runEncodingNetwork } from '../../../containers/pipeline/affect/text/encoding-reading.ts';
import { encodingCues, loadNetwork, readVad, vadCues } from '../../../containers/pipeline/affect/text/model.ts';
import { runNetwork } from '../../../containers/pipeline/affect/text/network.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { correlation } from '../agreement.ts';
import { emoBank } from './corpora.ts';
import { encodingsOf } from './encodings.ts';
import { bareSpeech } from './speech-like.ts';
import { fitVad, vadForms } from './vad.ts';

const ENGLISH = languageOf('en');

/**
 * Pearson r of V/A/D over five folds of EmoBank train for several penalties, with and without punctuation, from words
 * alone and with encodings. The penalties in `vad.ts` were chosen from this. Run: `node
 * scripts/train/text-affect/vad-folds.ts`.
 */
const FOLDS = 5;
const CANDIDATES = [6, 16, 20];

const network = loadNetwork();
const encodingNetwork = loadEncodingNetwork();
const rated = emoBank('train');
const texts = [...new Set([...vadForms(rated), ...rated.map(({ text }) => bareSpeech(text))])];
const encodings = new Map((await encodingsOf(texts)).map((encoding, i) => [texts[i]!, encoding]));
const wordCues = (text: string) => vadCues(text, runNetwork(network, text).scores, ENGLISH);
const READINGS = {
  words: wordCues,
  'words and encoding': (text: string) => {
    const encoding = encodings.get(text)!;
    return [...wordCues(text), ...encodingCues(encoding, runEncodingNetwork(encodingNetwork, encoding))];
  },
};
const FORMS = { written: (text: string) => text, bare: bareSpeech };
for (const [name, cuesOf] of Object.entries(READINGS))
  for (const penalty of CANDIDATES) {
    const guesses = { written: [] as number[][], bare: [] as number[][] };
    for (let fold = 0; fold < FOLDS; fold++) {
      const kept = rated.filter((_, i) => i % FOLDS !== fold);
      const { ngrams, cues } = fitVad(kept, cuesOf, [penalty, penalty, penalty]);
      for (let i = fold; i < rated.length; i += FOLDS)
        for (const form of ['written', 'bare'] as const) {
          const text = FORMS[form](rated[i]!.text);
          guesses[form][i] = readVad(text, cuesOf(text), ngrams, cues);
        }
    }
    for (const [form, rows] of Object.entries(guesses)) {
      const scores = [0, 1, 2].map((k) =>
        correlation(
          rows.map((row) => row[k]!),
          rated.map(({ vad }) => vad[k]!),
        ).toFixed(3),
      );
      console.log(`${name}, penalty ${penalty}, ${form}: ${scores.join(' / ')}`);
    }
  }
