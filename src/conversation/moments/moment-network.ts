import { MOMENT_CATEGORY_NAMES, type MomentCategory, momentCategory } from '../../contract/findings.ts';
import { OBJECTION_LABELS, type ObjectionLabel } from '../lexicon/objection-labels.ts';
import type { PackedMatrix } from '../packed-weights.ts';
import { type TurnFeatures, type TurnWindow, windowFacts } from './turn-features.ts';

/** The outputs of the network in order: the categories, and then the reasons for an objection. */
export const OUTPUTS = [
  ...MOMENT_CATEGORY_NAMES.toSorted((a, b) => momentCategory(a).output - momentCategory(b).output),
  ...OBJECTION_LABELS,
];
/** Log-odds of each output. */
export type NetworkOutput = Record<MomentCategory | ObjectionLabel, number>;

/** A matrix with a row for each input, and the biases. */
export interface Layer {
  weight: PackedMatrix;
  bias: Float32Array;
}

/** The weights that `npm run train -- moments` writes. */
export interface MomentWeights {
  /** One row for each bucket of `wordRuns`. The rows of a turn's buckets are added to its state. */
  runs: PackedMatrix;
  /** Inputs: the encoding and the turn's own facts. */
  turn: Layer;
  /** Inputs: the states of the turn, the two before and the next, and the facts of the window. */
  window: Layer;
  /** Inputs: the window's state followed by the turn's. */
  output: Layer;
  /** Minimum log-odds for reporting each category. */
  thresholds: Record<MomentCategory, number>;
}

/** Adds the rows of a matrix, each multiplied by its input. */
function addRows(sums: Float64Array, { step, values }: PackedMatrix, inputs: ArrayLike<number>, from = 0): void {
  const width = sums.length;
  for (let i = 0; i < inputs.length; i++) {
    const share = inputs[i]! * step;
    if (share === 0) continue;
    const row = (from + i) * width;
    for (let k = 0; k < width; k++) sums[k]! += share * values[row + k]!;
  }
}

const rectified = (sums: Float64Array): Float64Array => sums.map((sum) => Math.max(0, sum));

/**
 * The network for key moments. The first layer converts the encoding and the word runs of a turn to its state. The
 * second reads the states of the turn and its neighbours. The categories are computed from both.
 */
export class MomentNetwork {
  readonly #weights: MomentWeights;
  readonly #states = new WeakMap<TurnFeatures, Float64Array>();

  constructor(weights: MomentWeights) {
    this.#weights = weights;
  }

  /** Reads the middle turn of a window. */
  read(window: TurnWindow): NetworkOutput {
    return this.#read(window, this.#stateOf(window.turn));
  }

  /** Reads the middle turn as if it contained only some of its words. */
  readPart(window: TurnWindow, runs: readonly number[]): NetworkOutput {
    return this.#read(window, this.#state({ ...window.turn, runs }));
  }

  #read(window: TurnWindow, state: Float64Array): NetworkOutput {
    const { window: layer, output } = this.#weights;
    const width = state.length;
    const sums = Float64Array.from(layer.bias);
    addRows(sums, layer.weight, state);
    [window.before, window.earlier, window.next].forEach((turn, i) => {
      if (turn) addRows(sums, layer.weight, this.#stateOf(turn), (i + 1) * width);
    });
    addRows(sums, layer.weight, windowFacts(window), 4 * width);
    const logits = Float64Array.from(output.bias);
    addRows(logits, output.weight, rectified(sums));
    addRows(logits, output.weight, state, sums.length);
    return Object.fromEntries(OUTPUTS.map((name, k) => [name, logits[k]!])) as NetworkOutput;
  }

  #stateOf(turn: TurnFeatures): Float64Array {
    let state = this.#states.get(turn);
    if (!state) {
      state = this.#state(turn);
      this.#states.set(turn, state);
    }
    return state;
  }

  #state({ encoding, facts, runs }: Pick<TurnFeatures, 'encoding' | 'facts' | 'runs'>): Float64Array {
    const { turn, runs: table } = this.#weights;
    const sums = Float64Array.from(turn.bias);
    addRows(sums, turn.weight, encoding);
    addRows(sums, turn.weight, facts, encoding.length);
    const share = 1 / Math.sqrt(Math.max(1, runs.length));
    for (const bucket of runs) addRows(sums, table, [share], bucket);
    return rectified(sums);
  }
}
