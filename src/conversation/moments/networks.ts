import type { AttentionWeights, ReaderWeights } from '../acts/act-model.ts';
import {
  afterFlags,
  type HeardTurn,
  pairFlags,
  type Reading,
  type SeenAfter,
  SILENT,
  turnFlags,
} from './heard-turns.ts';
import { type Layer, type Network, runLayer, runNetwork, unpackLayer, unpackMatrix, unpackNetwork } from './layers.ts';

/** What a turn attends to among those before it. */
interface Attention {
  query: Layer;
  key: Layer;
  value: Layer;
  /** A row for each place: so many turns earlier, of another speaker, then of the same one. */
  keyPlaces: Float32Array;
  valuePlaces: Float32Array;
}

const unpackAttention = ({ query, key, value, keyPlaces, valuePlaces }: AttentionWeights): Attention => ({
  query: unpackLayer(query),
  key: unpackLayer(key),
  value: unpackLayer(value),
  keyPlaces: unpackMatrix(keyPlaces),
  valuePlaces: unpackMatrix(valuePlaces),
});

/** Several arrays as one. */
function joined(parts: readonly ArrayLike<number>[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Turns whose encodings are read together: this one and those before it. */
const TURNS_READ = 3;
/** Turns attended to, and heads that attend to them. */
const CONTEXT_TURNS = 8;
const CONTEXT_HEADS = 4;

/**
 * The shipped networks (`scripts/train/moments/reader.py`): several readers that learned the same from other beginnings,
 * each with its share of the encodings. Their log-odds are averaged (Lakshminarayanan et al. 2017, arXiv:1612.01474).
 */
export class Networks implements Reading {
  readonly #readers: readonly ReaderWeights[];
  #unpacked: Member[] | undefined;

  constructor(readers: readonly ReaderWeights[]) {
    this.#readers = readers;
  }

  turn(turns: readonly HeardTurn[], after?: SeenAfter): Float32Array {
    return mean(this.#members.map((member) => member.turn(turns, after)));
  }

  pair(turns: readonly HeardTurn[], back: number, after?: SeenAfter): Float32Array {
    return mean(this.#members.map((member) => member.pair(turns, back, after)));
  }

  /** Unpacked when the first encoding comes. */
  get #members(): Member[] {
    this.#unpacked ??= this.#readers.map((weights, which) => new Member(weights, which));
    return this.#unpacked;
  }
}

const shared = new WeakMap<readonly ReaderWeights[], Networks>();

/** The networks of these weights, unpacked once for all conversations. */
export function networksOf(readers: readonly ReaderWeights[]): Networks {
  const networks = shared.get(readers) ?? new Networks(readers);
  shared.set(readers, networks);
  return networks;
}

const mean = (rows: readonly Float32Array[]): Float32Array =>
  rows[0]!.map((_, k) => rows.reduce((sum, row) => sum + row[k]!, 0) / rows.length);

type Triple = [Float32Array, Float32Array, Float32Array];

/** One of several readers. */
class Member implements Reading {
  readonly #turns: Network;
  readonly #pairs: Network;
  readonly #turnsAgain: Network;
  readonly #pairsAgain: Network;
  readonly #context: Attention;
  /** Its numbers in an encoding. */
  readonly #from: number;
  readonly #width: number;
  readonly #silent: Float32Array;
  readonly #contexts = new WeakMap<HeardTurn, Float32Array>();
  /** Of the turns that later ones attend to. */
  readonly #attended = new WeakMap<HeardTurn, { key: Float32Array; value: Float32Array }>();

  constructor(weights: ReaderWeights, which: number) {
    this.#turns = unpackNetwork(weights.turns);
    this.#pairs = unpackNetwork(weights.pairs);
    this.#turnsAgain = unpackNetwork(weights.turnsAgain);
    this.#pairsAgain = unpackNetwork(weights.pairsAgain);
    this.#context = unpackAttention(weights.context);
    this.#width = this.#context.query.bias.length;
    this.#from = which * this.#width;
    this.#silent = new Float32Array(this.#width);
  }

  turn(turns: readonly HeardTurn[], after?: SeenAfter): Float32Array {
    const encodings = Array.from({ length: TURNS_READ }, (_, t) => this.#encoding(turns[t]));
    const parts = [...encodings, this.#contextOf(turns), turnFlags(turns), ...this.#after(turns, after)];
    return runNetwork(after ? this.#turnsAgain : this.#turns, joined(parts));
  }

  pair(turns: readonly HeardTurn[], back: number, after?: SeenAfter): Float32Array {
    const [now, before, then] = [turns[0], turns[1], turns[back]].map((turn) => this.#encoding(turn)) as Triple;
    const between = turns.slice(1, back).map((turn) => this.#encoding(turn));
    const parts = [
      now,
      then,
      now.map((x, i) => x * then[i]!),
      before,
      this.#contextOf(turns),
      this.#contextOf(turns.slice(back)),
      this.#encoding(turns[back + 1]),
      between.at(-1) ?? this.#silent,
      between.length > 0 ? mean(between) : this.#silent,
      pairFlags(turns, back),
      ...this.#after(turns, after),
    ];
    return runNetwork(after ? this.#pairsAgain : this.#pairs, joined(parts));
  }

  #encoding(turn: HeardTurn | undefined): Float32Array {
    return (turn?.encoding ?? SILENT).subarray(this.#from, this.#from + this.#width);
  }

  /** What the latest turn attends to; made when it is read, while all that it attends to is still there. */
  #contextOf(turns: readonly HeardTurn[]): Float32Array {
    if (turns[0]!.encoding === SILENT) return this.#silent;
    let context = this.#contexts.get(turns[0]!);
    if (!context) {
      context = this.#attend(turns);
      this.#contexts.set(turns[0]!, context);
    }
    return context;
  }

  /** What is seen in hindsight besides. */
  #after(turns: readonly HeardTurn[], after: SeenAfter | undefined): ArrayLike<number>[] {
    return after ? [this.#encoding(after.next), afterFlags(turns, after.next)] : [];
  }

  /** What the latest turn attends to of those before it (Vaswani et al. 2017, arXiv:1706.03762), or to nothing. */
  #attend([turn, ...before]: readonly HeardTurn[]): Float32Array {
    const { query, keyPlaces, valuePlaces } = this.#context;
    const width = this.#width;
    const size = width / CONTEXT_HEADS;
    const asked = runLayer(query, this.#encoding(turn));
    const heard = before.slice(0, CONTEXT_TURNS).map((earlier, back) => {
      const place = back + (earlier.utterance.speaker === turn!.utterance.speaker ? CONTEXT_TURNS : 0);
      return { ...this.#attendable(earlier), at: place * width };
    });
    const context = new Float32Array(width);
    for (let from = 0; from < width; from += size) {
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
      const encoding = this.#encoding(turn);
      made = { key: runLayer(this.#context.key, encoding), value: runLayer(this.#context.value, encoding) };
      this.#attended.set(turn, made);
    }
    return made;
  }
}
