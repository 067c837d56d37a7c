/**
 * The axes along which rows vary most, by orthogonal iteration on the covariance (Golub & Van Loan, 7.3.2). It starts
 * from fixed vectors so that the same rows lead to the same numbers.
 * @param rows n x width, centred in place.
 * @returns as many axes as requested, or fewer when the rows have fewer dimensions, strongest first. Each has `width`
 * numbers and length 1. The signs are arbitrary but fixed.
 */
function principalAxes(rows: Float32Array, width: number, components: number): Float64Array {
  const k = Math.min(components, width, rows.length / width);
  centre(rows, width);
  const covariance = covarianceOf(rows, width);
  const basis = startingBasis(width, k + EXTRA);
  const image = new Float64Array(basis.length);
  for (let i = 0; i < ITERATIONS; i++) {
    multiply(covariance, basis, image, width);
    basis.set(image);
    orthonormalise(basis, width);
  }
  return basis;
}

/**
 * Projects rows onto their first principal components.
 * @param rows n x width, centred in place.
 * @returns n x components (fewer when the rows have fewer dimensions)
 */
export function principalComponents(rows: Float32Array, width: number, components: number): Float32Array {
  const n = rows.length / width;
  const k = Math.min(components, width, n);
  const basis = principalAxes(rows, width, k);
  const out = new Float32Array(n * k);
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < k; c++) {
      let sum = 0;
      for (let j = 0; j < width; j++) sum += rows[r * width + j]! * basis[c * width + j]!;
      out[r * k + c] = sum;
    }
  }
  return out;
}

/** Number of extra vectors that are iterated, so that the last wanted ones also converge. */
const EXTRA = 8;
const ITERATIONS = 25;

function centre(rows: Float32Array, width: number): void {
  const n = rows.length / width;
  for (let c = 0; c < width; c++) {
    let sum = 0;
    for (let i = c; i < rows.length; i += width) sum += rows[i]!;
    const mean = sum / n;
    for (let i = c; i < rows.length; i += width) rows[i] = rows[i]! - mean;
  }
}

function covarianceOf(rows: Float32Array, width: number): Float64Array {
  const out = new Float64Array(width * width);
  // Four rows at once share the loads and stores of the sums.
  const four = rows.length - (rows.length % (4 * width));
  for (let at = 0; at < four; at += 4 * width) {
    for (let i = 0; i < width; i++) {
      const a = rows[at + i]!;
      const b = rows[at + width + i]!;
      const c = rows[at + 2 * width + i]!;
      const d = rows[at + 3 * width + i]!;
      for (let j = i, to = i * width + i, from = at + i; j < width; j++, to++, from++)
        out[to] =
          out[to]! +
          a * rows[from]! +
          b * rows[from + width]! +
          c * rows[from + 2 * width]! +
          d * rows[from + 3 * width]!;
    }
  }
  for (let at = four; at < rows.length; at += width)
    for (let i = 0; i < width; i++)
      for (let j = i; j < width; j++) out[i * width + j]! += rows[at + i]! * rows[at + j]!;
  for (let i = 0; i < width; i++) for (let j = 0; j < i; j++) out[i * width + j] = out[j * width + i]!;
  return out;
}

function startingBasis(width: number, vectors: number): Float64Array {
  const count = Math.min(width, vectors);
  let seed = 1;
  const basis = Float64Array.from({ length: width * count }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32 - 0.5;
  });
  orthonormalise(basis, width);
  return basis;
}

function multiply(matrix: Float64Array, basis: Float64Array, out: Float64Array, width: number): void {
  for (let at = 0; at < basis.length; at += width) {
    for (let i = 0; i < width; i++) {
      let sum = 0;
      for (let j = 0; j < width; j++) sum += matrix[i * width + j]! * basis[at + j]!;
      out[at + i] = sum;
    }
  }
}

/** Gram-Schmidt over the rows of `basis`. A row that becomes zero stays zero. */
function orthonormalise(basis: Float64Array, width: number): void {
  for (let a = 0; a < basis.length; a += width) {
    for (let b = 0; b < a; b += width) {
      let dot = 0;
      for (let i = 0; i < width; i++) dot += basis[a + i]! * basis[b + i]!;
      for (let i = 0; i < width; i++) basis[a + i] = basis[a + i]! - dot * basis[b + i]!;
    }
    let norm = 0;
    for (let i = 0; i < width; i++) norm += basis[a + i]! ** 2;
    const scale = norm > 1e-20 ? 1 / Math.sqrt(norm) : 0;
    for (let i = 0; i < width; i++) basis[a + i] = basis[a + i]! * scale;
  }
}
