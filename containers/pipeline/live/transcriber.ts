import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { Turn } from '../diarization/turns.ts';
import { type SpeechStream, VAD_FRAME } from '../models/silero.ts';
import { encodingOnWire } from '../stages/encoding.ts';
import type { HeardWord } from '../stages/transcription.ts';
import { LocalAgreement } from './agreement.ts';
import { Endpointer, type EndpointerEvent } from './endpointer.ts';
import { StreamLayout, type StreamSegment } from './layout.ts';
import { RowDetector } from './row-detector.ts';
import { SampleWindow } from './sample-window.ts';
import type { SessionSpeakers } from './speakers.ts';
import type { LiveStages } from './stages.ts';
import { ProvisionalUtterances } from './utterances.ts';

/** Interim text is worked out after so much more open speech. */
const PARTIAL_EVERY = SAMPLE_RATE_HZ;
/** Finished segments that may wait for recognition before the stream is held back. */
const MAX_WAITING = 3;
/** Turns this far before a segment can still claim its words, s. */
const TURN_REACH_S = 3;

/** The speech that is going on. */
interface OpenSpeech {
  partialId: string;
  start: number;
  agreement: LocalAgreement;
  /** Sample number of the newest interim text. */
  partialAt: number;
  hasPartial: boolean;
  /** Begun at the newest pause. */
  suspected: Hearing[];
}

/** A segment being recognised. */
interface Hearing {
  segment: StreamSegment;
  samples: Float32Array<ArrayBuffer>;
  words: Promise<HeardWord[]>;
}

const isSame = (a: StreamSegment, b: StreamSegment): boolean =>
  a.start === b.start && a.end === b.end && a.speech.length === b.speech.length;

/**
 * Samples in, lines out as they come: interim text of the open speech, and each finished speech segment as utterances.
 * The utterances depend on the samples alone, neither on how they were cut into blocks nor on the load.
 */
export class LiveTranscriber {
  readonly #stages: LiveStages;
  readonly #speakers: SessionSpeakers;
  readonly #utterances: ProvisionalUtterances;
  readonly #say: (line: PipelineLine) => void;
  readonly #conversationId: string;
  readonly #detector: SpeechStream;
  readonly #endpointer = new Endpointer();
  readonly #layout = new StreamLayout();
  readonly #window = new SampleWindow();
  #open: OpenSpeech | null = null;
  #segments = 0;
  #waiting = 0;
  #finals: Promise<void> = Promise.resolve();
  #partial: Promise<void> | null = null;

  constructor(
    stages: LiveStages,
    conversationId: string,
    speakers: SessionSpeakers,
    say: (line: PipelineLine) => void,
  ) {
    this.#stages = stages;
    this.#conversationId = conversationId;
    this.#speakers = speakers;
    this.#utterances = new ProvisionalUtterances(conversationId, stages.encode);
    this.#say = say;
    this.#detector = new RowDetector(stages.openDetector);
  }

  /** Call again only after it has resolved. */
  async push(samples: Float32Array): Promise<void> {
    const knownAt = performance.now();
    for (let at = 0; at < samples.length; ) {
      // Frame by frame, so that what a decision is based on does not depend on how the stream was cut.
      const taken = samples.subarray(at, at + VAD_FRAME - (this.#window.end % VAD_FRAME));
      at += taken.length;
      this.#window.push(taken);
      this.#speakers.hear(taken);
      await this.#detect(taken, knownAt);
      while (this.#waiting > MAX_WAITING) await this.#finals;
    }
    this.#window.forget(Math.floor(this.#layout.needed * SAMPLE_RATE_HZ));
    this.#considerPartial();
  }

  /** What is open is closed, and everything is said before this resolves. @throws what recognition threw */
  async end(): Promise<void> {
    const rest = this.#window.end % VAD_FRAME;
    if (rest > 0) await this.#detect(new Float32Array(VAD_FRAME - rest), performance.now());
    const event = this.#endpointer.end();
    if (event) await this.#take(event, performance.now());
    await this.#finals;
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
    if (event.type === 'opened') return this.#begin(event.start);
    const open = this.#open;
    if (!open) return;
    const turns = await this.#turns();
    if (event.type === 'paused') {
      // What will be told should the pause last is heard already: it is ready then.
      if (!this.#stages.isBusy()) open.suspected = this.#layout.untold(turns).map((segment) => this.#hear(segment));
    } else if (event.type === 'closed') {
      this.#open = null;
      if (event.dropped) this.#withdraw(open);
      else this.#enqueue(open, this.#layout.lay(turns), turns, knownAt);
    } else {
      const segments = this.#layout.layBegun(turns);
      if (segments.length === 0) return;
      this.#enqueue(open, segments, turns, knownAt);
      this.#begin(Math.round(this.#layout.from * SAMPLE_RATE_HZ));
      this.#endpointer.goOnFrom(this.#layout.from);
    }
  }

  #begin(start: number): void {
    const partialId = `${this.#conversationId}_partial_${this.#segments++}`;
    this.#open = {
      partialId,
      start,
      agreement: new LocalAgreement(),
      partialAt: start,
      hasPartial: false,
      suspected: [],
    };
  }

  #turns(): Promise<Turn[]> {
    return this.#speakers.label(this.#layout.voices(), this.#layout.from - TURN_REACH_S);
  }

  #hear(segment: StreamSegment): Hearing {
    const [start, end] = [segment.start, segment.end].map((seconds) => Math.round(seconds * SAMPLE_RATE_HZ));
    const samples = this.#window.slice(start!, end!);
    const words = this.#stages.hear(samples, segment);
    // Its failure is met where it is told; one that was only suspected is nobody's.
    words.catch(() => undefined);
    return { segment, samples, words };
  }

  #enqueue(open: OpenSpeech, segments: StreamSegment[], turns: Turn[], knownAt: number): void {
    const heard = segments.map(
      (segment) => open.suspected.find((hearing) => isSame(hearing.segment, segment)) ?? this.#hear(segment),
    );
    this.#waiting++;
    this.#finals = this.#finals.then(async () => {
      let isFirst = true;
      for (const { segment, samples, words } of heard) {
        const { tellFrom, toldUntil, end } = segment;
        const untold = (await words).filter(({ t_start, t_end }) => (t_start + t_end) / 2 > toldUntil);
        const span = { start: tellFrom, end };
        const own = samples.subarray(Math.round((tellFrom - segment.start) * SAMPLE_RATE_HZ));
        for (const { entry, encoding } of await this.#utterances.add(untold, turns, span, own)) {
          const latency_ms = performance.now() - knownAt;
          // The first utterance of the segment takes the interim text's place.
          const replaced = isFirst && open.hasPartial ? { partial_id: open.partialId } : {};
          this.#say({ type: 'utterance', entry, latency_ms, ...replaced, ...encodingOnWire(encoding) });
          isFirst = false;
        }
      }
      if (isFirst) this.#withdraw(open);
      this.#waiting--;
    });
    this.#finals.catch(() => undefined);
  }

  /** Interim text that turned out to be no speech goes away. */
  #withdraw(open: OpenSpeech): void {
    if (open.hasPartial) this.#say({ type: 'partial', partial_id: open.partialId, text: '', stable_text: '' });
  }

  #considerPartial(): void {
    const open = this.#open;
    if (!open || this.#partial || this.#waiting > 0 || this.#stages.isBusy()) return;
    const { end } = this.#window;
    if (end - open.partialAt < PARTIAL_EVERY) return;
    open.partialAt = end;
    this.#partial = this.#stages
      .recognise(this.#window.slice(open.start, end))
      .then(({ text }) => this.#sayPartial(open, text))
      .catch(() => undefined)
      .finally(() => {
        this.#partial = null;
      });
  }

  #sayPartial(open: OpenSpeech, hypothesis: string): void {
    if (this.#open !== open || hypothesis === '') return;
    open.hasPartial = true;
    const { text, stableText } = open.agreement.next(hypothesis);
    this.#say({ type: 'partial', partial_id: open.partialId, text, stable_text: stableText });
  }
}
