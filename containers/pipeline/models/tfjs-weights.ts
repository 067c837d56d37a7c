import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** A tensor of a stored model: little-endian 32-bit floats. */
export interface StoredTensor {
  shape: number[];
  bytes: Uint8Array;
}

const TensorSpecSchema = z.object({ name: z.string(), shape: z.array(z.number().int()) });
const ManifestSchema = z.object({
  weightsManifest: z.array(z.object({ paths: z.array(z.string()), weights: z.array(TensorSpecSchema) })),
});

/** The tensors of a tensorflow.js model, stored one after another across its files. */
export class TfjsWeights {
  readonly #tensors: Map<string, StoredTensor>;

  private constructor(tensors: Map<string, StoredTensor>) {
    this.#tensors = tensors;
  }

  /** @param manifest path of its model.json. @throws Error when its files are missing or too short */
  static async read(manifest: string): Promise<TfjsWeights> {
    const { weightsManifest } = ManifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8')));
    const tensors = new Map<string, StoredTensor>();
    for (const { paths, weights } of weightsManifest) {
      const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(join(dirname(manifest), path)))));
      let at = 0;
      for (const { name, shape } of weights) {
        const end = at + 4 * shape.reduce((product, length) => product * length, 1);
        if (end > bytes.length) throw new Error(`The model's weights are truncated at ${name}`);
        tensors.set(name, { shape, bytes: bytes.subarray(at, end) });
        at = end;
      }
    }
    return new TfjsWeights(tensors);
  }

  /** @throws Error when no tensor has that name */
  get(name: string): StoredTensor {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`The model has no tensor ${name}`);
    return tensor;
  }
}
