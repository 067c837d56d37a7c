import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalPath } from '../../eval-data.ts';

/**
 * Converts the published VADER lexicon to the compact one that ships: word or emoticon and its mean rating (-4..4),
 * without the ten individual ratings. Run: `node scripts/train/text-affect/vader-lexicon.ts`.
 */
const NOTICE = [
  '# VADER sentiment lexicon, mean valence x 10 of each entry, made by scripts/train/text-affect/vader-lexicon.ts.',
  '# Hutto, C.J. & Gilbert, E.E. (2014). VADER: A Parsimonious Rule-based Model for Sentiment Analysis of Social Media',
  '# Text. ICWSM-14. Copyright (c) 2016 C.J. Hutto. MIT licence: permission is granted, free of charge, to deal in the',
  '# work without restriction provided this notice is included; it is provided "as is", without warranty of any kind.',
];

const entries = new Map<string, number>();
for (const line of readFileSync(evalPath('text-affect/vader/vader_lexicon.txt'), 'utf8').split('\n')) {
  const [token, mean] = line.split('\t');
  if (token && mean) entries.set(token, Math.round(Number(mean) * 10));
}
const path = join(import.meta.dirname, '../../../containers/pipeline/models/text-affect/vader-lexicon.tsv');
writeFileSync(path, `${[...NOTICE, ...[...entries].map(([token, mean]) => `${token}\t${mean}`)].join('\n')}\n`);
console.log(`${entries.size} entries`);
