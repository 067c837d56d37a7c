import { ENCODING_DIMENSIONS } from '../../contract/encoding.ts';
import { unpackInt8 } from '../../contract/packed-int8.ts';
import type { Utterance } from '../../contract/timeline.ts';
import {
  type AttentionWeights,
  type LayerWeights,
  momentWeights,
  type NetworkWeights,
  type PackedMatrix,
  type ReaderWeights,
  sigmoid,
} from '../dialogue-acts/act-model.ts';
import { countWords } from '../dialogue-acts/sentences.ts';
import { clip, flag } from './features.ts';

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

/** What a turn attends to among those before it; matrices row by row, a row for each input. */
interface Attention {
  query: Layer;
  key: Layer;
  value: Layer;
  /** A row for each place: so many turns earlier, of another speaker, then of the same one. */
  keyPlaces: Float32Array;
  valuePlaces: Float32Array;
}

interface Layer {
  weight: Float32Array;
  bias: Float32Array;
}

/** A network of one hidden layer (rectified); matrices row by row, a row for each input. */
export interface Network {
  hidden: Layer;
  output: Layer;
}

/** @returns the sums of one layer */
function runLayer({ weight, bias }: Layer, input: ArrayLike<number>): Float32Array {
  const units = bias.length;
  const sums = Float32Array.from(bias);
  for (let i = 0; i < input.length; i++) {
    const x = input[i]!;
    if (x !== 0) for (let u = 0; u < units; u++) sums[u]! += x * weight[i * units + u]!;
  }
  return sums;
}

/** @returns log-odds, one for each output */
export function runNetwork({ hidden, output }: Network, input: ArrayLike<number>): Float32Array {
  return runLayer(
    output,
    runLayer(hidden, input).map((sum) => Math.max(0, sum)),
  );
}

const unpackMatrix = ({ step, values }: PackedMatrix): Float32Array =>
  Float32Array.from(unpackInt8(values), (v) => v * step);

const unpackLayer = ({ weight, bias }: LayerWeights): Layer => ({
  weight: unpackMatrix(weight),
  bias: Float32Array.from(bias),
});

const unpackNetwork = ({ hidden, output }: NetworkWeights): Network => ({
  hidden: unpackLayer(hidden),
  output: unpackLayer(output),
});

const unpackAttention = ({ query, key, value, keyPlaces, valuePlaces }: AttentionWeights): Attention => ({
  query: unpackLayer(query),
  key: unpackLayer(key),
  value: unpackLayer(value),
  keyPlaces: unpackMatrix(keyPlaces),
  valuePlaces: unpackMatrix(valuePlaces),
});

const SILENT = new Float32Array(ENCODING_DIMENSIONS);

/** Encodings one after the other, then the flags. */
const inputOf = (encodings: readonly Float32Array[], flags: readonly number[]): Float32Array => {
  const input = new Float32Array(encodings.length * ENCODING_DIMENSIONS + flags.length);
  for (const [i, encoding] of encodings.entries()) input.set(encoding, i * ENCODING_DIMENSIONS);
  input.set(flags, encodings.length * ENCODING_DIMENSIONS);
  return input;
};

/** Turns attended to, and heads that attend to them. */
const CONTEXT_TURNS = 8;
const CONTEXT_HEADS = 4;

/** The shipped networks (`scripts/train/moments/reader.py`). */
class Networks implements Reading {
  readonly #turn: Network;
  readonly #pair: Network;
  readonly #context: Attention;
  /** Of the turns that later ones attend to. */
  readonly #attended = new WeakMap<HeardTurn, { key: Float32Array; value: Float32Array }>();

  constructor(weights: ReaderWeights) {
    this.#turn = unpackNetwork(weights.turns);
    this.#pair = unpackNetwork(weights.pairs);
    this.#context = unpackAttention(weights.context);
  }

  turn(turns: readonly HeardTurn[]): Float32Array {
    const encodings = Array.from({ length: TURNS_READ }, (_, t) => turns[t]?.encoding ?? SILENT);
    return runNetwork(this.#turn, inputOf([...encodings, this.#attend(turns)], turnFlags(turns)));
  }

  pair(turns: readonly HeardTurn[], back: number): Float32Array {
    const [now, then, before] = [turns[0]!.encoding, turns[back]!.encoding, turns[1]?.encoding ?? SILENT];
    const both = now.map((x, i) => x * then[i]!);
    return runNetwork(this.#pair, inputOf([now, then, both, before], pairFlags(turns, back)));
  }

  /** What the latest turn attends to of those before it (Vaswani et al. 2017, arXiv:1706.03762), or to nothing. */
  #attend([turn, ...before]: readonly HeardTurn[]): Float32Array {
    const { query, keyPlaces, valuePlaces } = this.#context;
    const size = ENCODING_DIMENSIONS / CONTEXT_HEADS;
    const asked = runLayer(query, turn!.encoding);
    const heard = before.slice(0, CONTEXT_TURNS).map((earlier, back) => {
      const place = back + (earlier.utterance.speaker === turn!.utterance.speaker ? CONTEXT_TURNS : 0);
      return { ...this.#attendable(earlier), at: place * ENCODING_DIMENSIONS };
    });
    const context = new Float32Array(ENCODING_DIMENSIONS);
    for (let from = 0; from < ENCODING_DIMENSIONS; from += size) {
      const weights = heard.map(({ key, at }) => {
        let match = 0;
        for (let i = from; i < from + size; i++) match += asked[i]! * (key[i]! + keyPlaces[at + i]!);
        return Math.exp(match / Math.sqrt(size));
      });
      // One more for attending to nothing, which matches to the power of 0.
      const total = weights.reduce((sum, weight) => sum + weight, 1);
      for (const [t, { value, at }] of heard.entries())
        for (let i = from; i < from + size; i++)
          context[i]! += (weights[t]! / total) * (value[i]! + valuePlaces[at + i]!);
    }
    return context;
  }

  #attendable(turn: HeardTurn): { key: Float32Array; value: Float32Array } {
    let made = this.#attended.get(turn);
    if (!made) {
      made = { key: runLayer(this.#context.key, turn.encoding), value: runLayer(this.#context.value, turn.encoding) };
      this.#attended.set(turn, made);
    }
    return made;
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
