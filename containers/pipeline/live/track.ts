import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { SpeakerTurn } from '../diarization/turns.ts';
import { type SpeechStream, VAD_FRAME } from '../models/silero.ts';
import type { StageLine } from '../stage-lines.ts';
import type { WorkerTasks } from '../workers/tasks.ts';
import { LocalAgreement } from './agreement.ts';
import { Endpointer, type EndpointerEvent } from './endpointer.ts';
import { StreamLayout, type StreamSegment } from './layout.ts';
import { RowDetector } from './row-detector.ts';
import { SampleWindow } from './sample-window.ts';
import type { LiveStages, StreamRecogniser } from './stages.ts';

/** Additional open speech after which interim text is recognised again, samples. */
const PARTIAL_EVERY = SAMPLE_RATE_HZ;

/** Speech that has not ended. */
interface OpenSpeech {
  partialId: string;
  start: number;
  agreement: LocalAgreement;
  /** Sample number at which the newest interim text was recognised. */
  partialAt: number;
  hasPartial: boolean;
  /** Transcriptions started at the newest pause. */
  speculative: PendingTranscription[];
}

/** A segment that is being recognised. */
export interface PendingTranscription {
  segment: StreamSegment;
  samples: Float32Array<ArrayBuffer>;
  transcription: Promise<WorkerTasks['transcribe']['output']>;
}

/** Complete segments, to be emitted in this order. */
export interface Finished {
  transcriptions: PendingTranscription[];
  turns: SpeakerTurn[];
  /** The interim text that the segments replace. */
  partialId: string | null;
  /** Time at which the audio that decided the end arrived, by `performance.now()`. */
  knownAt: number;
}

/** The functions of the stream that a track depends on. */
export interface TrackHost {
  stages: LiveStages;
  recogniser: StreamRecogniser;
  /** A new id for interim text. */
  partialId(): string;
  /** The speaker turns, and the speech that counts. */
  layOut(layout: StreamLayout): Promise<{ turns: SpeakerTurn[]; speech: Interval[] }>;
  finished(what: Finished): void;
  emit(line: StageLine): void;
  /** Whether interim text can be recognised now. */
  hasTime(): boolean;
  /** Whether another process has transcribed the audio at a sample. Its interim text was sent, and its segments are known. */
  isRepeated(sample: number): boolean;
}

/**
 * One channel of a stream, or its mix. It finds speech, recognises each complete segment, and emits interim text of the
 * open speech. While inactive, it follows the speech but emits nothing.
 */
export class Track {
  readonly #host: TrackHost;
  readonly #detector: SpeechStream;
  readonly #endpointer: Endpointer;
  readonly #layout: StreamLayout;
  readonly #window = new SampleWindow();
  #open: OpenSpeech | null = null;
  #isActive: boolean;
  #partial: Promise<void> | null = null;

  constructor(host: TrackHost, isActive: boolean) {
    this.#host = host;
    this.#isActive = isActive;
    this.#detector = new RowDetector(host.stages.openDetector);
    this.#endpointer = new Endpointer(host.recogniser.longestS);
    this.#layout = new StreamLayout(host.recogniser.longestS);
  }

  get isOpen(): boolean {
    return this.#endpointer.isOpen;
  }

  /** @param samples complete at most one frame. */
  async push(samples: Float32Array, knownAt: number): Promise<void> {
    this.#window.push(samples);
    await this.#detect(samples, knownAt);
    this.#window.forget(Math.floor(this.#layout.needed * SAMPLE_RATE_HZ));
  }

  /** Activates the track. Speech before this point does not belong to it. */
  activate(): void {
    this.#isActive = true;
    this.#layout.beginHere();
    if (this.isOpen) this.#begin(this.#window.end);
  }

  /** Closes open speech. */
  async end(): Promise<void> {
    const rest = this.#window.end % VAD_FRAME;
    if (rest > 0) await this.#detect(new Float32Array(VAD_FRAME - rest), performance.now());
    const event = this.#endpointer.end();
    if (event) await this.#take(event, performance.now());
    await this.#partial;
  }

  async #detect(samples: Float32Array, knownAt: number): Promise<void> {
    for (const probability of await this.#detector.push(samples)) {
      const event = this.#endpointer.push(probability);
      this.#layout.push(probability, event !== null || this.#endpointer.isOpen);
      if (event) await this.#take(event, knownAt);
    }
  }

  async #take(event: EndpointerEvent, knownAt: number): Promise<void> {
    if (!this.#isActive) {
      if (event.type !== 'opened') this.#layout.beginHere();
      return;
    }
    if (event.type === 'opened') return this.#begin(event.start);
    const open = this.#open;
    if (!open) return;
    const { turns, speech } = await this.#host.layOut(this.#layout);
    if (event.type === 'paused') {
      // Recognises the segment that would be emitted if speech ended at this pause, so that the text is ready if it
      // does.
      if (this.#isRepeated(open) || this.#host.stages.isBusy()) return;
      open.speculative = this.#layout.pending(speech, turns).map((segment) => this.#transcribe(segment, open));
    } else if (event.type === 'closed') {
      this.#open = null;
      this.#finish(open, event.dropped ? [] : this.#layout.lay(speech, turns), turns, knownAt);
    } else {
      const segments = this.#layout.layBegun(speech, turns);
      if (segments.length === 0) return;
      this.#finish(open, segments, turns, knownAt);
      this.#begin(Math.round(this.#layout.from * SAMPLE_RATE_HZ));
      this.#endpointer.continueFrom(this.#layout.from);
    }
  }

  #begin(start: number): void {
    const partialId = this.#host.partialId();
    const agreement = new LocalAgreement();
    this.#open = { partialId, start, agreement, partialAt: start, hasPartial: false, speculative: [] };
  }

  /** Starts recognising a segment, unless that has already started at a pause. */
  #transcribe(segment: StreamSegment, open: OpenSpeech): PendingTranscription {
    const same = open.speculative.find((begun) => isSame(begun.segment, segment));
    if (same) return same;
    const [start, end] = [segment.start, segment.end].map((seconds) => Math.round(seconds * SAMPLE_RATE_HZ));
    const samples = this.#window.slice(start!, end!);
    const transcription = this.#host.recogniser.transcribe(samples, segment);
    // Failures are handled when the words are emitted. A failed speculative transcription is ignored.
    transcription.catch(() => undefined);
    return { segment, samples, transcription };
  }

  #finish(open: OpenSpeech, segments: StreamSegment[], turns: SpeakerTurn[], knownAt: number): void {
    const transcriptions = segments.map((segment) => this.#transcribe(segment, open));
    // Most of them are also segments of the whole recording. The others change when speech follows soon.
    for (const { segment, samples } of transcriptions) this.#host.recogniser.settle(samples, segment);
    this.#host.finished({ transcriptions, turns, partialId: open.hasPartial ? open.partialId : null, knownAt });
  }

  /** Whether open speech has been transcribed before, although the pause that ends it may still be ahead. */
  #isRepeated({ start }: OpenSpeech): boolean {
    return this.#host.isRepeated(Math.min(start + PARTIAL_EVERY, this.#window.end));
  }

  /** Recognises interim text when it is due. */
  considerPartial(): void {
    const open = this.#open;
    if (!open || this.#partial || this.#isRepeated(open) || !this.#host.hasTime()) return;
    const { end } = this.#window;
    if (end - open.partialAt < PARTIAL_EVERY) return;
    open.partialAt = end;
    this.#partial = this.#host.recogniser
      .interim(this.#window.slice(open.start, end))
      .then(({ text }) => this.#emitPartial(open, text))
      .catch(() => undefined)
      .finally(() => {
        this.#partial = null;
      });
  }

  #emitPartial(open: OpenSpeech, hypothesis: string): void {
    if (this.#open !== open || hypothesis === '') return;
    open.hasPartial = true;
    const { text, stableText } = open.agreement.next(hypothesis);
    this.#host.emit({ type: 'partial', partial_id: open.partialId, text, stable_text: stableText });
  }
}

const isSame = (a: StreamSegment, b: StreamSegment): boolean =>
  a.start === b.start && a.end === b.end && a.emittedUntil === b.emittedUntil && a.speech.length === b.speech.length;
