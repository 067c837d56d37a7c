import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { POOLING_PATH } from '../../../containers/pipeline/models/moment-pooling.ts';
import type { LayerWeights, NetworkWeights, ReaderWeights } from '../../../src/conversation/acts/act-model.ts';
import type { PackedMatrix } from '../../../src/conversation/packed-weights.ts';
import { packWeights } from '../pack-weights.ts';
import { BUILD } from './corpus.ts';
import { packLayer, packMatrix } from './pack-layers.ts';

/** What `reader.py` trained last: arrays of all members, one after the other; matrices row by row, a row for each input. */
class Trained {
  readonly #arrays = new Map<string, Float32Array>();
  readonly members: number;

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
    this.members = list[0]!.shape[0]!;
  }

  /** One for each member. */
  arrays(name: string): Float32Array[] {
    const array = this.#arrays.get(name);
    if (!array) throw new Error(`reader.py left no ${name}`);
    const length = array.length / this.members;
    return Array.from({ length: this.members }, (_, member) => array.subarray(member * length, (member + 1) * length));
  }

  /** The networks of one member. */
  reader(member: number): ReaderWeights {
    const matrix = (name: string): PackedMatrix => packMatrix(this.arrays(name)[member]!);
    const layer = (name: string): LayerWeights =>
      packLayer(this.arrays(`${name}.weight`)[member]!, this.arrays(`${name}.bias`)[member]!);
    const network = (name: string, again = ''): NetworkWeights => ({
      hidden: layer(`${name}.hidden${again}`),
      output: layer(`${name}.output${again}`),
    });
    return {
      turns: network('turns'),
      context: {
        query: layer('context.query'),
        key: layer('context.key'),
        value: layer('context.value'),
        keyPlaces: matrix('context.key_places'),
        valuePlaces: matrix('context.value_places'),
      },
      pairs: network('pairs'),
      turnsAgain: network('turns', '_again'),
      pairsAgain: network('pairs', '_again'),
    };
  }
}

/** The readers that `reader.py` trained last. */
export function trainedReaders(): ReaderWeights[] {
  const trained = new Trained();
  return Array.from({ length: trained.members }, (_, member) => trained.reader(member));
}

/** Writes what pools an utterance's states for them. @returns its size in bytes */
export function writePooling(): number {
  const trained = new Trained();
  const attentionBiases = trained.arrays('pooling.attention.bias');
  const biases = trained.arrays('pooling.layer.bias');
  const named = (name: string, from: string, columns?: (member: number) => number) =>
    trained.arrays(from).map((values, member) => ({ name: `${member}.${name}`, values, columns: columns?.(member) }));
  return packWeights(POOLING_PATH, [
    ...named('attention', 'pooling.attention.weight', (member) => attentionBiases[member]!.length),
    ...named('attentionBias', 'pooling.attention.bias'),
    ...named('scale', 'pooling.scale'),
    ...named('shift', 'pooling.shift'),
    ...named('layer', 'pooling.layer.weight', (member) => biases[member]!.length),
    ...named('layerBias', 'pooling.layer.bias'),
  ]);
}
