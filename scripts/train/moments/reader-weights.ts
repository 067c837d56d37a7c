import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { POOLED, POOLING_PATH } from '../../../containers/pipeline/models/moment-pooling.ts';
import { ENCODING_DIMENSIONS } from '../../../src/contract/encoding.ts';
import { packInt8 } from '../../../src/contract/packed-int8.ts';
import type {
  LayerWeights,
  NetworkWeights,
  PackedMatrix,
  ReaderWeights,
} from '../../../src/conversation/dialogue-acts/act-model.ts';
import { packWeights } from '../text-affect/pack-weights.ts';
import { BUILD } from './corpus.ts';

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

  matrix(name: string): PackedMatrix {
    return packMatrix(this.array(name));
  }

  layer(name: string): LayerWeights {
    return { weight: this.matrix(`${name}.weight`), bias: Array.from(this.array(`${name}.bias`), round) };
  }

  network(name: string, again = ''): NetworkWeights {
    return { hidden: this.layer(`${name}.hidden${again}`), output: this.layer(`${name}.output${again}`) };
  }
}

/** The networks that `reader.py` trained last. */
export function trainedReader(): ReaderWeights {
  const trained = new Trained();
  return {
    turns: trained.network('turns'),
    context: {
      query: trained.layer('context.query'),
      key: trained.layer('context.key'),
      value: trained.layer('context.value'),
      keyPlaces: trained.matrix('context.key_places'),
      valuePlaces: trained.matrix('context.value_places'),
    },
    pairs: trained.network('pairs'),
    turnsAgain: trained.network('turns', '_again'),
    pairsAgain: trained.network('pairs', '_again'),
  };
}

/** Writes what pools an utterance's states for them. @returns its size in bytes */
export function writePooling(): number {
  const trained = new Trained();
  const heads = POOLED.flatMap((encoder) => {
    const attentionBias = trained.array(`${encoder}.attention.bias`);
    return [
      {
        name: `${encoder}.attention`,
        values: trained.array(`${encoder}.attention.weight`),
        columns: attentionBias.length,
      },
      { name: `${encoder}.attentionBias`, values: attentionBias },
      { name: `${encoder}.scale`, values: trained.array(`${encoder}.norm.weight`) },
      { name: `${encoder}.shift`, values: trained.array(`${encoder}.norm.bias`) },
    ];
  });
  return packWeights(POOLING_PATH, [
    ...heads,
    { name: 'pooling', values: trained.array('pooling.weight'), columns: ENCODING_DIMENSIONS },
    { name: 'poolingBias', values: trained.array('pooling.bias') },
  ]);
}
