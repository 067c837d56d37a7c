import { writeFileSync } from 'node:fs';
import { aligned, type PackedEntry, type PackedMatrix } from '../../src/conversation/packed-weights.ts';

export interface Unpacked {
  name: string;
  values: Float32Array;
  /** Width of a row. Each column gets its own scale for its bytes. If absent, values are stored as floats. */
  columns?: number;
}

/** Writes a weights file for `unpackWeights`. Returns its size in bytes. */
export function packWeights(path: string, arrays: Unpacked[]): number {
  const file = new WeightsFile();
  for (const { name, values, columns } of arrays) {
    if (!columns) {
      file.addFloats(name, values);
      continue;
    }
    const scales = scalesOf(values, columns);
    file.addBytes(
      name,
      Int8Array.from(values, (value, i) => Math.round(value / scales[i % columns]!)),
      scales,
    );
  }
  const bytes = file.bytes();
  writeFileSync(path, bytes);
  return bytes.length;
}

/**
 * A weights file for `weightsTree`. Quantised matrices and arrays of floats become its arrays, and everything else goes
 * into its list.
 * @param tree plain objects and lists; the names that lead to an array contain no dot
 */
export function packTree(tree: object): Buffer {
  const file = new WeightsFile();
  const bare = (node: unknown, path: string[]): unknown => {
    if (node instanceof Float32Array) return file.addFloats(path.join('.'), node);
    if (typeof node !== 'object' || node === null) return node;
    if ('values' in node && node.values instanceof Int8Array) {
      const { step, values } = node as PackedMatrix;
      return file.addBytes(path.join('.'), values, [step]);
    }
    const entries = Object.entries(node).map(([key, child]) => [key, bare(child, [...path, key])]);
    return Array.isArray(node) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
  };
  file.addValue('tree', bare(tree, []) as object);
  return file.bytes();
}

class WeightsFile {
  readonly #list: PackedEntry[] = [];
  readonly #parts: Buffer[] = [];

  addFloats(name: string, values: Float32Array): void {
    const bytes = Buffer.alloc(values.length * 4);
    values.forEach((value, i) => {
      bytes.writeFloatLE(value, 4 * i);
    });
    this.#add({ name, length: values.length }, bytes);
  }

  addBytes(name: string, values: Int8Array, scales: number[]): void {
    const bytes = Buffer.alloc(aligned(values.length));
    values.forEach((value, i) => {
      bytes.writeInt8(value, i);
    });
    this.#add({ name, length: values.length, scales }, bytes);
  }

  /** This part is read before all arrays. */
  addValue(name: string, value: object): void {
    this.#list.unshift({ name, value });
  }

  #add(entry: PackedEntry, bytes: Buffer): void {
    this.#list.push(entry);
    this.#parts.push(bytes);
  }

  bytes(): Buffer {
    const json = JSON.stringify(this.#list).replaceAll(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const header = Buffer.from(json);
    const head = Buffer.alloc(aligned(4 + header.length));
    head.writeUInt32LE(header.length, 0);
    header.copy(head, 4);
    return Buffer.concat([head, ...this.#parts]);
  }
}

/** Largest magnitude of each column divided by 127, to six significant digits so that the header stays short. */
function scalesOf(values: Float32Array, columns: number): number[] {
  const top = new Float64Array(columns);
  values.forEach((value, i) => {
    top[i % columns] = Math.max(top[i % columns]!, Math.abs(value));
  });
  return Array.from(top, (largest) => Number((Math.max(largest, 1e-9) / 126.9).toPrecision(6)));
}
