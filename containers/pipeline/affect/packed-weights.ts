import { readFileSync } from 'node:fs';

/** One array of a weights file: whole numbers of one byte, each column with its own scale, or plain 32-bit floats. */
export interface PackedArray {
  name: string;
  length: number;
  /** One number for each column: value = byte x scale. Absent for floats. */
  scales?: number[];
}

/**
 * Reads a weights file: a 32-bit length, a JSON list of arrays, then their bytes one after the other, each array starting
 * at a multiple of four. Throws when the file is shorter than its list says.
 */
export function unpackWeights(path: string): Record<string, Float32Array> {
  const file = readFileSync(path);
  const header = file.readUInt32LE(0);
  const arrays = JSON.parse(file.toString('utf8', 4, 4 + header)) as PackedArray[];
  let at = aligned(4 + header);
  return Object.fromEntries(
    arrays.map(({ name, length, scales }) => {
      const end = at + length * (scales ? 1 : 4);
      if (end > file.length) throw new Error(`Weights file is cut short in "${name}"`);
      const values = new Float32Array(length);
      for (let i = 0; i < length; i++)
        values[i] = scales ? file.readInt8(at + i) * scales[i % scales.length]! : file.readFloatLE(at + 4 * i);
      at = aligned(end);
      return [name, values];
    }),
  );
}

/** The next multiple of four. */
export const aligned = (at: number): number => (at + 3) & ~3;
