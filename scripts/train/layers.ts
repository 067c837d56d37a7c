import { affine } from '../../containers/pipeline/affect/text/network.ts';

const LABEL_SMOOTHING = 0.05;
/** Weight decay, decoupled from the gradients (Loshchilov & Hutter 2019). */
export const DECAY = 0.01;

/** One-cycle schedule (Smith 2018): the fraction of the highest learning rate at a given fraction of all steps. */
export const cycled = (progress: number): number =>
  progress < 0.1 ? progress / 0.1 : (1 + Math.cos((Math.PI * (progress - 0.1)) / 0.9)) / 2;

/** Adam (Kingma & Ba 2015) with decoupled weight decay, over a whole array or only the rows that have a gradient. */
export class Adam {
  readonly values: Float32Array;
  readonly slope: Float32Array;
  readonly #first: Float32Array;
  readonly #second: Float32Array;
  constructor(values: Float32Array) {
    this.values = values;
    this.slope = new Float32Array(values.length);
    this.#first = new Float32Array(values.length);
    this.#second = new Float32Array(values.length);
  }
  /** Applies and clears the gradient of the values from `from` to `to`. `step` counts from 1. */
  apply(rate: number, step: number, from: number, to: number, decay: number) {
    const correction = Math.sqrt(1 - 0.999 ** step) / (1 - 0.9 ** step);
    for (let i = from; i < to; i++) {
      const g = this.slope[i]!;
      const m = 0.9 * this.#first[i]! + 0.1 * g;
      const v = 0.999 * this.#second[i]! + 0.001 * g * g;
      this.#first[i] = m;
      this.#second[i] = v;
      this.values[i]! -= rate * (correction * (m / (Math.sqrt(v) + 1e-8)) + decay * this.values[i]!);
      this.slope[i] = 0;
    }
  }
}

/** `affine` over rows that are `stride` apart. */
export function multiply(
  inputs: Float32Array,
  rows: number,
  stride: number,
  weights: Float32Array,
  bias: Float32Array,
  out: Float32Array,
) {
  for (let r = 0; r < rows; r++) affine(weights, bias, inputs, r * stride, out, r * bias.length);
}

/**
 * Gradients of weights, biases and (if requested) inputs from the gradients of the outputs of `multiply`. Zero
 * gradients cost nothing.
 */
export function multiplyBack(
  inputs: Float32Array,
  rows: number,
  stride: number,
  inner: number,
  layer: Adam,
  bias: Adam,
  slopes: Float32Array,
  inputSlopes: Float32Array | null,
) {
  const outputs = bias.values.length;
  for (let r = 0; r < rows; r++) {
    const at = r * stride;
    for (let o = 0; o < outputs; o++) {
      const g = slopes[r * outputs + o]!;
      if (g === 0) continue;
      bias.slope[o]! += g;
      const w = o * inner;
      for (let i = 0; i < inner; i++) layer.slope[w + i]! += g * inputs[at + i]!;
      if (inputSlopes) for (let i = 0; i < inner; i++) inputSlopes[at + i]! += g * layer.values[w + i]!;
    }
  }
}

/** Inverted dropout in place; returns the factors, for the backward pass. */
export function drop(values: Float32Array, share: number, random: () => number): Float32Array {
  const factors = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    factors[i] = random() < share ? 0 : 1 / (1 - share);
    values[i]! *= factors[i]!;
  }
  return factors;
}

/** A network with one hidden layer (rectified), and a row of weights for each unit. */
export interface HiddenLayer {
  hidden: Adam;
  hiddenBias: Adam;
  out: Adam;
  outBias: Adam;
}

/**
 * Forward and backward pass of one batch. Adds gradients to the layers.
 * @param hiddenDrop fraction of the hidden units to drop
 * @param toSlopes replaces the scores with the gradient of the batch loss
 */
export function learnHidden(
  { hidden, hiddenBias, out, outBias }: HiddenLayer,
  input: Float32Array,
  rows: number,
  hiddenDrop: number,
  random: () => number,
  toSlopes: (scores: Float32Array) => void,
): void {
  const [inputs, units] = [input.length / rows, hiddenBias.values.length];
  const seen = new Float32Array(rows * units);
  multiply(input, rows, inputs, hidden.values, hiddenBias.values, seen);
  for (let i = 0; i < seen.length; i++) seen[i] = Math.max(0, seen[i]!);
  const alive = seen.map((value) => (value > 0 ? 1 : 0));
  const factors = drop(seen, hiddenDrop, random);
  const scores = new Float32Array(rows * outBias.values.length);
  multiply(seen, rows, units, out.values, outBias.values, scores);
  toSlopes(scores);
  const slopes = new Float32Array(rows * units);
  multiplyBack(seen, rows, units, units, out, outBias, scores, slopes);
  for (let i = 0; i < slopes.length; i++) slopes[i]! *= factors[i]! * alive[i]!;
  multiplyBack(input, rows, inputs, inputs, hidden, hiddenBias, slopes, null);
}

/** Replaces the scores of one text with the gradient of the mean batch loss and returns its loss. */
export function slopeOf(scores: Float32Array, at: number, labels: Float32Array, batch: number): number {
  let top = -Infinity;
  let sum = 0;
  let loss = 0;
  for (let k = 0; k < labels.length; k++) top = Math.max(top, scores[at + k]!);
  for (let k = 0; k < labels.length; k++) sum += Math.exp(scores[at + k]! - top);
  for (let k = 0; k < labels.length; k++) {
    const p = Math.exp(scores[at + k]! - top) / sum;
    const wanted = (1 - LABEL_SMOOTHING) * labels[k]! + LABEL_SMOOTHING / labels.length;
    loss -= wanted * Math.log(p + 1e-12);
    scores[at + k] = (p - wanted) / batch;
  }
  return loss;
}
