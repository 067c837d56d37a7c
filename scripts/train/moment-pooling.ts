/**
 * Packs the pooling that `moments/pooling.py` fitted: the last step of `npm run train -- moment-pooling`. Writes
 * containers/pipeline/models/moment-pooling.bin and its card. The network of key moments reads the pooling's output, so
 * `npm run train -- moments` has to follow.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { POOLING_PATH } from '../../containers/pipeline/models/moment-pooling.ts';
import { digest } from './feature-fingerprints.ts';
import { BUILD } from './moments/corpus.ts';
import { packWeights, type Unpacked } from './pack-weights.ts';

const shapes = JSON.parse(readFileSync(join(BUILD, 'pooling.json'), 'utf8')) as Record<string, number[]>;
const file = new Uint8Array(readFileSync(join(BUILD, 'pooling.bin')));
let at = 0;
const arrays = Object.entries(shapes).map(([name, shape]): Unpacked => {
  const length = shape.reduce((product, size) => product * size, 1);
  const values = new Float32Array(file.buffer, at, length);
  at += 4 * length;
  return shape.length > 1 ? { name, values, columns: shape.at(-1)! } : { name, values };
});
packWeights(POOLING_PATH, arrays);
const card = {
  id: digest(readFileSync(POOLING_PATH)),
  trained_on: ['data/moments/fit.jsonl, half of the dialogues in it that this project wrote'],
  licence: "the project's own; nothing of others",
  made_by: 'npm run train -- moment-pooling (scripts/train/moments/states.ts, moments/pooling.py, moment-pooling.ts)',
};
writeFileSync(POOLING_PATH.replace(/bin$/, 'card.json'), `${JSON.stringify(card, null, 2)}\n`);
