import { writeFileSync } from 'node:fs';
import { aligned, type PackedArray } from '../../../containers/pipeline/affect/packed-weights.ts';

export interface Unpacked {
  name: string;
  values: Float32Array;
  /** Width of a row: each column gets its own scale of one byte. Absent: kept as floats. */
  columns?: number;
}

/** Writes a weights file for `unpackWeights`; returns its size in bytes. */
export function packWeights(path: string, arrays: Unpacked[]): number {
  const list: PackedArray[] = [];
  const parts: Buffer[] = [];
  for (const { name, values, columns } of arrays) {
    const scales = columns ? scalesOf(values, columns) : undefined;
    const bytes = Buffer.alloc(aligned(values.length * (scales ? 1 : 4)));
    values.forEach((value, i) => {
      if (scales) bytes.writeInt8(Math.round(value / scales[i % scales.length]!), i);
      else bytes.writeFloatLE(value, 4 * i);
    });
    list.push({ name, length: values.length, scales });
    parts.push(bytes);
  }
  const header = Buffer.from(JSON.stringify(list));
  const head = Buffer.alloc(aligned(4 + header.length));
  head.writeUInt32LE(header.length, 0);
  header.copy(head, 4);
  const file = Buffer.concat([head, ...parts]);
  writeFileSync(path, file);
  return file.length;
}

/** Largest magnitude of each column over 127, with six significant digits so that the header stays short. */
function scalesOf(values: Float32Array, columns: number): number[] {
  const top = new Float64Array(columns);
  values.forEach((value, i) => {
    top[i % columns] = Math.max(top[i % columns]!, Math.abs(value));
  });
  return Array.from(top, (largest) => Number((Math.max(largest, 1e-9) / 126.9).toPrecision(6)));
}
