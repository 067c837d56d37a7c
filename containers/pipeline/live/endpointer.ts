import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { FRAME_S } from '../audio/speech.ts';
import { LEAST_PART_S, PAD_S } from '../recognition/segments.ts';

/** The decision after the newest frame. */
export type EndpointerEvent =
  /** Speech began. `start` is the first sample to transcribe, counted from the start of the stream. */
  | { type: 'opened'; start: number }
  /** Speech paused and may continue. */
  | { type: 'paused' }
  /** Speech has gone on for so long that part of it has to be emitted. */
  | { type: 'long' }
  /** Speech ended. It is `dropped` when it was too short to contain a word. */
  | { type: 'closed'; dropped: boolean };

const frames = (seconds: number): number => Math.round(seconds / FRAME_S);
const samples = (seconds: number): number => Math.round(seconds * SAMPLE_RATE_HZ);

/** Silero's own hysteresis. */
const ON = 0.5;
const OFF = 0.35;
/** Silence that ends speech. The decision therefore comes 0.6 s after the speech ends. */
const END_FRAMES = frames(0.6);
/** Silence after which the text is recognised speculatively, so that it is ready when speech is declared ended. */
const PAUSE_FRAMES = frames(0.32);
/** Additional speech after which cutting long speech is tried again. */
const AGAIN_FRAMES = frames(1);
const MIN_SPEECH_FRAMES = frames(0.1);

/** Decides frame by frame where speech begins and ends. It depends only on the probabilities. */
export class Endpointer {
  /** Speech this long is cut where a file would be cut, without waiting for what comes next. */
  readonly #longFrames: number;
  #frame = 0;
  #open: { first: number; lastSpeech: number; longAt: number } | null = null;
  #previousEnd = 0;

  /** @param longestS limit on the speech in a segment, s */
  constructor(longestS: number) {
    this.#longFrames = frames(longestS + LEAST_PART_S);
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** @param probability of speech in the next 32 ms frame. */
  push(probability: number): EndpointerEvent | null {
    const frame = this.#frame++;
    const open = this.#open;
    if (!open) {
      if (probability < ON) return null;
      this.#open = { first: frame, lastSpeech: frame, longAt: frame + this.#longFrames };
      return { type: 'opened', start: Math.max(this.#previousEnd, samples(frame * FRAME_S - PAD_S), 0) };
    }
    const silent = frame - open.lastSpeech;
    if (probability >= OFF) {
      open.lastSpeech = frame;
      if (frame < open.longAt) return null;
      open.longAt = frame + AGAIN_FRAMES;
      return { type: 'long' };
    }
    if (silent === PAUSE_FRAMES) return { type: 'paused' };
    return silent >= END_FRAMES ? this.#close(open) : null;
  }

  /** The open speech before `start` s has been emitted. */
  continueFrom(start: number): void {
    const first = Math.round(start / FRAME_S);
    if (this.#open) this.#open = { ...this.#open, first, longAt: first + this.#longFrames };
  }

  /** Ends the stream, which closes open speech. */
  end(): EndpointerEvent | null {
    return this.#open && this.#close(this.#open);
  }

  #close({ first, lastSpeech }: { first: number; lastSpeech: number }): EndpointerEvent {
    this.#open = null;
    this.#previousEnd = samples((lastSpeech + 1) * FRAME_S + PAD_S);
    return { type: 'closed', dropped: lastSpeech - first + 1 < MIN_SPEECH_FRAMES };
  }
}
