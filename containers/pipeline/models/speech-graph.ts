import { GraphBuilder } from './graph-builder.ts';
import { floatConstantsOf, intAttribute } from './onnx.ts';

/** Silero's branch for 16 kHz. */
const BRANCH = 'If_0_then_branch__Inline_0__';
/** Number of samples of a frame, and those before it that are read with it. */
export const FRAME = 512;
export const CONTEXT = 64;
/** Size of the model's memory. */
export const STATE = 128;
/** The short-time Fourier transform of a frame: four windows. The last one reaches into the reflected end. */
const WINDOW = 256;
const HOP = 128;
const WINDOWS = 4;
const BINS = WINDOW / 2 + 1;
const TAPS = 3;
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

export const GRAPH = {
  frames: 'frames',
  hidden: 'hidden',
  cell: 'cell',
  speech: 'speech',
  nextHidden: 'next_hidden',
  nextCell: 'next_cell',
} as const;

/**
 * Silero VAD v6 for 16 kHz as a graph that reads many frames of several rows at once, from the weights of the shipped
 * model, which reads one frame of each row. `frames` [steps * rows, 64 + 512], step by step; `hidden` and `cell` [1,
 * rows, 128] to `speech` [steps, 1, rows, 1] and the next memory. The convolutions are products with a matrix.
 * @param model the shipped file
 * @throws RangeError when it has other weights
 */
export function speechGraph(model: Uint8Array): Uint8Array {
  const constants = floatConstantsOf(model);
  const weights = (name: string, size: number): Float32Array => {
    const found = constants.get(`${BRANCH}${name}`);
    if (found?.length !== size) throw new RangeError(`the speech model has no ${name} of ${size} numbers`);
    return found;
  };
  const graph = new GraphBuilder();
  const constant = (name: string, shape: number[], values: Float32Array): string =>
    graph.constant(name, { shape, bytes: new Uint8Array(values.buffer) });

  const frames = graph.input(GRAPH.frames);
  const hidden = graph.input(GRAPH.hidden);
  const cell = graph.input(GRAPH.cell);
  const basis = transposed(weights('stft.forward_basis_buffer', 2 * BINS * WINDOW), WINDOW);
  const spectrum = graph.step('MatMul', [windowsOf(graph, frames), constant('basis', [WINDOW, 2 * BINS], basis)]);
  const [re, im] = graph.steps('Split', [spectrum, graph.integers(BINS, BINS)], 2, intAttribute('axis', 1));
  const squares = [re!, im!].map((part) => graph.step('Mul', [part, part]));
  let x = graph.reshaped(graph.step('Sqrt', [graph.step('Add', squares)]), -1, WINDOWS * BINS);
  for (const [i, shape] of CONVOLUTIONS.entries()) {
    const { from, to, positions, stride } = shape;
    const name = `encoder.${i}.reparam_conv`;
    const out = positions / stride;
    const matrix = convolutionMatrix(weights(`${name}.weight`, to * from * TAPS), shape);
    const bias = repeated(weights(`${name}.bias`, to), out);
    x = graph.linear(
      x,
      constant(`${name}.matrix`, [positions * from, out * to], matrix),
      constant(`${name}.bias`, [out * to], bias),
    );
    x = graph.step('Relu', [x]);
  }
  const rows = graph.step('Slice', [graph.step('Shape', [hidden]), graph.integers(1), graph.integers(2)]);
  const shape = graph.step('Concat', [graph.integers(-1), rows, graph.integers(STATE)], intAttribute('axis', 0));
  const gates = (name: string, width: number) => byGate(weights(`decoder.rnn.${name}`, 4 * STATE * width));
  const biases = Float32Array.from([...gates('bias_ih', 1), ...gates('bias_hh', 1)]);
  const [states, nextHidden, nextCell] = graph.steps(
    'LSTM',
    [
      graph.step('Reshape', [x, shape]),
      constant('input_weights', [1, 4 * STATE, STATE], gates('weight_ih', STATE)),
      constant('memory_weights', [1, 4 * STATE, STATE], gates('weight_hh', STATE)),
      constant('biases', [1, 8 * STATE], biases),
      '',
      hidden,
      cell,
    ],
    3,
    intAttribute('hidden_size', STATE),
  );
  const logits = graph.linear(
    graph.step('Relu', [states!]),
    constant('decision', [STATE, 1], weights('decoder.decoder.2.weight', STATE)),
    constant('decision_bias', [1], weights('decoder.decoder.2.bias', 1)),
  );
  graph.output(GRAPH.speech, graph.step('Sigmoid', [logits]));
  graph.output(GRAPH.nextHidden, nextHidden!);
  graph.output(GRAPH.nextCell, nextCell!);
  return graph.model('speech');
}

/** The windows of each frame [frames * 4, 256], with the frame's end reflected. */
function windowsOf(graph: GraphBuilder, frames: string): string {
  const tail = CONTEXT + FRAME - 2;
  const reflected = graph.step(
    'Gather',
    [
      frames,
      graph.integers(...Array.from({ length: (WINDOWS - 1) * HOP + WINDOW - CONTEXT - FRAME }, (_, i) => tail - i)),
    ],
    intAttribute('axis', 1),
  );
  const whole = graph.step('Concat', [frames, reflected], intAttribute('axis', 1));
  const windows = Array.from({ length: WINDOWS }, (_, i) =>
    graph.step('Slice', [whole, graph.integers(i * HOP), graph.integers(i * HOP + WINDOW), graph.integers(1)]),
  );
  return graph.reshaped(graph.step('Concat', windows, intAttribute('axis', 1)), -1, WINDOW);
}

/** A matrix of rows of the given width, with rows and columns exchanged. */
function transposed(matrix: Float32Array, width: number): Float32Array {
  const height = matrix.length / width;
  return Float32Array.from(matrix, (_, i) => matrix[(i % height) * width + Math.floor(i / height)]!);
}

/**
 * A convolution of three taps over a few positions as a matrix from all of its inputs to all of its outputs.
 * @param kernel [to, from, taps]
 */
function convolutionMatrix(kernel: Float32Array, { from, to, positions, stride }: Convolution): Float32Array {
  const width = (positions / stride) * to;
  const matrix = new Float32Array(positions * from * width);
  for (let out = 0; out < positions / stride; out++)
    for (let tap = 0; tap < TAPS; tap++) {
      const position = out * stride + tap - 1;
      if (position < 0 || position >= positions) continue;
      for (let input = 0; input < from; input++)
        for (let output = 0; output < to; output++)
          matrix[(position * from + input) * width + out * to + output] = kernel[(output * from + input) * TAPS + tap]!;
    }
  return matrix;
}

const repeated = (values: Float32Array, times: number): Float32Array =>
  Float32Array.from({ length: times * values.length }, (_, i) => values[i % values.length]!);

function byGate(values: Float32Array): Float32Array {
  const size = values.length / GATES.length;
  const ordered = new Float32Array(values.length);
  for (const [to, from] of GATES.entries()) ordered.set(values.subarray(from * size, (from + 1) * size), to * size);
  return ordered;
}
