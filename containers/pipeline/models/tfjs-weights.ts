import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** A tensor of a stored model: little-endian 32-bit floats. */
export interface StoredTensor {
  shape: number[];
  bytes: Uint8Array;
}

/** A matrix that is stored as whole numbers of one byte: value = `least` + `step` x byte. */
export interface StoredBytes {
  shape: number[];
  bytes: Uint8Array;
  step: number;
  least: number;
}

const TensorSpecSchema = z.object({
  name: z.string(),
  shape: z.array(z.number().int()),
  dtype: z.string(),
  quantization: z.object({ dtype: z.literal('uint8'), scale: z.number(), min: z.number() }).optional(),
});
const ManifestSchema = z.object({
  weightsManifest: z.array(z.object({ paths: z.array(z.string()), weights: z.array(TensorSpecSchema) })),
});

type Stored = z.infer<typeof TensorSpecSchema> & { bytes: Uint8Array };

/** The tensors of a tensorflow.js model: their bytes lie end to end over its files. */
export class TfjsWeights {
  readonly #tensors: Map<string, Stored>;

  private constructor(tensors: Map<string, Stored>) {
    this.#tensors = tensors;
  }

  /** @param manifest path of its model.json. @throws Error when its files are missing or too short */
  static async read(manifest: string): Promise<TfjsWeights> {
    const { weightsManifest } = ManifestSchema.parse(JSON.parse(await readFile(manifest, 'utf8')));
    const tensors = new Map<string, Stored>();
    for (const { paths, weights } of weightsManifest) {
      const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(join(dirname(manifest), path)))));
      let at = 0;
      for (const spec of weights) {
        const size = spec.shape.reduce((product, length) => product * length, 1);
        const end = at + (spec.quantization ? 1 : 4) * size;
        if (end > bytes.length) throw new Error(`the model's weights are cut short in ${spec.name}`);
        tensors.set(spec.name, { ...spec, bytes: bytes.subarray(at, end) });
        at = end;
      }
    }
    return new TfjsWeights(tensors);
  }

  /** As floats, however it is stored. @throws Error when there is none of that name */
  get(name: string): StoredTensor {
    const { shape, bytes, quantization } = this.#stored(name);
    if (!quantization) return { shape, bytes };
    // A loop: `Float32Array.from` with a function takes a second for a model.
    const values = new Float32Array(bytes.length);
    for (let i = 0; i < bytes.length; i++) values[i] = quantization.min + quantization.scale * bytes[i]!;
    return { shape, bytes: new Uint8Array(values.buffer) };
  }

  /** As it is stored: a copy, so that the rest of the file need not stay in memory. @throws Error when it is none, or floats */
  getBytes(name: string): StoredBytes {
    const { shape, bytes, quantization } = this.#stored(name);
    if (!quantization) throw new Error(`the model's ${name} is not stored as bytes`);
    return { shape, bytes: Uint8Array.from(bytes), step: quantization.scale, least: quantization.min };
  }

  #stored(name: string): Stored {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`the model has no ${name}`);
    return tensor;
  }
}
