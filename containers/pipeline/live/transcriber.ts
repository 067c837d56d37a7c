import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { Recognition } from '../models/moonshine.ts';
import { type SpeechStream, VAD_FRAME } from '../models/silero.ts';
import { LocalAgreement } from './agreement.ts';
import { Endpointer, type EndpointerEvent, type Stretch } from './endpointer.ts';
import { RowDetector } from './row-detector.ts';
import { SampleWindow } from './sample-window.ts';
import type { SessionSpeakers } from './speakers.ts';
import type { LiveStages } from './stages.ts';
import { ProvisionalUtterances } from './utterances.ts';

/** Interim text is worked out after so much more open speech. */
const PARTIAL_EVERY = SAMPLE_RATE_HZ;
/** Finished segments that may wait for recognition before the stream is held back. */
const MAX_WAITING = 3;

/** The speech that is going on. */
interface OpenSpeech {
  partialId: string;
  start: number;
  agreement: LocalAgreement;
  /** Sample number of the newest interim text. */
  partialAt: number;
  hasPartial: boolean;
  /** Recognition begun at a pause, of exactly the segment that will be closed if the pause lasts. */
  suspected: Promise<Recognition> | null;
}

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
    this.#utterances = new ProvisionalUtterances(conversationId);
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
      for (const probability of await this.#detector.push(taken)) {
        for (const event of this.#endpointer.push(probability)) this.#take(event, knownAt);
      }
      while (this.#waiting > MAX_WAITING) await this.#finals;
    }
    this.#window.forget(this.#endpointer.needed);
    this.#considerPartial();
  }

  /** What is open is closed, and everything is said before this resolves. @throws what recognition threw */
  async end(): Promise<void> {
    for (const event of this.#endpointer.end()) this.#take(event, performance.now());
    await this.#finals;
    await this.#partial;
  }

  #take(event: EndpointerEvent, knownAt: number): void {
    const open = this.#open;
    if (event.type === 'opened') {
      const partialId = `${this.#conversationId}_partial_${this.#segments++}`;
      const agreement = new LocalAgreement();
      const { start } = event;
      this.#open = { partialId, start, agreement, partialAt: start, hasPartial: false, suspected: null };
    } else if (event.type === 'paused' && open && !this.#stages.isBusy()) {
      const { start, end } = event.segment;
      open.suspected = this.#stages.recognise(this.#window.slice(start, end), true);
      // Its failure is met where the segment is closed; a resumed one is nobody's.
      open.suspected.catch(() => undefined);
    } else if (event.type === 'resumed' && open) open.suspected = null;
    else if (event.type === 'closed' && open) {
      this.#open = null;
      if (!event.dropped) this.#enqueue(open, event.segment, knownAt);
      else this.#withdraw(open);
    }
  }

  #enqueue(open: OpenSpeech, segment: Stretch, knownAt: number): void {
    const { start } = segment;
    const samples = this.#window.slice(start, segment.end);
    const end = start + samples.length;
    const labelled = this.#speakers.label({ start: start / SAMPLE_RATE_HZ, end: end / SAMPLE_RATE_HZ });
    labelled.catch(() => undefined);
    const recognised = open.suspected ?? this.#stages.recognise(samples, true);
    this.#waiting++;
    this.#finals = this.#finals.then(async () => {
      const [recognition, turns] = await Promise.all([recognised, labelled]);
      this.#waiting--;
      const entries = this.#utterances.add(recognition, turns, samples, start);
      if (entries.length === 0) this.#withdraw(open);
      for (const [i, entry] of entries.entries()) {
        const latency_ms = performance.now() - knownAt;
        // The first utterance of the segment takes the interim text's place.
        const replaced = i === 0 && open.hasPartial ? { partial_id: open.partialId } : {};
        this.#say({ type: 'utterance', entry, latency_ms, ...replaced });
      }
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
      .recognise(this.#window.slice(open.start, end), false)
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
