import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { POOLING_PATH } from '../../../containers/pipeline/models/moment-pooling.ts';
import { ENCODING_SIZE } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { ENCODING_DIMENSIONS } from '../../../src/contract/encoding.ts';
import { packInt8 } from '../../../src/contract/packed-int8.ts';
import type { MomentWeights, NetworkWeights, PackedMatrix } from '../../../src/conversation/dialogue-acts/act-model.ts';
import { packWeights } from '../text-affect/pack-weights.ts';
import { BUILD } from './corpus.ts';

/** The networks that read encodings, as they are shipped. */
export type ReaderWeights = Pick<MomentWeights, 'turns' | 'pairs'>;

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

function packMatrix(values: Float32Array): PackedMatrix {
  const step = values.reduce((max, v) => Math.max(max, Math.abs(v)), 1e-9) / 127;
  return { step, values: packInt8(Int8Array.from(values, (v) => Math.round(v / step))) };
}

/** What `reader.py` trained last: matrices row by row, a row for each input. */
class Trained {
  readonly #arrays = new Map<string, Float32Array>();

  constructor() {
    const list = z
      .array(z.object({ name: z.string(), shape: z.array(z.number().int()) }))
      .parse(JSON.parse(readFileSync(join(BUILD, 'weights.json'), 'utf8')));
    const bytes = readFileSync(join(BUILD, 'weights.bin'));
    let at = 0;
    for (const { name, shape } of list) {
      const length = shape.reduce((product, size) => product * size, 1);
      this.#arrays.set(name, new Float32Array(Uint8Array.from(bytes.subarray(at, at + 4 * length)).buffer));
      at += 4 * length;
    }
  }

  array(name: string): Float32Array {
    const array = this.#arrays.get(name);
    if (!array) throw new Error(`reader.py left no ${name}`);
    return array;
  }

  network(name: string): NetworkWeights {
    return {
      hidden: packMatrix(this.array(`${name}_hidden.weight`)),
      hiddenBias: Array.from(this.array(`${name}_hidden.bias`), round),
      output: packMatrix(this.array(`${name}_output.weight`)),
      outputBias: Array.from(this.array(`${name}_output.bias`), round),
    };
  }
}

/** The networks that `reader.py` trained last. */
export function trainedReader(): ReaderWeights {
  const trained = new Trained();
  return { turns: trained.network('turn'), pairs: trained.network('pair') };
}

/** Writes what pools an utterance's states for them. @returns its size in bytes */
export function writePooling(): number {
  const trained = new Trained();
  const attention = trained.array('attention.weight');
  return packWeights(POOLING_PATH, [
    { name: 'attention', values: attention, columns: attention.length / ENCODING_SIZE },
    { name: 'attentionBias', values: trained.array('attention.bias') },
    { name: 'scale', values: trained.array('norm.weight') },
    { name: 'shift', values: trained.array('norm.bias') },
    { name: 'pooling', values: trained.array('pooling.weight'), columns: ENCODING_DIMENSIONS },
    { name: 'poolingBias', values: trained.array('pooling.bias') },
  ]);
}
