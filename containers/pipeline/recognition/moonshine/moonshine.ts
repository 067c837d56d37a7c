import { readFile } from 'node:fs/promises';
import type { Quality } from '../../../../src/contract/options.ts';
import { SAMPLE_RATE_HZ } from '../../audio/interval.ts';
import { type InferenceSession, packagedModel, type Runtime } from '../../models/runtime.ts';
import { mean } from '../../prosody/statistics.ts';
import {
  NOTHING,
  type Recogniser,
  type RecogniserEngine,
  type Recognition,
  type RecognitionOptions,
} from '../recogniser.ts';
import { alignTokens } from './alignment.ts';
import { type Decoded, search } from './beam-search.ts';
import { isSpliced, MoonshineDecoder } from './decoder.ts';
import { spliceDecoder } from './decoder-graph.ts';
import { MOST_TOKENS } from './later-tokens.ts';
import { LATER, PLAYED_FASTER, recogniseInPasses } from './multi-pass.ts';
import { proveShape } from './proof.ts';
import { type DecoderShape, TINY } from './shape.ts';
import { lengthWithoutLoop, wordsOf } from './tokens.ts';
import { type ListedWords, listedWords, NO_WORDS } from './word-list.ts';

const modelFile = (name: string) =>
  packagedModel('@ricky0123/vad-web', `@moonshine-ai/moonshine-js/dist/model/tiny/quantized/${name}`);

/** The files of a Moonshine model, and the shape of its decoder. */
export interface MoonshineModel {
  shape: DecoderShape;
  /** The path or the bytes of the file. */
  encoder(): Promise<string | Uint8Array>;
  decoder(): Promise<Uint8Array>;
}

/** Moonshine tiny (Jeffries et al. 2024, MIT), quantised, as shipped in @moonshine-ai/moonshine-js. English. */
const BUILT_IN: MoonshineModel = {
  shape: TINY,
  encoder: async () => modelFile('encoder_model.onnx'),
  decoder: () => readFile(modelFile('decoder_model_merged.onnx')),
};

/**
 * Real speech has at most 5.2 tokens per second (145 clips). This limit ends runaway text without cutting off good
 * text.
 */
const MAX_TOKENS_PER_S = 6.5;
const MIN_TOKENS = 8;
/** Shorter audio gives the encoder nothing to read. */
const MIN_SAMPLES = 0.1 * SAMPLE_RATE_HZ;
/**
 * Beam width of the first pass and of the others, and the variants for the others, by quality. bench/asr.ts shows the
 * gain of each, and bench/speed.ts the cost. Both qualities combine their passes one passage at a time.
 */
const PASSES = {
  fast: { first: 1, again: 1, variants: [PLAYED_FASTER] },
  best: { first: 1, again: 2, variants: [LATER, PLAYED_FASTER] },
} as const satisfies Record<Quality, unknown>;
/** Only a beam finds listed words: greedy search has no alternatives. */
const WITH_WORD_LIST = { ...PASSES.best, first: 4, again: 4 } as const;

/** Moonshine with a spliced decoder, greedy or beam search, and combined passes. */
export class Moonshine implements Recogniser {
  readonly #runtime: Runtime;
  readonly #encoder: InferenceSession;
  readonly #decoder: InferenceSession;
  readonly #shape: DecoderShape;
  #list: { key: string; words: ListedWords } | null = null;
  /** Whether word times come from attention. If not, they are distributed by word length. */
  readonly aligned: boolean;

  private constructor(runtime: Runtime, shape: DecoderShape, encoder: InferenceSession, decoder: InferenceSession) {
    this.#runtime = runtime;
    this.#shape = shape;
    this.#encoder = encoder;
    this.#decoder = decoder;
    this.aligned = isSpliced(decoder);
  }

  /**
   * @param options.spliced false loads the decoder as shipped (the reference in tests)
   * @param options.model a model other than the built-in one
   * @throws RangeError if a model's decoder does not have the given shape
   */
  static async load(runtime: Runtime, options: { spliced?: boolean; model?: MoonshineModel } = {}): Promise<Moonshine> {
    const { spliced = true, model = BUILT_IN } = options;
    const encoder = await runtime.createSession(await model.encoder());
    const shipped = await model.decoder();
    const decoder = await decoderSession(runtime, shipped, model.shape, spliced);
    if (model !== BUILT_IN) await proveShape(runtime, decoder, shipped, model.shape);
    return new Moonshine(runtime, model.shape, encoder, decoder);
  }

  recognise(samples: Float32Array, { quality = 'best', words = [] }: RecognitionOptions = {}): Promise<Recognition> {
    const hasList = quality === 'best' && words.length > 0;
    const listed = hasList ? this.#listed(words) : NO_WORDS;
    const { first, again, variants } = hasList ? WITH_WORD_LIST : PASSES[quality];
    return recogniseInPasses(samples, {
      first: async (sound) => {
        const read = await this.#read(sound, first, listed);
        // On some voices the greedy search ends at once where a beam finds words.
        return read.words.length === 0 && again > first ? this.#read(sound, again, listed) : read;
      },
      again: (sound) => this.#read(sound, again, listed),
      variants,
    });
  }

  recogniseInterim(samples: Float32Array): Promise<Recognition> {
    return this.#read(samples, 1, NO_WORDS);
  }

  /** The tree of a word list is built once for all segments of an analysis. */
  #listed(words: readonly string[]): ListedWords {
    const key = JSON.stringify(words);
    if (this.#list?.key !== key) this.#list = { key, words: listedWords(words) };
    return this.#list.words;
  }

  async #read(samples: Float32Array, beam: number, words: ListedWords): Promise<Recognition> {
    if (samples.length < MIN_SAMPLES) return NOTHING;
    const seconds = samples.length / SAMPLE_RATE_HZ;
    const decoded = await this.#decode(samples, beam, words);
    const kept = decoded.cut ? lengthWithoutLoop(decoded.tokens) : decoded.tokens.length;
    const tokens = decoded.tokens.slice(0, kept);
    const spoken = wordsOf(tokens);
    if (spoken.length === 0) return NOTHING;
    const times = this.#tokenTimes(decoded.attention.slice(0, kept), seconds);
    const characters = spoken.reduce((sum, { word }) => sum + word.length, 0);
    let spread = 0;
    return {
      text: spoken.map(({ word }) => word).join(' '),
      confidence: Math.exp(mean(decoded.logProbabilities)),
      cut: decoded.cut,
      words: spoken.map(({ word, first, end, last }) => {
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

  async #decode(samples: Float32Array, beam: number, words: ListedWords): Promise<Decoded> {
    const { Tensor } = this.#runtime;
    const encoded = await this.#encoder.run({ input_values: new Tensor('float32', samples, [1, samples.length]) });
    const decoder = new MoonshineDecoder(
      this.#runtime,
      this.#decoder,
      this.#shape,
      encoded.last_hidden_state!,
      words !== NO_WORDS,
    );
    const seconds = samples.length / SAMPLE_RATE_HZ;
    const most = Math.min(MOST_TOKENS, Math.max(MIN_TOKENS, Math.ceil(seconds * MAX_TOKENS_PER_S)));
    return search(decoder, beam, most, words);
  }

  #tokenTimes(attention: Float32Array[], seconds: number): { start: number; end: number }[] {
    const frame = seconds / (attention[0]?.length ?? 1);
    return alignTokens(attention).map(({ first, last }) => ({ start: first * frame, end: last * frame }));
  }
}

async function decoderSession(
  runtime: Runtime,
  shipped: Uint8Array,
  shape: DecoderShape,
  spliced: boolean,
): Promise<InferenceSession> {
  if (!spliced) return runtime.createSession(shipped);
  try {
    return await runtime.createSession(spliceDecoder(shipped, shape));
  } catch {
    // In another export of the model, the weight is at least converted to floats only once, not at every token.
    return runtime.createSession(shipped, { session: { disable_quant_qdq: '1' } });
  }
}

export const moonshineTiny: RecogniserEngine = {
  id: 'moonshine-tiny',
  name: 'Moonshine tiny (Useful Sensors)',
  kind: 'built_in',
  languages: ['en'],
  mishearsOtherLanguages: true,
  // With more than 35 s, the model loops or drops text.
  longestS: 15,
  load: (runtime) => Moonshine.load(runtime),
};
