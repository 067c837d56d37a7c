/**
 * Writes the inputs of the moments network for every turn of the training set, for `fit.py`: the first step of `npm run
 * train -- moments`. build/moments/inputs.json has the dialogues, and encodings.bin has a row of `ENCODING_DIMENSIONS`
 * floats for each text in texts.json. Encodings from an earlier run are reused, because a text takes about 5 ms.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { momentEncoding } from '../../../containers/pipeline/stages/encoding.ts';
import { MOMENT_CATEGORY_NAMES } from '../../../src/contract/findings.ts';
import { ENCODING_DIMENSIONS } from '../../../src/conversation/encoding.ts';
import { OUTPUTS } from '../../../src/conversation/moments/moment-network.ts';
import { BUCKETS } from '../../../src/conversation/moments/word-runs.ts';
import { BUILD, fittedDialogues } from './corpus.ts';
import { turnInputs } from './turn-inputs.ts';

mkdirSync(BUILD, { recursive: true });
const [TEXTS, ENCODINGS] = [join(BUILD, 'texts.json'), join(BUILD, 'encodings.bin')];

function kept(): Map<string, Float32Array> {
  if (!existsSync(TEXTS)) return new Map();
  const texts = JSON.parse(readFileSync(TEXTS, 'utf8')) as string[];
  const bytes = new Uint8Array(readFileSync(ENCODINGS));
  const row = (i: number) => new Float32Array(bytes.buffer, i * ENCODING_DIMENSIONS * 4, ENCODING_DIMENSIONS);
  return new Map(texts.map((text, i) => [text, row(i)]));
}

const encodings = kept();
const dialogues = fittedDialogues();
const encoder = await SentenceEncoder.load();
for (const { turns } of dialogues)
  for (const { text } of turns) if (!encodings.has(text)) encodings.set(text, momentEncoding(await encoder.read(text)));

const rows = [...encodings.values()];
const file = new Float32Array(rows.length * ENCODING_DIMENSIONS);
for (const [i, row] of rows.entries()) file.set(row, i * ENCODING_DIMENSIONS);
writeFileSync(ENCODINGS, new Uint8Array(file.buffer));
writeFileSync(TEXTS, JSON.stringify([...encodings.keys()]));
const places = new Map([...encodings.keys()].map((text, i) => [text, i]));
const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(5)) : value);
writeFileSync(
  join(BUILD, 'inputs.json'),
  JSON.stringify(
    {
      outputs: OUTPUTS,
      categories: MOMENT_CATEGORY_NAMES.length,
      buckets: BUCKETS,
      dimensions: ENCODING_DIMENSIONS,
      dialogues: dialogues.map(({ id, fold, real, turns }) => {
        const inputs = turnInputs(turns, encodings);
        return {
          id,
          fold,
          real,
          turns: turns.map(({ speaker, text, moments = [] }, i) => ({
            speaker,
            moments,
            encoding: places.get(text),
            ...inputs[i],
          })),
        };
      }),
    },
    rounded,
  ),
);
console.log(`${dialogues.length} dialogues, ${dialogues.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
