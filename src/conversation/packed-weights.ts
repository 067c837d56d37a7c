/**
 * The only format of weights files: a 32-bit length (little-endian), a JSON list of that many bytes, and then the
 * listed arrays, each starting at a multiple of four. `scripts/train/pack-weights.ts` writes it.
 */
export type PackedEntry = PackedArray | PackedValue;

/** An array, either of one-byte integers with a scale for each column, or of plain 32-bit floats. */
export interface PackedArray {
  name: string;
  length: number;
  /** Scale of each column, where value = byte x scale. Absent for floats. */
  scales?: number[];
}

/** Any other value, stored in the list itself in ASCII. Other characters are escaped. */
export interface PackedValue {
  name: string;
  value: object;
}

/** A matrix of one-byte integers, row by row. */
export interface PackedMatrix {
  step: number;
  values: Int8Array;
}

/** Number of characters decoded in one call. */
const DECODED = 8192;

/** The entries of a file with their offsets. @throws when the file is shorter than its list says */
function entriesOf(file: Uint8Array): { view: DataView; entries: { entry: PackedEntry; at: number }[] } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const header = view.getUint32(0, true);
  if (4 + header > file.byteLength) throw new Error('Weights file is cut short in its list');
  let json = '';
  for (let at = 4; at < 4 + header; at += DECODED)
    json += String.fromCharCode(...file.subarray(at, Math.min(4 + header, at + DECODED)));
  let next = aligned(4 + header);
  const entries = (JSON.parse(json) as PackedEntry[]).map((entry) => {
    const at = next;
    if ('value' in entry) return { entry, at };
    const end = at + entry.length * (entry.scales ? 1 : 4);
    if (end > file.byteLength) throw new Error(`Weights file is cut short in "${entry.name}"`);
    next = aligned(end);
    return { entry, at };
  });
  return { view, entries };
}

function floatsOf(view: DataView, at: number, length: number): Float32Array {
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) values[i] = view.getFloat32(at + 4 * i, true);
  return values;
}

/** All arrays of a weights file as floats, by name. @throws when the file is shorter than its list says */
export function unpackWeights(file: Uint8Array): Record<string, Float32Array> {
  const { view, entries } = entriesOf(file);
  const arrays: Record<string, Float32Array> = {};
  for (const { entry, at } of entries) {
    if ('value' in entry) continue;
    const { name, length, scales } = entry;
    if (!scales) {
      arrays[name] = floatsOf(view, at, length);
      continue;
    }
    const values = new Float32Array(length);
    for (let i = 0; i < length; i++) values[i] = view.getInt8(at + i) * scales[i % scales.length]!;
    arrays[name] = values;
  }
  return arrays;
}

/** A node in a tree of weights. Its children are objects and lists. */
type Branch = Record<string, unknown>;

/**
 * A weights file as the tree that was packed. Names are paths. An array of integers is a `PackedMatrix` over the file's
 * own bytes, and an array of floats is a Float32Array. Nothing else is decoded.
 * @throws when the file is shorter than its list says
 */
export function weightsTree<T extends object>(file: Uint8Array): T {
  const { view, entries } = entriesOf(file);
  const tree: Branch = {};
  for (const { entry, at } of entries) {
    if ('value' in entry) {
      Object.assign(tree, entry.value);
      continue;
    }
    const { name, length, scales } = entry;
    const path = name.split('.');
    const last = path.pop()!;
    const branch = path.reduce((from, key) => from[key] as Branch, tree);
    branch[last] = scales
      ? { step: scales[0]!, values: new Int8Array(view.buffer, view.byteOffset + at, length) }
      : floatsOf(view, at, length);
  }
  return tree as T;
}

/** Rounds up to a multiple of four. */
export const aligned = (at: number): number => (at + 3) & ~3;
