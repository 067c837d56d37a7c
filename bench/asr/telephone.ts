import { readEvalJson } from '../../scripts/eval-data.ts';
import { uniform } from '../../support/synthetic-voice.ts';
import type { Table } from '../report.ts';
import { addEdits, type EditCounts, editCounts, NO_EDITS, normalise, wordErrorRate } from '../wer.ts';

// Word errors on sentences that callers made up on real telephones (WUW Corpus II), with a bootstrap by caller.

export interface CallerSentence {
  file: string;
  text: string;
  speaker: string;
  /** `landlinephone`, `cellphone` or `speakerphone`. */
  phone: string;
  /** `native` or `nonNative`. */
  dialect: string;
}

/** The score of a recipe for a sentence. */
export interface SentenceScore {
  sentence: CallerSentence;
  counts: EditCounts;
}

/** Names coined for the corpus. Nobody can spell them, so they stand for any words. */
const COINED = new Set(['operator', 'thinkengine', 'onword', 'wildfire', 'voyager']);
const HESITATIONS = /\b(?:u+h+|u+m+|a+h+|e+r+m*|h+m+|mm+)\b/g;
const DRAWS = 2000;

/** @param most of the sentences, spread evenly over the callers */
export function callerSentences(most: number): CallerSentence[] {
  const { files } = readEvalJson<{ files: CallerSentence[] }>('telephone', 'manifest.json');
  return files.filter((_, i) => Math.floor(((i + 1) * most) / files.length) > Math.floor((i * most) / files.length));
}

const withoutHesitations = (text: string): string =>
  normalise(text).replace(HESITATIONS, ' ').replace(/\s+/g, ' ').trim();

export const scoreSentence = (sentence: CallerSentence, heard: string): SentenceScore => ({
  sentence,
  counts: editCounts(withoutHesitations(sentence.text), withoutHesitations(heard), COINED),
});

export const total = (scores: readonly { counts: EditCounts }[]): EditCounts =>
  scores.reduce((sum, { counts }) => addEdits(sum, counts), NO_EDITS);

/** The word error rate (%) with its 95 % interval, callers resampled. */
function rateOf(scores: readonly SentenceScore[]): string {
  const random = uniform(20_260_711);
  const callers = [...Map.groupBy(scores, ({ sentence }) => sentence.speaker).values()].map(total);
  const rates = Array.from({ length: DRAWS }, () => {
    const drawn = callers.map(
      () => callers[Math.min(callers.length - 1, Math.floor(((random() + 1) / 2) * callers.length))]!,
    );
    return 100 * wordErrorRate(drawn.reduce(addEdits, NO_EDITS));
  }).sort((a, b) => a - b);
  const at = (q: number) => rates[Math.floor(q * DRAWS)]!.toFixed(1);
  return `${(100 * wordErrorRate(total(scores))).toFixed(1)} [${at(0.025)}, ${at(0.975)}]`;
}

/**
 * @param scores of each recipe
 * @param cpuMs CPU time of each recipe
 */
export function telephoneTable(
  scores: ReadonlyMap<string, readonly SentenceScore[]>,
  cpuMs: ReadonlyMap<string, number>,
): Table {
  const [first = []] = scores.values();
  const groups: [string, (sentence: CallerSentence) => boolean][] = [
    ['all', () => true],
    ['landline', ({ phone }) => phone === 'landlinephone'],
    ['cell phone', ({ phone }) => phone === 'cellphone'],
    ['speakerphone', ({ phone }) => phone === 'speakerphone'],
    ['native', ({ dialect }) => dialect === 'native'],
    ['non-native', ({ dialect }) => dialect === 'nonNative'],
  ];
  const fast = cpuMs.get('fast') ?? Number.NaN;
  return {
    title: `Real telephone callers: ${first.length} sentences, word error rate (%)`,
    columns: ['callers', 'sentences', 'words', ...scores.keys()],
    rows: [
      ...groups.map(([name, isOne]) => {
        const own = first.filter(({ sentence }) => isOne(sentence));
        const rates = [...scores.values()].map((all) => rateOf(all.filter(({ sentence }) => isOne(sentence))));
        return [name, own.length, total(own).words, ...rates];
      }),
      [
        'CPU / fast',
        null,
        null,
        ...[...scores.keys()].map((name) => ((cpuMs.get(name) ?? Number.NaN) / fast).toFixed(2)),
      ],
    ],
    note: 'Intervals by bootstrap over callers. The five coined names stand for 0 to 2 words each; hesitations are left out on both sides.',
  };
}
