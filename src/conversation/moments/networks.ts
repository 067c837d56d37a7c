import { ENCODING_DIMENSIONS } from '../../contract/encoding.ts';
import { unpackInt8 } from '../../contract/packed-int8.ts';
import type {
  AttentionWeights,
  LayerWeights,
  NetworkWeights,
  PackedMatrix,
  ReaderWeights,
} from '../dialogue-acts/act-model.ts';
import {
  afterFlags,
  type HeardTurn,
  pairFlags,
  type Reading,
  type SeenAfter,
  SILENT,
  turnFlags,
} from './heard-turns.ts';

/** A matrix row by row, a row for each input. */
interface Layer {
  weight: Float32Array;
  bias: Float32Array;
}

/** A network of one hidden layer (rectified). */
export interface Network {
  hidden: Layer;
  output: Layer;
}

/** What a turn attends to among those before it. */
interface Attention {
  query: Layer;
  key: Layer;
  value: Layer;
  /** A row for each place: so many turns earlier, of another speaker, then of the same one. */
  keyPlaces: Float32Array;
  valuePlaces: Float32Array;
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

/** Encodings one after the other, then flags; in hindsight once more, of the turn after. */
function inputOf(
  turns: readonly HeardTurn[],
  encodings: readonly Float32Array[],
  flags: readonly number[],
  after: SeenAfter | undefined,
): Float32Array {
  const parts: ArrayLike<number>[] = [...encodings, flags];
  if (after) parts.push(after.next?.encoding ?? SILENT, afterFlags(turns, after.next));
  const input = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    input.set(part, at);
    at += part.length;
  }
  return input;
}

/** Turns whose encodings are read together: this one and those before it. */
const TURNS_READ = 3;
/** Turns attended to, and heads that attend to them. */
const CONTEXT_TURNS = 8;
const CONTEXT_HEADS = 4;

/** The shipped networks (`scripts/train/moments/reader.py`). */
export class Networks implements Reading {
  readonly #turns: Network;
  readonly #pairs: Network;
  readonly #turnsAgain: Network;
  readonly #pairsAgain: Network;
  readonly #context: Attention;
  /** Of the turns that later ones attend to. */
  readonly #attended = new WeakMap<HeardTurn, { key: Float32Array; value: Float32Array }>();

  constructor(weights: ReaderWeights) {
    this.#turns = unpackNetwork(weights.turns);
    this.#pairs = unpackNetwork(weights.pairs);
    this.#turnsAgain = unpackNetwork(weights.turnsAgain);
    this.#pairsAgain = unpackNetwork(weights.pairsAgain);
    this.#context = unpackAttention(weights.context);
  }

  turn(turns: readonly HeardTurn[], after?: SeenAfter): Float32Array {
    const encodings = Array.from({ length: TURNS_READ }, (_, t) => turns[t]?.encoding ?? SILENT);
    const input = inputOf(turns, [...encodings, this.#attend(turns)], turnFlags(turns), after);
    return runNetwork(after ? this.#turnsAgain : this.#turns, input);
  }

  pair(turns: readonly HeardTurn[], back: number, after?: SeenAfter): Float32Array {
    const [now, then, before] = [turns[0]!.encoding, turns[back]!.encoding, turns[1]?.encoding ?? SILENT];
    const both = now.map((x, i) => x * then[i]!);
    const input = inputOf(turns, [now, then, both, before], pairFlags(turns, back), after);
    return runNetwork(after ? this.#pairsAgain : this.#pairs, input);
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
