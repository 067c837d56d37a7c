import { readFile } from 'node:fs/promises';
import { type InferenceSession, loadRuntime, packagedModel, type Runtime, type Tensor } from './runtime.ts';
import { CONTEXT, FOLDED, FRAME, foldWindows, GRAPH, STATE, speechGraph, WINDOW } from './speech-graph.ts';

/**
 * Silero VAD v6 (MIT), as shipped in @ricky0123/vad-web. It reads 32 ms frames at 16 kHz. `speechGraph` makes graphs of
 * it that read many frames in one call.
 */
const MODEL = packagedModel('@ricky0123/vad-web', '@ricky0123/vad-web/dist/silero_vad_v6.onnx');
/** Number of samples in a frame. */
export const VAD_FRAME = FRAME;

/**
 * A recording is read in blocks of 16 s rows that run as one batch. Each row first reads the 4 s before it, because the
 * model's memory is long (a mean difference of .15 in the first second after a cold start, .01 after five). The detected
 * speech is then as good as in a stream (.8 % missed).
 */
const ROWS = 8;
export const ROW_FRAMES = 500;
export const WARM_UP_FRAMES = 125;
/** Frames of each row in one call of the memory. A divisor of the above. */
const STEPS = 125;
/** Frames in one call of the encoder, which reads each frame once. More take more memory and no less time. */
const ENCODED_TOGETHER = 200;
/** Samples in a block, and the preceding samples that `blockProbabilities` also reads. */
export const VAD_BLOCK = ROWS * ROW_FRAMES * VAD_FRAME;
export const VAD_LEAD = WARM_UP_FRAMES * VAD_FRAME + CONTEXT;

/** The model's memory of the frames so far, for each row. */
interface Memory {
  hidden: Tensor;
  cell: Tensor;
}

/** Probability of speech in each 32 ms frame. */
export class SpeechDetector {
  readonly #runtime: Runtime;
  readonly #model: Uint8Array;
  readonly #encoder: InferenceSession;
  readonly #memory: InferenceSession;
  /** Both in one, for streams. Created by the first of them. */
  #whole: Promise<InferenceSession> | undefined;

  private constructor(runtime: Runtime, model: Uint8Array, encoder: InferenceSession, memory: InferenceSession) {
    this.#runtime = runtime;
    this.#model = model;
    this.#encoder = encoder;
    this.#memory = memory;
  }

  static async load(runtime?: Runtime): Promise<SpeechDetector> {
    const chosen = runtime ?? (await loadRuntime());
    const model = await readFile(MODEL);
    const encoder = await chosen.createSession(speechGraph(model, 'encoder'));
    const memory = await chosen.createSession(speechGraph(model, 'memory'));
    return new SpeechDetector(chosen, model, encoder, memory);
  }

  /** @param input the folded windows or the encoded frames of all rows, step by step */
  async #run(
    session: InferenceSession,
    input: { name: string; values: Float32Array; width: number },
    { hidden, cell }: Memory,
  ): Promise<{ speech: Float32Array; memory: Memory }> {
    const { name, values, width } = input;
    const tensor = new this.#runtime.Tensor('float32', values, [values.length / width, width]);
    const out = await session.run({ [name]: tensor, [GRAPH.hidden]: hidden, [GRAPH.cell]: cell });
    return {
      speech: out[GRAPH.speech]!.data as Float32Array,
      memory: { hidden: out[GRAPH.nextHidden]!, cell: out[GRAPH.nextCell]! },
    };
  }

  #noMemory(rows: number): Memory {
    const nothing = () => new this.#runtime.Tensor('float32', new Float32Array(rows * STATE), [1, rows, STATE]);
    return { hidden: nothing(), cell: nothing() };
  }

  /**
   * One block of a recording: at most `VAD_BLOCK` samples, preceded by the `lead` samples before it (`VAD_LEAD`, or none
   * at the start of the recording). An incomplete last frame is padded with silence.
   * @returns one probability per started frame of the block; they depend only on the samples.
   */
  async blockProbabilities(samples: Float32Array, lead: number): Promise<Float32Array> {
    const frames = Math.ceil((samples.length - lead) / VAD_FRAME);
    const rows = Math.ceil(frames / ROW_FRAMES);
    const probabilities = new Float32Array(frames);
    if (rows === 0) return probabilities;
    // A row's last frames are also the ones before the next row.
    const before = lead > 0 ? WARM_UP_FRAMES : 0;
    const encoded = await this.#encoded(samples, lead - before * VAD_FRAME, before + frames);
    const last = Math.min(ROW_FRAMES, frames);
    let memory = this.#noMemory(rows);
    for (let first = rows === 1 ? -before : -WARM_UP_FRAMES; first < last; first += STEPS) {
      const steps = Math.min(STEPS, last - first);
      const input = new Float32Array(steps * rows * STATE);
      for (let at = 0; at < steps * rows; at++) {
        const frame = before + (at % rows) * ROW_FRAMES + first + Math.floor(at / rows);
        if (frame >= 0) input.set(encoded.subarray(frame * STATE, (frame + 1) * STATE), at * STATE);
      }
      // Nothing precedes a recording's start.
      if (first === 0 && lead === 0) memory = this.#withoutFirstRow(memory, rows);
      const out = await this.#run(this.#memory, { name: GRAPH.encoded, values: input, width: STATE }, memory);
      memory = out.memory;
      if (first < 0) continue;
      for (const [at, probability] of out.speech.entries()) {
        const frame = (at % rows) * ROW_FRAMES + first + Math.floor(at / rows);
        if (frame < frames) probabilities[frame] = probability;
      }
    }
    return probabilities;
  }

  /** Encoded frames, row by row. @param start first sample of the first frame */
  async #encoded(samples: Float32Array, start: number, frames: number): Promise<Float32Array> {
    const encoded = new Float32Array(frames * STATE);
    for (let first = 0; first < frames; first += ENCODED_TOGETHER) {
      const count = Math.min(ENCODED_TOGETHER, frames - first);
      const windows = new Float32Array(count * FOLDED);
      for (let i = 0; i < count; i++)
        foldWindows(samples, start + (first + i) * VAD_FRAME - CONTEXT, windows, i * FOLDED);
      const input = new this.#runtime.Tensor('float32', windows, [(count * FOLDED) / WINDOW, WINDOW]);
      const out = await this.#encoder.run({ [GRAPH.windows]: input });
      encoded.set(out[GRAPH.encoded]!.data as Float32Array, first * STATE);
    }
    return encoded;
  }

  #withoutFirstRow({ hidden, cell }: Memory, rows: number): Memory {
    const cleared = (tensor: Tensor) => {
      const data = Float32Array.from(tensor.data as Float32Array).fill(0, 0, STATE);
      return new this.#runtime.Tensor('float32', data, [1, rows, STATE]);
    };
    return { hidden: cleared(hidden), cell: cleared(cell) };
  }

  /** A whole recording in memory, processed block by block. The probabilities are the same as the pipeline's. */
  async probabilities(samples: Float32Array): Promise<Float32Array> {
    const all = new Float32Array(Math.ceil(samples.length / VAD_FRAME));
    for (let start = 0; start < samples.length; start += VAD_BLOCK) {
      const lead = Math.min(start, VAD_LEAD);
      const block = samples.subarray(start - lead, Math.min(samples.length, start + VAD_BLOCK));
      all.set(await this.blockProbabilities(block, lead), start / VAD_FRAME);
    }
    return all;
  }

  /** A stream that is read as it arrives. State is kept between calls of push (live capture). */
  open(): SpeechStream {
    this.#whole ??= this.#runtime.createSession(speechGraph(this.#model, 'whole'));
    const whole = this.#whole;
    // A failure is thrown by `push`.
    whole.catch(() => undefined);
    const input = new Float32Array(CONTEXT + VAD_FRAME);
    let memory = this.#noMemory(1);
    let filled = 0;
    return {
      push: async (samples) => {
        const probabilities: number[] = [];
        for (let at = 0; at < samples.length; ) {
          const take = Math.min(VAD_FRAME - filled, samples.length - at);
          input.set(samples.subarray(at, at + take), CONTEXT + filled);
          filled += take;
          at += take;
          if (filled < VAD_FRAME) break;
          const windows = new Float32Array(FOLDED);
          foldWindows(input, 0, windows, 0);
          const out = await this.#run(await whole, { name: GRAPH.windows, values: windows, width: WINDOW }, memory);
          memory = out.memory;
          probabilities.push(out.speech[0]!);
          input.copyWithin(0, VAD_FRAME);
          filled = 0;
        }
        return probabilities;
      },
    };
  }
}

export interface SpeechStream {
  /**
   * Adds any number of samples. Returns the probabilities of the frames that they complete. Call it again only after it
   * has resolved.
   */
  push(samples: Float32Array): Promise<number[]>;
}
