import type { Encodings } from '../../../bench/moments/encodings.ts';
import { ENCODING_DIMENSIONS } from '../../../src/contract/encoding.ts';
import type { MomentCategory } from '../../../src/contract/findings.ts';
import { packInt8 } from '../../../src/contract/packed-int8.ts';
import type { PackedMatrix, TurnWeights } from '../../../src/conversation/dialogue-acts/act-model.ts';
import {
  ENCODED_INPUTS,
  IN_CONTEXT,
  TURN_INPUTS,
  TURN_OUTPUTS,
  TurnInputs,
  type TurnNetwork,
} from '../../../src/conversation/moments/turn-reader.ts';
import { type Dialogue, generator } from './corpus.ts';
import { isExchange } from './heads.ts';

/** Hidden units; 64 gained .002 macro-F1 in cross-validation. */
const UNITS = 32;
const EPOCHS = 15;
const BATCH = 64;
const RATE = 2e-3;
/** L2 penalty, share of hidden units and of inputs left out in training, share of turns read without those before. */
const SHRINKAGE = 3e-3;
const HIDDEN_DROPOUT = 0.5;
const INPUT_DROPOUT = 0.1;
const CONTEXT_DROPOUT = 0.1;
/**
 * Exchanges begin with an offer, which says little of how often they come; they say nothing of where subjects change nor
 * whether the reason of a refusal objects.
 */
const EXCHANGE_OFFER_WEIGHT = 0.5;

const OUTPUT_CATEGORY: Record<(typeof TURN_OUTPUTS)[number], MomentCategory> = {
  objection: 'objection',
  offer: 'cta_offered',
  accepted: 'cta_accepted',
  rejected: 'cta_rejected',
  shift: 'topic_shift',
};

interface Example {
  input: Float32Array;
  target: Float32Array;
  weight: Float32Array;
}

function examplesOf(dialogues: Dialogue[], encodings: Encodings): Example[] {
  return dialogues.flatMap(({ id, turns }) => {
    const inputs = new TurnInputs();
    const weigh = (name: (typeof TURN_OUTPUTS)[number], is: (name: MomentCategory) => boolean): number => {
      if (!isExchange(id)) return 1;
      if (name === 'offer') return EXCHANGE_OFFER_WEIGHT;
      return name === 'shift' || (name === 'objection' && is('cta_rejected') && !is('objection')) ? 0 : 1;
    };
    return turns.map(({ speaker, text, moments = [] }) => {
      const is = (category: MomentCategory): boolean => moments.some((m) => m.category === category);
      return {
        input: inputs.add(speaker, encodings.get(text)),
        target: Float32Array.from(TURN_OUTPUTS, (name) => (is(OUTPUT_CATEGORY[name]) ? 1 : 0)),
        weight: Float32Array.from(TURN_OUTPUTS, (name) => weigh(name, is)),
      };
    });
  });
}

/** Adam (Kingma and Ba 2015, arXiv:1412.6980) over one matrix or vector. */
class Adam {
  readonly #mean: Float32Array;
  readonly #square: Float32Array;
  #steps = 0;
  readonly values: Float32Array;
  readonly gradient: Float32Array;

  constructor(values: Float32Array) {
    this.values = values;
    this.#mean = new Float32Array(values.length);
    this.#square = new Float32Array(values.length);
    this.gradient = new Float32Array(values.length);
  }

  /** Steps against the gradient, and empties it. */
  step(rate: number, shrinkage: number): void {
    const { values, gradient } = this;
    const [mean, square] = [this.#mean, this.#square];
    this.#steps++;
    const scale = (rate * Math.sqrt(1 - 0.999 ** this.#steps)) / (1 - 0.9 ** this.#steps);
    for (let i = 0; i < values.length; i++) {
      const g = gradient[i]! + shrinkage * values[i]!;
      mean[i] = 0.9 * mean[i]! + 0.1 * g;
      square[i] = 0.999 * square[i]! + 0.001 * g * g;
      values[i]! -= (scale * mean[i]!) / (Math.sqrt(square[i]!) + 1e-8);
      gradient[i] = 0;
    }
  }
}

/** Fits the network that reads turns by their encodings; the same every time. */
export function fitTurnNetwork(dialogues: Dialogue[], encodings: Encodings, seed = 1): TurnNetwork {
  const examples = examplesOf(dialogues, encodings);
  const random = generator(seed);
  const outputs = TURN_OUTPUTS.length;
  const uniform = (size: number, spread: number): Float32Array =>
    Float32Array.from({ length: size }, () => (2 * random() - 1) * spread);
  const hidden = new Adam(uniform(TURN_INPUTS * UNITS, 1.5 / Math.sqrt(TURN_INPUTS)));
  const hiddenBias = new Adam(new Float32Array(UNITS));
  const output = new Adam(uniform(UNITS * outputs, 0.87 / Math.sqrt(UNITS)));
  const direct = new Adam(new Float32Array(TURN_INPUTS * outputs));
  const outputBias = new Adam(new Float32Array(outputs).fill(-2));
  const order = examples.map((_, i) => i);
  const input = new Float32Array(TURN_INPUTS);
  const units = new Float32Array(UNITS);
  const unitGradient = new Float32Array(UNITS);
  const logits = new Float32Array(outputs);
  const batches = Math.ceil(examples.length / BATCH);

  const learn = ({ input: whole, target, weight }: Example, share: number): void => {
    const alone = random() < CONTEXT_DROPOUT;
    for (let i = 0; i < TURN_INPUTS; i++) {
      const shown = i >= ENCODED_INPUTS || (random() >= INPUT_DROPOUT && !(alone && i >= ENCODING_DIMENSIONS));
      input[i] = shown ? (i >= ENCODED_INPUTS ? whole[i]! : whole[i]! / (1 - INPUT_DROPOUT)) : 0;
    }
    if (alone) input.fill(0, IN_CONTEXT);
    units.set(hiddenBias.values);
    logits.set(outputBias.values);
    for (let i = 0; i < TURN_INPUTS; i++) {
      const x = input[i]!;
      if (x === 0) continue;
      for (let h = 0; h < UNITS; h++) units[h]! += x * hidden.values[i * UNITS + h]!;
      for (let k = 0; k < outputs; k++) logits[k]! += x * direct.values[i * outputs + k]!;
    }
    for (let h = 0; h < UNITS; h++) {
      units[h] = units[h]! > 0 && random() >= HIDDEN_DROPOUT ? units[h]! / (1 - HIDDEN_DROPOUT) : 0;
      for (let k = 0; k < outputs; k++) logits[k]! += units[h]! * output.values[h * outputs + k]!;
    }
    for (let k = 0; k < outputs; k++) logits[k] = share * weight[k]! * (1 / (1 + Math.exp(-logits[k]!)) - target[k]!);
    for (let h = 0; h < UNITS; h++) {
      unitGradient[h] = 0;
      if (units[h] === 0) continue;
      for (let k = 0; k < outputs; k++) {
        unitGradient[h]! += (logits[k]! * output.values[h * outputs + k]!) / (1 - HIDDEN_DROPOUT);
        output.gradient[h * outputs + k]! += units[h]! * logits[k]!;
      }
      hiddenBias.gradient[h]! += unitGradient[h]!;
    }
    for (let k = 0; k < outputs; k++) outputBias.gradient[k]! += logits[k]!;
    for (let i = 0; i < TURN_INPUTS; i++) {
      const x = input[i]!;
      if (x === 0) continue;
      for (let h = 0; h < UNITS; h++) hidden.gradient[i * UNITS + h]! += x * unitGradient[h]!;
      for (let k = 0; k < outputs; k++) direct.gradient[i * outputs + k]! += x * logits[k]!;
    }
  };

  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    for (let b = 0; b < batches; b++) {
      const batch = order.slice(b * BATCH, (b + 1) * BATCH);
      for (const e of batch) learn(examples[e]!, 1 / batch.length);
      const done = (epoch * batches + b + 1) / (EPOCHS * batches);
      const rate = RATE * Math.min(1, 1.2 * (1 - done));
      for (const part of [hidden, output, direct]) part.step(rate, SHRINKAGE);
      for (const part of [hiddenBias, outputBias]) part.step(rate, 0);
    }
  }
  return {
    hidden: hidden.values,
    hiddenBias: hiddenBias.values,
    output: output.values,
    direct: direct.values,
    outputBias: outputBias.values,
  };
}

const round = (x: number): number => Math.round(x * 1e4) / 1e4;

function packMatrix(values: Float32Array): PackedMatrix {
  const step = values.reduce((max, v) => Math.max(max, Math.abs(v)), 1e-9) / 127;
  return { step, values: packInt8(Int8Array.from(values, (v) => Math.round(v / step))) };
}

/** The network as it is shipped. */
export const packTurnNetwork = (network: TurnNetwork): TurnWeights => ({
  hidden: packMatrix(network.hidden),
  hiddenBias: Array.from(network.hiddenBias, round),
  output: packMatrix(network.output),
  direct: packMatrix(network.direct),
  outputBias: Array.from(network.outputBias, round),
});
