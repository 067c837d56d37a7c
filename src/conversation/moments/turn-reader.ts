import { ENCODING_DIMENSIONS } from '../../contract/encoding.ts';
import { unpackInt8 } from '../../contract/packed-int8.ts';
import { momentWeights, sigmoid, type TurnWeights } from '../dialogue-acts/act-model.ts';

/** What the network tells of a turn, in the order of its outputs. */
export const TURN_OUTPUTS = ['objection', 'offer', 'accepted', 'rejected', 'shift'] as const;

/** Log-odds that a turn does each of these things, by its encoding and those of the turns before it. */
export type TurnReading = Record<(typeof TURN_OUTPUTS)[number], number> & {
  /** Logarithm of how many of them a turn of this conversation did so far, changes of subject aside. */
  business: number;
};

/** Turns whose encodings are read together: this one and those before it. */
const TURNS_READ = 3;
/** Turns that a new one is compared with. */
const TURNS_COMPARED = 6;
/** Inputs that are encodings: they come first. */
export const ENCODED_INPUTS = TURNS_READ * ENCODING_DIMENSIONS;
/**
 * Inputs after them: whether the last turn was the same speaker's, how early it is, whether it is read with those before
 * it, how like (cosine) it is to the last turn, to the likest of the last few and to all of them together, its length.
 */
const FLAGS = 7;
export const TURN_INPUTS = ENCODED_INPUTS + FLAGS;
/** The input that says that a turn is read with those before it. */
export const IN_CONTEXT = ENCODED_INPUTS + 2;
/** Components of an encoding are about a tenth in size: they are brought near the size of the flags. */
const ENCODING_GAIN = 3;
/** Turns after which a conversation is well under way. */
const EARLY_TURNS = 10;

interface HeardTurn {
  speaker: string;
  /** Zeros where it came without. */
  encoding: Float32Array;
}

const SILENT = new Float32Array(ENCODING_DIMENSIONS);

/** The turns of a conversation as the network sees them. */
export class TurnInputs {
  #heard: HeardTurn[] = [];
  #turns = 0;

  /** @returns the input for this turn, which is remembered; `TURN_INPUTS` numbers */
  add(speaker: string, encoding: Float32Array = SILENT): Float32Array {
    const input = new Float32Array(TURN_INPUTS);
    const before = this.#heard;
    this.#heard = [{ speaker, encoding }, ...before].slice(0, TURNS_COMPARED);
    this.#heard.slice(0, TURNS_READ).forEach((turn, t) => {
      for (let i = 0; i < ENCODING_DIMENSIONS; i++)
        input[t * ENCODING_DIMENSIONS + i] = ENCODING_GAIN * turn.encoding[i]!;
    });
    const likeness = before.map((turn) => cosine(encoding, turn.encoding));
    const together = Float32Array.from(encoding, (_, i) => before.reduce((sum, turn) => sum + turn.encoding[i]!, 0));
    input.set(
      [
        before[0]?.speaker === speaker ? 1 : 0,
        Math.min(EARLY_TURNS, this.#turns++) / EARLY_TURNS,
        1,
        likeness[0] ?? 0,
        likeness.length > 0 ? Math.max(...likeness) : 0,
        cosine(encoding, together),
        Math.sqrt(dot(encoding, encoding)),
      ],
      ENCODED_INPUTS,
    );
    return input;
  }
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

/** 0 where either is silent. */
const cosine = (a: Float32Array, b: Float32Array): number => dot(a, b) / (Math.sqrt(dot(a, a) * dot(b, b)) + 1e-6);

/** A network of one hidden layer (rectified) beside a linear path; matrices row by row, a row for each input. */
export interface TurnNetwork {
  hidden: Float32Array;
  hiddenBias: Float32Array;
  output: Float32Array;
  direct: Float32Array;
  outputBias: Float32Array;
}

/** @returns log-odds in the order of `TURN_OUTPUTS` */
export function runTurnNetwork({ hidden, hiddenBias, output, direct, outputBias }: TurnNetwork, input: Float32Array) {
  const units = hiddenBias.length;
  const outputs = outputBias.length;
  const sums = Float32Array.from(hiddenBias);
  const logits = Float32Array.from(outputBias);
  for (let i = 0; i < input.length; i++) {
    const x = input[i]!;
    if (x === 0) continue;
    for (let h = 0; h < units; h++) sums[h]! += x * hidden[i * units + h]!;
    for (let k = 0; k < outputs; k++) logits[k]! += x * direct[i * outputs + k]!;
  }
  for (let h = 0; h < units; h++) {
    const a = sums[h]!;
    if (a > 0) for (let k = 0; k < outputs; k++) logits[k]! += a * output[h * outputs + k]!;
  }
  return logits;
}

/** The network out of the form it is shipped in. */
function unpackNetwork({ hidden, hiddenBias, output, direct, outputBias }: TurnWeights): TurnNetwork {
  const unpack = ({ step, values }: TurnWeights['hidden']): Float32Array =>
    Float32Array.from(unpackInt8(values), (v) => v * step);
  return {
    hidden: unpack(hidden),
    hiddenBias: Float32Array.from(hiddenBias),
    output: unpack(output),
    direct: unpack(direct),
    outputBias: Float32Array.from(outputBias),
  };
}

let unpacked: { weights: TurnWeights; network: TurnNetwork } | undefined;

/** The network of the weights in use. */
function network(): TurnNetwork {
  const { turns } = momentWeights();
  if (unpacked?.weights !== turns) unpacked = { weights: turns, network: unpackNetwork(turns) };
  return unpacked.network;
}

/** What a turn does on average, and how many turns' worth of it are taken for granted. */
const USUAL_BUSINESS = 0.4;
const USUAL_TURNS = 3;

/** Reads turn after turn of one conversation. */
export class TurnReader {
  readonly #inputs = new TurnInputs();
  #done = USUAL_BUSINESS * USUAL_TURNS;
  #turns = USUAL_TURNS;

  /** @returns nothing for a turn without an encoding; it is remembered as one of which nothing is known */
  read(speaker: string, encoding: Float32Array | undefined): TurnReading | undefined {
    const input = this.#inputs.add(speaker, encoding);
    if (!encoding) return undefined;
    const logits = runTurnNetwork(network(), input);
    const said = Object.fromEntries(TURN_OUTPUTS.map((name, k) => [name, logits[k]])) as TurnReading;
    this.#done += sigmoid(said.objection) + sigmoid(said.offer) + sigmoid(said.accepted) + sigmoid(said.rejected);
    this.#turns++;
    return { ...said, business: Math.log(this.#done / this.#turns) };
  }
}

/** Log-odds beyond this are as good as certain. */
const CERTAIN = 5;

/** Features with what the network says beside them; without a reading, the features alone. */
export function withReading(values: Record<string, number>, reading: TurnReading | undefined): Record<string, number> {
  if (!reading) return values;
  const all: Record<string, number> = { ...values, business: reading.business };
  for (const name of TURN_OUTPUTS) all[`reads ${name}`] = Math.min(CERTAIN, Math.max(-CERTAIN, reading[name]));
  return all;
}
