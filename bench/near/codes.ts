import { randomVectors, seeded } from '../../support/random.ts';

/** A way to store the encoding of an utterance. */
export interface StoredVector {
  name: string;
  /** Size for one utterance. */
  bytes: number;
  /** For each vector, the highest cosine with one of the phrases, as far as the code keeps it. */
  cosines(vectors: readonly Float32Array[], phrases: readonly Float32Array[]): Float32Array;
}

type Vector = Float32Array;

const dot = (a: Vector, b: Vector): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
};
const unit = (vector: Vector): Vector => {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => value / length);
};
/** A function whose values for vectors are kept. */
function kept(code: (vector: Vector) => Vector): (vector: Vector) => Vector {
  const codes = new Map<Vector, Vector>();
  return (vector) => {
    const known = codes.get(vector) ?? code(vector);
    codes.set(vector, known);
    return known;
  };
}
const nearest = (vectors: readonly Vector[], phrases: readonly Vector[]): Float32Array =>
  Float32Array.from(vectors, (vector) => Math.max(...phrases.map((phrase) => dot(vector, phrase))));

/** The whole vector. */
export const floats = (dimensions: number): StoredVector => ({
  name: `${dimensions} floats`,
  bytes: 4 * dimensions,
  cosines: nearest,
});

/** Vectors of the sample from which the axes are found, and the rounds of subspace iteration. */
const SAMPLE = 4_000;
const ROUNDS = 12;

/** The principal axes of a sample, without its mean, so that cosines are those of the vectors. */
function axesOf(sample: readonly Vector[], count: number): Vector[] {
  const size = sample[0]!.length;
  const products = Array.from({ length: size }, () => new Float32Array(size));
  for (const vector of sample)
    for (let i = 0; i < size; i++) {
      const row = products[i]!;
      const value = vector[i]!;
      for (let j = 0; j < size; j++) row[j]! += value * vector[j]!;
    }
  let axes = randomRows(count, size);
  for (let round = 0; round < ROUNDS; round++) {
    axes = axes.map((axis) => Float32Array.from(products, (row) => dot(row, axis)));
    // Gram and Schmidt.
    for (const [n, axis] of axes.entries()) {
      for (const other of axes.slice(0, n)) {
        const shared = dot(axis, other);
        for (let i = 0; i < size; i++) axis[i]! -= shared * other[i]!;
      }
      axes[n] = unit(axis);
    }
  }
  return axes;
}

/** Some principal components as signed bytes. The cosine is that of the components. */
export function quantised(all: readonly Vector[], components: number): StoredVector {
  const step = Math.max(1, Math.floor(all.length / SAMPLE));
  const axes = axesOf(
    all.filter((_, i) => i % step === 0),
    components,
  );
  const code = kept((vector) => {
    const values = Float32Array.from(axes, (axis) => dot(axis, vector));
    const most = Math.max(...values.map(Math.abs));
    return unit(values.map((value) => Math.round((127 * value) / most)));
  });
  return {
    name: `${components} bytes of principal components`,
    bytes: components,
    cosines: (vectors, phrases) => nearest(vectors.map(code), phrases.map(code)),
  };
}

/** Signs of random projections; the cosine follows from the share of equal signs (Charikar 2002). */
export function signs(dimensions: number, bits: number): StoredVector {
  const planes = randomRows(bits, dimensions);
  const code = kept((vector) => Float32Array.from(planes, (plane) => Math.sign(dot(plane, vector))));
  return {
    name: `${bits} signs of random projections`,
    bytes: bits / 8,
    cosines: (vectors, phrases) =>
      nearest(vectors.map(code), phrases.map(code)).map((sum) => Math.cos((Math.PI * (bits - sum)) / (2 * bits))),
  };
}

/** Rows of normally distributed numbers, the same in every run. */
function randomRows(count: number, size: number): Vector[] {
  const random = seeded(1);
  return Array.from({ length: count }, () => Float32Array.from(randomVectors(size, random)));
}
