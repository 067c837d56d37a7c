import type { InferenceSession, Runtime, Tensor } from '../../models/runtime.ts';
import { attentionOutput, TOP } from './decoder-graph.ts';
import { alignmentLayers, type DecoderShape } from './shape.ts';
import { START } from './tokens.ts';

const VOCABULARY = 32_768;
/** Logits this far below the largest are left out of the sum, because exp(-20) is negligible. */
const NEGLIGIBLE = 20;

function cacheNames({ layers }: DecoderShape, part: 'decoder' | 'encoder'): string[] {
  return Array.from({ length: layers }, (_, layer) =>
    ['key', 'value'].map((kind) => `${layer}.${part}.${kind}`),
  ).flat();
}

export interface Candidate {
  token: number;
  logProbability: number;
}

/** The decoder's output after the tokens of a row. */
export interface Row {
  /** The next tokens, most likely first, at most 16. */
  candidates: Candidate[];
  /** Attention to each frame of the encoder. Null without the spliced decoder. */
  attention: Float32Array | null;
  /** Log-probability of any token. Available only if it was requested. */
  logProbabilityOf(token: number): number;
}

export interface DecoderStep<State> {
  state: State;
  rows: Row[];
}

/** A decoder partway through one or more texts. All rows decode the same audio. */
export interface TextDecoder<State> {
  /** One row after the start token. */
  begin(): Promise<DecoderStep<State>>;
  /** @param parents the old row that each new row continues; `tokens` has the token that it adds */
  next(state: State, parents: number[], tokens: number[]): Promise<DecoderStep<State>>;
}

interface Cache {
  rows: number;
  hidden: Tensor;
  /** Keys and values of encoder and decoder, by name. */
  tensors: Map<string, Tensor>;
}

/** Moonshine's decoder for one segment of audio. */
export class MoonshineDecoder implements TextDecoder<Cache> {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;
  readonly #hidden: Tensor;
  readonly #shape: DecoderShape;
  readonly #outputs: string[];
  readonly #decoderCache: string[];
  readonly #encoderCache: string[];

  /**
   * @param hidden the encoder's states, one row
   * @param asksAll whether the probabilities of all tokens are needed
   */
  constructor(runtime: Runtime, session: InferenceSession, shape: DecoderShape, hidden: Tensor, asksAll: boolean) {
    this.#runtime = runtime;
    this.#session = session;
    this.#shape = shape;
    this.#hidden = hidden;
    this.#decoderCache = cacheNames(shape, 'decoder');
    this.#encoderCache = cacheNames(shape, 'encoder');
    const { outputNames } = session;
    const extraOutputs = isSpliced(session)
      ? [TOP.ids, TOP.logProbabilities, ...(asksAll ? [TOP.all] : []), ...alignmentLayers(shape).map(attentionOutput)]
      : ['logits'];
    this.#outputs = [...extraOutputs, ...outputNames.filter((name) => name.startsWith('present.'))];
  }

  begin(): Promise<DecoderStep<Cache>> {
    const { heads, headSize } = this.#shape;
    const nothing = () => new this.#runtime.Tensor('float32', new Float32Array(0), [0, heads, 1, headSize]);
    const tensors = new Map([...this.#decoderCache, ...this.#encoderCache].map((name) => [name, nothing()]));
    return this.#run({ rows: 1, hidden: this.#hidden, tensors }, [START], true);
  }

  next(state: Cache, parents: number[], tokens: number[]): Promise<DecoderStep<Cache>> {
    return this.#run(this.#reordered(state, parents), tokens, false);
  }

  async #run({ rows, hidden, tensors }: Cache, tokens: number[], isFirst: boolean): Promise<DecoderStep<Cache>> {
    const { Tensor } = this.#runtime;
    const feeds: Record<string, Tensor> = {
      encoder_hidden_states: hidden,
      input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [rows, 1]),
      use_cache_branch: new Tensor('bool', Uint8Array.of(isFirst ? 0 : 1), [1]),
    };
    for (const [name, tensor] of tensors) feeds[`past_key_values.${name}`] = tensor;
    const out = await this.#session.run(feeds, this.#outputs);
    // Only the first step computes the encoder's keys and values. Later steps return empty ones.
    const next = new Map(tensors);
    for (const name of isFirst ? [...this.#decoderCache, ...this.#encoderCache] : this.#decoderCache)
      next.set(name, out[`present.${name}`]!);
    return { state: { rows, hidden, tensors: next }, rows: tokens.map((_, row) => this.#row(out, row)) };
  }

  #row(out: InferenceSession.ReturnType, row: number): Row {
    const all = out[isSpliced(this.#session) ? TOP.all : 'logits']?.data as Float32Array | undefined;
    const own = all?.subarray(row * VOCABULARY, (row + 1) * VOCABULARY);
    if (!isSpliced(this.#session)) return { ...chosenFrom(own!), attention: null };
    return {
      candidates: splicedCandidates(out, row),
      attention: summedAttention(out, row, this.#shape),
      logProbabilityOf: (token) => own?.[token] ?? Number.NEGATIVE_INFINITY,
    };
  }

  /**
   * Selects the rows that texts continue. The encoder's rows are equal, so they are copied when the number of rows
   * changes.
   */
  #reordered(state: Cache, parents: number[]): Cache {
    const isSame = parents.length === state.rows && parents.every((parent, row) => parent === row);
    if (isSame) return state;
    const grows = parents.length !== state.rows;
    const tensors = new Map(state.tensors);
    for (const name of grows ? [...this.#decoderCache, ...this.#encoderCache] : this.#decoderCache)
      tensors.set(name, this.#rowsOf(state.tensors.get(name)!, parents));
    return { rows: parents.length, tensors, hidden: grows ? this.#rowsOf(state.hidden, parents) : state.hidden };
  }

  #rowsOf(tensor: Tensor, rows: number[]): Tensor {
    const [count = 1, ...shape] = tensor.dims;
    const data = tensor.data as Float32Array;
    const size = data.length / count;
    const taken = new Float32Array(rows.length * size);
    for (const [i, row] of rows.entries()) taken.set(data.subarray(row * size, (row + 1) * size), i * size);
    return new this.#runtime.Tensor('float32', taken, [rows.length, ...shape]);
  }
}

/** Whether the session has the outputs that `spliceDecoder` adds. */
export const isSpliced = (session: InferenceSession): boolean => session.outputNames.includes(TOP.ids);

function splicedCandidates(out: InferenceSession.ReturnType, row: number): Candidate[] {
  const ids = out[TOP.ids]!.data as BigInt64Array;
  const logProbabilities = out[TOP.logProbabilities]!.data as Float32Array;
  return Array.from({ length: TOP.tokens }, (_, i) => ({
    token: Number(ids[row * TOP.tokens + i]),
    logProbability: logProbabilities[row * TOP.tokens + i]!,
  }));
}

/** Chooses the same from plain logits. */
function chosenFrom(logits: Float32Array): Pick<Row, 'candidates' | 'logProbabilityOf'> {
  const best: Candidate[] = [];
  for (let token = 0; token < logits.length; token++) {
    const logit = logits[token]!;
    if (best.length === TOP.tokens && logit <= best.at(-1)!.logProbability) continue;
    const at = best.findIndex(({ logProbability }) => logProbability < logit);
    best.splice(at < 0 ? best.length : at, 0, { token, logProbability: logit });
    best.length = Math.min(best.length, TOP.tokens);
  }
  const top = best[0]!.logProbability;
  let sum = 0;
  for (const logit of logits) if (logit > top - NEGLIGIBLE) sum += Math.exp(logit - top);
  const all = top + Math.log(sum);
  return {
    candidates: best.map(({ token, logProbability }) => ({ token, logProbability: logProbability - all })),
    logProbabilityOf: (token) => logits[token]! - all,
  };
}

/** Attention of a row's token to each encoder frame, summed over heads and layers. */
function summedAttention(out: InferenceSession.ReturnType, row: number, shape: DecoderShape): Float32Array {
  const tensors = alignmentLayers(shape).map((layer) => out[attentionOutput(layer)]!);
  const frames = tensors[0]!.dims.at(-1)!;
  const sum = new Float32Array(frames);
  for (const tensor of tensors) {
    const data = tensor.data as Float32Array;
    const from = row * shape.heads * frames;
    for (let i = from; i < from + shape.heads * frames; i += frames)
      for (let frame = 0; frame < frames; frame++) sum[frame]! += data[i + frame]!;
  }
  return sum;
}
