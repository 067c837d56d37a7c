import { readFile } from 'node:fs/promises';
import { SAMPLE_RATE_HZ } from '../../audio/interval.ts';
import { type InferenceSession, packagedModel, type Runtime, type Tensor } from '../../models/runtime.ts';
import { NOTHING, type Recogniser, type RecogniserEngine, type Recognition } from '../recogniser.ts';
import { alignTokens } from './alignment.ts';
import { ALIGNMENT_LAYERS, attentionOutput, spliceDecoder } from './decoder-graph.ts';
import { surerReading } from './second-reading.ts';
import { END, lengthWithoutLoop, loopLength, START, wordsOf } from './tokens.ts';

/** Moonshine tiny (Jeffries et al. 2024, MIT), quantised, as shipped in @moonshine-ai/moonshine-js. English. */
const modelFile = (name: string) =>
  packagedModel('@ricky0123/vad-web', `@moonshine-ai/moonshine-js/dist/model/tiny/quantized/${name}`);
const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;
const DECODER_CACHE = cacheNames('decoder');
const ENCODER_CACHE = cacheNames('encoder');

/** Real speech has at most 5.2 tokens a second (145 clips); the cap ends runaway text and cuts no good one. */
const MAX_TOKENS_PER_S = 6.5;
const MIN_TOKENS = 8;
/** Shorter sound gives the encoder nothing to read. */
const MIN_SAMPLES = 0.1 * SAMPLE_RATE_HZ;
/** exp(-20) of a probability is nothing: such logits are left out of the sum. */
const NEGLIGIBLE = 20;

interface Decoded {
  tokens: number[];
  /** Log-probability of each token and, when it was reached, of the end. */
  logProbabilities: number[];
  /** One row of encoder frames per token; empty without the splice. */
  attention: Float32Array[];
  cut: boolean;
}

function cacheNames(part: 'decoder' | 'encoder'): string[] {
  return Array.from({ length: LAYERS }, (_, layer) =>
    ['key', 'value'].map((kind) => `${layer}.${part}.${kind}`),
  ).flat();
}

/** Greedy speech recognition. */
export class Moonshine implements Recogniser {
  readonly #runtime: Runtime;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  /** Whether word times come from attention; without it they are spread by length. */
  readonly aligned: boolean;

  private constructor(runtime: Runtime, encoder: InferenceSession, decoder: InferenceSession) {
    this.#runtime = runtime;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.aligned = decoder.outputNames.includes(attentionOutput(ALIGNMENT_LAYERS[0]!));
  }

  /** @param options.spliced false loads the decoder as it was shipped (the reference of the tests). */
  static async load(runtime: Runtime, options: { spliced?: boolean } = {}): Promise<Moonshine> {
    const encoder = await runtime.createSession(modelFile('encoder_model.onnx'));
    const shipped = await readFile(modelFile('decoder_model_merged.onnx'));
    return new Moonshine(runtime, encoder, await decoderSession(runtime, shipped, options.spliced ?? true));
  }

  recognise(samples: Float32Array): Promise<Recognition> {
    return surerReading(samples, (sound) => this.#read(sound));
  }

  recogniseInterim(samples: Float32Array): Promise<Recognition> {
    return this.#read(samples);
  }

  async #read(samples: Float32Array): Promise<Recognition> {
    if (samples.length < MIN_SAMPLES) return NOTHING;
    const seconds = samples.length / SAMPLE_RATE_HZ;
    const decoded = await this.#decode(samples, Math.max(MIN_TOKENS, Math.ceil(seconds * MAX_TOKENS_PER_S)));
    const kept = decoded.cut ? lengthWithoutLoop(decoded.tokens) : decoded.tokens.length;
    const tokens = decoded.tokens.slice(0, kept);
    const words = wordsOf(tokens);
    if (words.length === 0) return NOTHING;
    const times = this.#tokenTimes(decoded.attention.slice(0, kept), seconds);
    const characters = words.reduce((sum, { word }) => sum + word.length, 0);
    let spread = 0;
    return {
      text: words.map(({ word }) => word).join(' '),
      confidence: Math.exp(mean(decoded.logProbabilities)),
      cut: decoded.cut,
      words: words.map(({ word, first, end, last }) => {
        const from = (spread / characters) * seconds;
        spread += word.length;
        return {
          word,
          start: times[first]?.start ?? from,
          end: times[end - 1]?.end ?? (spread / characters) * seconds,
          confidence: Math.exp(decoded.logProbabilities.slice(first, last).reduce((sum, p) => sum + p, 0)),
          tokens: last - first,
        };
      }),
    };
  }

  async #decode(samples: Float32Array, maxTokens: number): Promise<Decoded> {
    const { Tensor } = this.#runtime;
    const encoded = await this.#encoder.run({ input_values: new Tensor('float32', samples, [1, samples.length]) });
    const feeds: Record<string, Tensor> = { encoder_hidden_states: encoded.last_hidden_state! };
    for (const name of [...DECODER_CACHE, ...ENCODER_CACHE])
      feeds[`past_key_values.${name}`] = new Tensor('float32', new Float32Array(0), [0, HEADS, 1, HEAD_SIZE]);
    const result: Decoded = { tokens: [], logProbabilities: [], attention: [], cut: true };
    let token = START;
    for (let step = 0; step < maxTokens; step++) {
      feeds.input_ids = new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]);
      feeds.use_cache_branch = new Tensor('bool', Uint8Array.of(step === 0 ? 0 : 1), [1]);
      const out = await this.#decoder.run(feeds);
      const chosen = mostLikely(out.logits!.data as Float32Array);
      result.logProbabilities.push(chosen.logProbability);
      // The encoder's keys and values are computed by the first step only; later steps return them empty.
      for (const name of step === 0 ? [...DECODER_CACHE, ...ENCODER_CACHE] : DECODER_CACHE)
        feeds[`past_key_values.${name}`] = out[`present.${name}`]!;
      token = chosen.token;
      if (token === END) {
        result.cut = false;
        break;
      }
      result.tokens.push(token);
      if (this.aligned) result.attention.push(summedAttention(out));
      if (loopLength(result.tokens) > 0) break;
    }
    return result;
  }

  #tokenTimes(attention: Float32Array[], seconds: number): { start: number; end: number }[] {
    const frame = seconds / (attention[0]?.length ?? 1);
    return alignTokens(attention).map(({ first, last }) => ({ start: first * frame, end: last * frame }));
  }
}

async function decoderSession(runtime: Runtime, shipped: Uint8Array, spliced: boolean): Promise<InferenceSession> {
  if (!spliced) return runtime.createSession(shipped);
  try {
    return await runtime.createSession(spliceDecoder(shipped));
  } catch {
    // Another export of the model: the weight is at least turned into floats once, not at every token.
    return runtime.createSession(shipped, { session: { disable_quant_qdq: '1' } });
  }
}

function mostLikely(logits: Float32Array): { token: number; logProbability: number } {
  let token = 0;
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) {
    if (logits[i]! > best) {
      best = logits[i]!;
      token = i;
    }
  }
  const floor = best - NEGLIGIBLE;
  let sum = 0;
  for (let i = 0; i < logits.length; i++) if (logits[i]! > floor) sum += Math.exp(logits[i]! - best);
  return { token, logProbability: -Math.log(sum) };
}

/** Attention of one token to each encoder frame, summed over heads and layers. */
function summedAttention(out: InferenceSession.ReturnType): Float32Array {
  const tensors = ALIGNMENT_LAYERS.map((layer) => out[attentionOutput(layer)]!);
  const frames = tensors[0]!.dims.at(-1)!;
  const sum = new Float32Array(frames);
  for (const tensor of tensors) {
    const data = tensor.data as Float32Array;
    for (let i = 0; i < data.length; i += frames) for (let f = 0; f < frames; f++) sum[f]! += data[i + f]!;
  }
  return sum;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

export const moonshineTiny: RecogniserEngine = {
  id: 'moonshine-tiny',
  name: 'Moonshine tiny (Useful Sensors)',
  languages: ['en'],
  // Beyond 35 s it loops or drops text.
  longestS: 15,
  load: (runtime) => Moonshine.load(runtime),
};
