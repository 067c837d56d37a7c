import { ENCODING_DIMENSIONS } from '../../contract/encoding.ts';
import { unpackInt8 } from '../../contract/packed-int8.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { momentWeights, type NetworkWeights, sigmoid } from '../dialogue-acts/act-model.ts';
import { countWords } from '../dialogue-acts/sentences.ts';

/** What is told of a turn, in the order of the network's outputs. */
export const TURN_OUTPUTS = ['objection', 'offer', 'accepted', 'rejected', 'shift'] as const;

/** Log-odds that a turn does each of these things, by its encoding and those of the turns before it. */
export type TurnReading = Record<(typeof TURN_OUTPUTS)[number], number> & {
  /** Logarithm of how many of them a turn of this conversation did so far, changes of subject aside. */
  business: number;
};

/** Log-odds that a turn accepts, and that it rejects, what an earlier one said. */
export interface AnswerReading {
  accepted: number;
  rejected: number;
}

/** A turn as the networks see it. */
export interface HeardTurn {
  /** Place in the conversation, from 0. */
  index: number;
  utterance: Utterance;
  /** What it says (`decodeEncoding`); zeros where it came without. */
  encoding: Float32Array;
  words: number;
  /** Different speakers up to here. */
  speakers: number;
}

/** What reads turns; both take them latest first and answer in log-odds. */
export interface Reading {
  /** @returns one number for each of `TURN_OUTPUTS` */
  turn(turns: readonly HeardTurn[]): ArrayLike<number>;
  /** Whether the latest turn accepts or rejects the one so many before it. @returns two numbers */
  pair(turns: readonly HeardTurn[], back: number): ArrayLike<number>;
}

/** How far back an answer is read against what it may answer, turns. */
export const PAIR_TURNS = 10;
/** Turns whose encodings are read together: this one and those before it. */
const TURNS_READ = 3;
/** Turns after which a conversation is well under way, words of a middling turn, speakers of a small group. */
const EARLY_TURNS = 10;
const MIDDLING_WORDS = 15;
const GROUP = 3;

const flag = (x: boolean): number => (x ? 1 : 0);

/** What the first network is told beside the encodings. */
export function turnFlags([turn, before, earlier]: readonly HeardTurn[]): number[] {
  const { index, utterance, words, speakers } = turn!;
  return [
    flag(before?.utterance.speaker === utterance.speaker),
    flag(earlier?.utterance.speaker === utterance.speaker),
    Math.min(EARLY_TURNS, index) / EARLY_TURNS,
    flag(index === 0),
    words / MIDDLING_WORDS,
    speakers / GROUP,
  ];
}

/** What the second network is told beside the encodings. */
export function pairFlags(turns: readonly HeardTurn[], back: number): number[] {
  const between = turns.slice(1, back).map((t) => t.utterance.speaker);
  const turnsOf = (turn: HeardTurn) => between.filter((speaker) => speaker === turn.utterance.speaker).length;
  return [
    flag(back === 1),
    flag(back === 2),
    back / PAIR_TURNS,
    turnsOf(turns[back]!) / GROUP,
    turnsOf(turns[0]!) / GROUP,
    1,
  ];
}

/** A network of one hidden layer (rectified); matrices row by row, a row for each input. */
export interface Network {
  hidden: Float32Array;
  hiddenBias: Float32Array;
  output: Float32Array;
  outputBias: Float32Array;
}

/** @returns log-odds, one for each output */
export function runNetwork({ hidden, hiddenBias, output, outputBias }: Network, input: ArrayLike<number>) {
  const units = hiddenBias.length;
  const outputs = outputBias.length;
  const sums = Float32Array.from(hiddenBias);
  const logits = Float32Array.from(outputBias);
  for (let i = 0; i < input.length; i++) {
    const x = input[i]!;
    if (x !== 0) for (let h = 0; h < units; h++) sums[h]! += x * hidden[i * units + h]!;
  }
  for (let h = 0; h < units; h++) {
    const a = sums[h]!;
    if (a > 0) for (let k = 0; k < outputs; k++) logits[k]! += a * output[h * outputs + k]!;
  }
  return logits;
}

/** A network out of the form it is shipped in. */
function unpackNetwork({ hidden, hiddenBias, output, outputBias }: NetworkWeights): Network {
  const unpack = ({ step, values }: NetworkWeights['hidden']): Float32Array =>
    Float32Array.from(unpackInt8(values), (v) => v * step);
  return {
    hidden: unpack(hidden),
    hiddenBias: Float32Array.from(hiddenBias),
    output: unpack(output),
    outputBias: Float32Array.from(outputBias),
  };
}

const SILENT = new Float32Array(ENCODING_DIMENSIONS);

/** Encodings one after the other, then the flags. */
const inputOf = (encodings: readonly Float32Array[], flags: readonly number[]): Float32Array => {
  const input = new Float32Array(encodings.length * ENCODING_DIMENSIONS + flags.length);
  for (const [i, encoding] of encodings.entries()) input.set(encoding, i * ENCODING_DIMENSIONS);
  input.set(flags, encodings.length * ENCODING_DIMENSIONS);
  return input;
};

/** The shipped networks (`scripts/train/moments/reader.py`). */
class Networks implements Reading {
  readonly #turn: Network;
  readonly #pair: Network;

  constructor(weights: { turns: NetworkWeights; pairs: NetworkWeights }) {
    this.#turn = unpackNetwork(weights.turns);
    this.#pair = unpackNetwork(weights.pairs);
  }

  turn(turns: readonly HeardTurn[]): Float32Array {
    const encodings = Array.from({ length: TURNS_READ }, (_, t) => turns[t]?.encoding ?? SILENT);
    return runNetwork(this.#turn, inputOf(encodings, turnFlags(turns)));
  }

  pair(turns: readonly HeardTurn[], back: number): Float32Array {
    const [now, then, before] = [turns[0]!.encoding, turns[back]!.encoding, turns[1]?.encoding ?? SILENT];
    const both = now.map((x, i) => x * then[i]!);
    return runNetwork(this.#pair, inputOf([now, then, both, before], pairFlags(turns, back)));
  }
}

let shipped: { weights: ReturnType<typeof momentWeights>; networks: Networks } | undefined;

/** The networks of the weights in use, unpacked once. */
function networks(): Networks {
  const weights = momentWeights();
  if (shipped?.weights !== weights) shipped = { weights, networks: new Networks(weights) };
  return shipped.networks;
}

/** What a turn does on average, and how many turns' worth of it are taken for granted. */
const USUAL_BUSINESS = 0.4;
const USUAL_TURNS = 3;

/** Reads turn after turn of one conversation. */
export class TurnReader {
  readonly #given: Reading | undefined;
  readonly #speakers = new Set<string>();
  /** Latest first. */
  #heard: HeardTurn[] = [];
  #done = USUAL_BUSINESS * USUAL_TURNS;
  #turns = USUAL_TURNS;

  /** @param reading other than by the shipped networks: for training */
  constructor(reading?: Reading) {
    this.#given = reading;
  }

  /** The shipped networks are unpacked when the first encoding comes. */
  get #reading(): Reading {
    return this.#given ?? networks();
  }

  /** @returns nothing for a turn without an encoding; it is remembered as one of which nothing is known */
  read(utterance: Utterance, encoding: Float32Array | undefined): TurnReading | undefined {
    this.#speakers.add(utterance.speaker);
    const turn = {
      index: this.#heard.length > 0 ? this.#heard[0]!.index + 1 : 0,
      utterance,
      encoding: encoding ?? SILENT,
      words: countWords(utterance.text),
      speakers: this.#speakers.size,
    };
    this.#heard = [turn, ...this.#heard].slice(0, PAIR_TURNS + 1);
    if (!encoding) return undefined;
    const logits = this.#reading.turn(this.#heard);
    const said = Object.fromEntries(TURN_OUTPUTS.map((name, k) => [name, logits[k]])) as TurnReading;
    this.#done += sigmoid(said.objection) + sigmoid(said.offer) + sigmoid(said.accepted) + sigmoid(said.rejected);
    this.#turns++;
    return { ...said, business: Math.log(this.#done / this.#turns) };
  }

  /** Whether the turn read last, which came with an encoding, answers an earlier one; nothing where that is too far away. */
  answers(earlier: Utterance): AnswerReading | undefined {
    const back = this.#heard.findIndex((turn) => turn.utterance === earlier);
    if (back < 1) return undefined;
    const [accepted, rejected] = Array.from(this.#reading.pair(this.#heard, back)) as [number, number];
    return { accepted, rejected };
  }
}

/** Log-odds beyond this are as good as certain. */
const CERTAIN = 5;

const clip = (x: number): number => Math.min(CERTAIN, Math.max(-CERTAIN, x));

/** Features with what the networks say beside them; without a reading, the features alone. */
export function withReading(
  values: Record<string, number>,
  reading: TurnReading | undefined,
  answer?: AnswerReading,
): Record<string, number> {
  if (!reading) return values;
  const all: Record<string, number> = { ...values, business: reading.business };
  for (const name of TURN_OUTPUTS) all[`reads ${name}`] = clip(reading[name]);
  if (answer) {
    all['answers yes'] = clip(answer.accepted);
    all['answers no'] = clip(answer.rejected);
  }
  return all;
}
