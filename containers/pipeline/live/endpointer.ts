import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { FRAME_S } from '../audio/speech.ts';
import { PAD_S } from '../stages/segments.ts';

/** A stretch of samples, counted from the start of the stream; `end` is not in it. */
export interface Stretch {
  start: number;
  end: number;
}

/** What the newest frame decided. */
export type EndpointerEvent =
  /** Speech began. */
  | { type: 'opened'; start: number }
  /** Speech paused: should it not go on, this is what will be closed. */
  | { type: 'paused'; segment: Stretch }
  /** Speech went on after a pause. */
  | { type: 'resumed' }
  /** A speech segment is complete. `dropped` when it was too short to hold a word. */
  | { type: 'closed'; segment: Stretch; dropped: boolean };

const FRAME_SAMPLES = Math.round(FRAME_S * SAMPLE_RATE_HZ);
const frames = (seconds: number): number => Math.round(seconds / FRAME_S);
const samples = (seconds: number): number => Math.round(seconds * SAMPLE_RATE_HZ);

/** Silero's own hysteresis. */
const ON = 0.5;
const OFF = 0.35;
/** Silence that ends speech: the end-of-speech decision comes 0.6 s after speech. */
const END_FRAMES = frames(0.6);
/** Silence after which the text is worked out on suspicion, so that it is ready at the decision. */
const PAUSE_FRAMES = frames(0.32);
/** Kept on either side of speech, as in a whole file. */
const PAD = samples(PAD_S);
/** Beyond 15 s the recogniser begins to lose text. */
const MAX_FRAMES = frames(15);
/** A longer segment is cut at its least likely frame within the last so many. */
const CUT_WINDOW_FRAMES = frames(5);
const MIN_SPEECH_FRAMES = frames(0.1);

/** Decides, frame by frame, where speech begins and ends. A function of the probabilities alone. */
export class Endpointer {
  #frame = 0;
  #open: { first: number; lastSpeech: number; probabilities: number[] } | null = null;
  #previousEnd = 0;

  /** The first sample that a segment still to come may need. */
  get needed(): number {
    return this.#open
      ? this.#startOf(this.#open.first)
      : Math.max(this.#previousEnd, this.#frame * FRAME_SAMPLES - PAD);
  }

  /** @param probability of speech in the next 32 ms frame. */
  push(probability: number): EndpointerEvent[] {
    const frame = this.#frame++;
    const open = this.#open;
    if (!open) {
      if (probability < ON) return [];
      this.#open = { first: frame, lastSpeech: frame, probabilities: [probability] };
      return [{ type: 'opened', start: this.#startOf(frame) }];
    }
    open.probabilities.push(probability);
    const silent = frame - open.lastSpeech;
    if (probability >= OFF) {
      open.lastSpeech = frame;
      const events: EndpointerEvent[] = silent > PAUSE_FRAMES ? [{ type: 'resumed' }] : [];
      return open.probabilities.length >= MAX_FRAMES ? [...events, ...this.#cut(open)] : events;
    }
    if (silent === PAUSE_FRAMES) return [{ type: 'paused', segment: this.#segment(open.first, open.lastSpeech) }];
    return silent >= END_FRAMES ? [this.#close(open.lastSpeech)] : [];
  }

  /** The stream has ended: what is open is closed. */
  end(): EndpointerEvent[] {
    return this.#open ? [this.#close(this.#open.lastSpeech)] : [];
  }

  #close(last: number): EndpointerEvent {
    const { first } = this.#open!;
    const segment = this.#segment(first, last);
    this.#open = null;
    this.#previousEnd = segment.end;
    return { type: 'closed', segment, dropped: last - first + 1 < MIN_SPEECH_FRAMES };
  }

  #cut(open: { first: number; probabilities: number[] }): EndpointerEvent[] {
    const from = open.probabilities.length - CUT_WINDOW_FRAMES;
    let least = from;
    for (let i = from; i < open.probabilities.length - 1; i++) {
      if (open.probabilities[i]! < open.probabilities[least]!) least = i;
    }
    const at = open.first + least;
    const segment = { start: this.#startOf(open.first), end: at * FRAME_SAMPLES };
    this.#previousEnd = segment.end;
    this.#open = { first: at, lastSpeech: this.#frame - 1, probabilities: open.probabilities.slice(least) };
    return [
      { type: 'closed', segment, dropped: false },
      { type: 'opened', start: segment.end },
    ];
  }

  #segment(first: number, last: number): Stretch {
    return { start: this.#startOf(first), end: (last + 1) * FRAME_SAMPLES + PAD };
  }

  #startOf(frame: number): number {
    return Math.max(this.#previousEnd, frame * FRAME_SAMPLES - PAD, 0);
  }
}
