import { GraphBuilder } from './graph-builder.ts';
import { floatConstantsOf, intAttribute } from './onnx.ts';

/** Silero's branch for 16 kHz. */
const BRANCH = 'If_0_then_branch__Inline_0__';
/** Number of samples of a frame, and those before it that are read with it. */
export const FRAME = 512;
export const CONTEXT = 64;
/** Size of an encoded frame, and of the model's memory. */
export const STATE = 128;
/** The short-time Fourier transform of a frame: four windows. The last one reaches into the reflected end. */
export const WINDOW = 256;
const HALF = WINDOW / 2;
const HOP = 128;
const WINDOWS = 4;
const BINS = HALF + 1;
const TAPS = 3;
/** Number of values of a frame's folded windows. */
export const FOLDED = WINDOWS * WINDOW;
/** The convolutions: channels in and out, positions in and out, and the step between positions. */
const CONVOLUTIONS = [
  { from: BINS, to: 128, positions: 4, stride: 1 },
  { from: 128, to: 64, positions: 4, stride: 2 },
  { from: 64, to: 64, positions: 2, stride: 2 },
  { from: 64, to: 128, positions: 1, stride: 1 },
] as const;
type Convolution = (typeof CONVOLUTIONS)[number];
/** The gates of PyTorch's memory (input, forget, cell, output) in the order of ONNX. */
const GATES = [0, 3, 1, 2];
/** Largest difference between the shipped transform and one that is folded. */
const SYMMETRY = 1e-4;

export const GRAPH = {
  windows: 'windows',
  encoded: 'encoded',
  hidden: 'hidden',
  cell: 'cell',
  speech: 'speech',
  nextHidden: 'next_hidden',
  nextCell: 'next_cell',
} as const;

/** The encoder reads every frame by itself, the memory reads encoded frames in order, and `whole` is both in one. */
export type SpeechPart = 'encoder' | 'memory' | 'whole';

/**
 * Silero VAD v6 for 16 kHz as graphs that read many frames of several rows at once, from the weights of the shipped
 * model, which reads one frame of each row. The encoder turns `windows` [steps * rows * 4, 256] (see `foldWindows`) into
 * `encoded` [steps * rows, 128], step by step. The memory turns these, `hidden` and `cell` [1, rows, 128] into `speech`
 * [steps, 1, rows, 1] and the next memory. The convolutions are products with matrices.
 * @param model the shipped file
 * @throws RangeError when it has other weights
 */
export function speechGraph(model: Uint8Array, part: SpeechPart): Uint8Array {
  const constants = floatConstantsOf(model);
  const weights = (name: string, size: number): Float32Array => {
    const found = constants.get(`${BRANCH}${name}`);
    if (found?.length !== size) throw new RangeError(`the speech model has no ${name} of ${size} numbers`);
    return found;
  };
  const graph = new GraphBuilder();
  if (part === 'encoder') graph.output(GRAPH.encoded, encoder(graph, weights));
  else memory(graph, weights, part === 'whole' ? encoder(graph, weights) : graph.input(GRAPH.encoded));
  return graph.model('speech');
}

type Weights = (name: string, size: number) => Float32Array;

const constant = (graph: GraphBuilder, name: string, shape: number[], values: Float32Array): string =>
  graph.constant(name, { shape, bytes: new Uint8Array(values.buffer) });

function encoder(graph: GraphBuilder, weights: Weights): string {
  const { cosines, sines } = foldedBasis(weights('stft.forward_basis_buffer', 2 * BINS * WINDOW));
  const folded = graph.steps(
    'Split',
    [graph.input(GRAPH.windows), graph.integers(HALF, HALF)],
    2,
    intAttribute('axis', 1),
  );
  const parts = [cosines, sines].map((basis, i) =>
    graph.step('MatMul', [folded[i]!, constant(graph, `basis_${i}`, [HALF, BINS], basis)]),
  );
  const squares = parts.map((values) => graph.step('Mul', [values, values]));
  let x = graph.reshaped(graph.step('Sqrt', [graph.step('Add', squares)]), -1, WINDOWS * BINS);
  for (const [i, shape] of CONVOLUTIONS.entries()) {
    const name = `encoder.${i}.reparam_conv`;
    const kernel = weights(`${name}.weight`, shape.to * shape.from * TAPS);
    const bias = constant(graph, `${name}.bias`, [shape.to], weights(`${name}.bias`, shape.to));
    x = convolved(graph, x, name, kernel, bias, shape);
  }
  return x;
}

function memory(graph: GraphBuilder, weights: Weights, x: string): void {
  const hidden = graph.input(GRAPH.hidden);
  const cell = graph.input(GRAPH.cell);
  const rows = graph.step('Slice', [graph.step('Shape', [hidden]), graph.integers(1), graph.integers(2)]);
  const shape = graph.step('Concat', [graph.integers(-1), rows, graph.integers(STATE)], intAttribute('axis', 0));
  const gates = (name: string, width: number) => byGate(weights(`decoder.rnn.${name}`, 4 * STATE * width));
  const biases = Float32Array.from([...gates('bias_ih', 1), ...gates('bias_hh', 1)]);
  const [states, nextHidden, nextCell] = graph.steps(
    'LSTM',
    [
      graph.step('Reshape', [x, shape]),
      constant(graph, 'input_weights', [1, 4 * STATE, STATE], gates('weight_ih', STATE)),
      constant(graph, 'memory_weights', [1, 4 * STATE, STATE], gates('weight_hh', STATE)),
      constant(graph, 'biases', [1, 8 * STATE], biases),
      '',
      hidden,
      cell,
    ],
    3,
    intAttribute('hidden_size', STATE),
  );
  const logits = graph.linear(
    graph.step('Relu', [states!]),
    constant(graph, 'decision', [STATE, 1], weights('decoder.decoder.2.weight', STATE)),
    constant(graph, 'decision_bias', [1], weights('decoder.decoder.2.bias', 1)),
  );
  graph.output(GRAPH.speech, graph.step('Sigmoid', [logits]));
  graph.output(GRAPH.nextHidden, nextHidden!);
  graph.output(GRAPH.nextCell, nextCell!);
}

const padded = new Float32Array((WINDOWS - 1) * HOP + WINDOW);

/**
 * The windows of a frame, folded: the cosines of the transform are even and its sines odd, so each needs only the sums
 * or the differences of the samples at equal distances from a window's middle. Half of the products remain.
 * @param samples the recording; those beyond its ends are silence
 * @param start position of the frame with the 64 samples before it
 * @param out receives, for each window, its 128 sums and its 128 differences, from `at` on
 */
export function foldWindows(samples: Float32Array, start: number, out: Float32Array, at: number): void {
  const length = CONTEXT + FRAME;
  const first = Math.max(0, start);
  const last = Math.max(first, Math.min(samples.length, start + length));
  padded.fill(0);
  padded.set(samples.subarray(first, last), first - start);
  for (let i = 0; i < padded.length - length; i++) padded[length + i] = padded[length - 2 - i]!;
  for (let window = 0, to = at; window < WINDOWS; window++, to += WINDOW) {
    const from = window * HOP;
    for (let n = 1; n <= HALF; n++) {
      const before = padded[from + n]!;
      const after = padded[from + WINDOW - n]!;
      out[to + n - 1] = before + after;
      out[to + HALF + n - 1] = before - after;
    }
  }
}

/**
 * The transform of folded windows: two matrices [128, 129].
 * @param basis [2 * 129, 256], the cosines of all bins before the sines, with the shape of the window
 */
function foldedBasis(basis: Float32Array): { cosines: Float32Array; sines: Float32Array } {
  const cosines = new Float32Array(HALF * BINS);
  const sines = new Float32Array(HALF * BINS);
  let asymmetry = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const [even, odd] = [bin * WINDOW, (BINS + bin) * WINDOW];
    asymmetry = Math.max(asymmetry, Math.abs(basis[even]!), Math.abs(basis[odd]!));
    for (let n = 1; n <= HALF; n++) {
      const [a, b] = [basis[even + n]!, basis[even + WINDOW - n]!];
      const [c, d] = [basis[odd + n]!, basis[odd + WINDOW - n]!];
      asymmetry = Math.max(asymmetry, Math.abs(a - b), Math.abs(c + d));
      // The sum at the middle counts its sample twice.
      cosines[(n - 1) * BINS + bin] = n === HALF ? a / 2 : (a + b) / 2;
      sines[(n - 1) * BINS + bin] = (c - d) / 2;
    }
  }
  if (!(asymmetry < SYMMETRY)) throw new RangeError('the Fourier transform of the speech model is not symmetric');
  return { cosines, sines };
}

/**
 * A convolution of three taps over a few positions, with a matrix for each position of the output, from the positions
 * that it reads.
 * @param x [frames, positions * from]
 * @param kernel [to, from, taps]
 */
function convolved(
  graph: GraphBuilder,
  x: string,
  name: string,
  kernel: Float32Array,
  bias: string,
  { from, to, positions, stride }: Convolution,
): string {
  const outputs = Array.from({ length: positions / stride }, (_, out) => {
    const first = Math.max(0, out * stride - 1);
    const last = Math.min(positions, out * stride + 2);
    const matrix = new Float32Array((last - first) * from * to);
    for (let position = first; position < last; position++) {
      const tap = position - out * stride + 1;
      for (let input = 0; input < from; input++)
        for (let output = 0; output < to; output++)
          matrix[((position - first) * from + input) * to + output] = kernel[(output * from + input) * TAPS + tap]!;
    }
    const read =
      last - first === positions
        ? x
        : graph.step('Slice', [x, graph.integers(first * from), graph.integers(last * from), graph.integers(1)]);
    return graph.linear(read, constant(graph, `${name}.${out}`, [(last - first) * from, to], matrix), bias);
  });
  return graph.step('Relu', [
    outputs.length === 1 ? outputs[0]! : graph.step('Concat', outputs, intAttribute('axis', 1)),
  ]);
}

function byGate(values: Float32Array): Float32Array {
  const size = values.length / GATES.length;
  const ordered = new Float32Array(values.length);
  for (const [to, from] of GATES.entries()) ordered.set(values.subarray(from * size, (from + 1) * size), to * size);
  return ordered;
}
