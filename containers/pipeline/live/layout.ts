import type { Interval } from '../audio/interval.ts';
import { FRAME_S, type SpeechOptions, speechRegions } from '../audio/speech.ts';
import { DIARIZATION_SPEECH } from '../diarization/diarize.ts';
import type { SpeakerTurn } from '../diarization/turns.ts';
import {
  JOIN_GAP_S,
  PAD_S,
  type RecognitionSegment,
  recognitionSegments,
  type SegmentToTranscribe,
} from '../recognition/segments.ts';

/**
 * A segment as a whole-file analysis would cut it. Some of its words may already have been emitted. Times are in
 * seconds from the start of the stream.
 */
export interface StreamSegment extends SegmentToTranscribe {
  /** Words whose midpoint is before this time have already been emitted. */
  emittedUntil: number;
  /** Start of the part to emit, including the silence before it. */
  emitFrom: number;
}

/** Frames of silence that are kept before speech. */
const MARGIN_FRAMES = 10;
/** How far the speaker features lag behind the audio, s. */
const VOICE_LAG_S = 0.1;

/**
 * Cuts a stream into the segments that the whole-file pipeline will recognise, as far as this is possible while the
 * stream runs. If speech follows a short pause of the same speaker, it is recognised again together with the speech
 * before the pause, because the recogniser's text depends on where its audio begins.
 */
export class StreamLayout {
  /** Probabilities of speech from frame `#firstFrame` on, where the region of the first piece begins. */
  #probabilities: number[] = [];
  #firstFrame = 0;
  /** Start of the first piece that can still be joined with the next speech. */
  #from = 0;
  /** End of the speech before that piece. */
  #previousEnd = Number.NEGATIVE_INFINITY;
  /** End of the speech that has speaker labels. */
  #voiced = 0;
  /** End of the speech that has been emitted. */
  #emittedEnd = Number.NEGATIVE_INFINITY;

  readonly #longestS: number;

  /** @param longestS limit on the speech in a segment, s */
  constructor(longestS: number) {
    this.#longestS = longestS;
  }

  /** Earliest time in the audio that a later segment can need, s. */
  get needed(): number {
    return this.#from - PAD_S;
  }

  /** @param isOpen whether speech continues, which includes pauses of up to 0.6 s. */
  push(probability: number, isOpen: boolean): void {
    this.#probabilities.push(probability);
    const now = this.#now;
    if (isOpen || now - this.#emittedEnd <= JOIN_GAP_S) return;
    // Speech from here on is recognised separately.
    const kept = Math.min(this.#probabilities.length, MARGIN_FRAMES);
    this.#firstFrame += this.#probabilities.length - kept;
    this.#probabilities = this.#probabilities.slice(-kept);
    this.#from = this.#firstFrame * FRAME_S;
    this.#previousEnd = this.#emittedEnd;
  }

  get #now(): number {
    return (this.#firstFrame + this.#probabilities.length) * FRAME_S;
  }

  /** Regions that contain voices since the last call. */
  voices(): Interval[] {
    const until = this.#now - VOICE_LAG_S;
    const regions = this.#regions(DIARIZATION_SPEECH)
      .map(({ start, end }) => ({ start: Math.max(start, this.#voiced), end: Math.min(end, until) }))
      .filter(({ start, end }) => end > start + FRAME_S);
    this.#voiced = regions.at(-1)?.end ?? this.#voiced;
    return regions;
  }

  /** Regions of speech, without padding, that the next segments are made from. */
  speech(): Interval[] {
    return this.#regions({ pad: 0 });
  }

  /** Speech before the current position is not emitted. */
  beginHere(): void {
    this.#from = this.#now;
    this.#emittedEnd = this.#now;
    this.#previousEnd = this.#now;
    this.#voiced = this.#now;
    this.#firstFrame += this.#probabilities.length;
    this.#probabilities = [];
  }

  /** The segments of the speech so far that have not been emitted yet. @param speech its regions, in order */
  pending(speech: Interval[], turns: SpeakerTurn[]): StreamSegment[] {
    return this.#pending(this.#segments(speech, turns));
  }

  /** Like `pending`, once speech has ended. The segments then count as emitted. */
  lay(speech: Interval[], turns: SpeakerTurn[]): StreamSegment[] {
    const segments = this.#segments(speech, turns);
    const pending = this.#pending(segments);
    const last = segments.at(-1);
    if (!last) return pending;
    this.#keepFrom(last.speech[0]!.start, segments.at(-2)?.speech.at(-1)?.end);
    this.#emittedEnd = Math.max(this.#emittedEnd, last.speech.at(-1)!.end);
    return pending;
  }

  /** The segments that have not been emitted yet, except the last one, because speech continues. */
  layBegun(speech: Interval[], turns: SpeakerTurn[]): StreamSegment[] {
    const segments = this.#segments(speech, turns);
    const last = segments.at(-1);
    if (segments.length < 2 || !last) return [];
    const pending = this.#pending(segments.slice(0, -1));
    this.#emittedEnd = segments.at(-2)!.speech.at(-1)!.end;
    this.#keepFrom(last.speech[0]!.start, this.#emittedEnd);
    return pending;
  }

  /** Start of the speech that has not been emitted yet. */
  get from(): number {
    return this.#from;
  }

  #segments(speech: Interval[], turns: SpeakerTurn[]): RecognitionSegment[] {
    const offset = this.#firstFrame * FRAME_S;
    const shifted =
      (by: number) =>
      <T extends Interval>(interval: T): T => ({
        ...interval,
        start: interval.start + by,
        end: interval.end + by,
      });
    const segments = recognitionSegments(
      speech.map(shifted(-offset)),
      Float32Array.from(this.#probabilities),
      turns.map(shifted(-offset)),
      this.#longestS,
    );
    return segments.map((segment) => ({
      ...shifted(offset)(segment),
      speech: segment.speech.map(shifted(offset)),
    }));
  }

  #regions(options: SpeechOptions): Interval[] {
    const offset = this.#firstFrame * FRAME_S;
    return speechRegions(this.#probabilities, options)
      .map(({ start, end }) => ({ start: Math.max(this.#from, start + offset), end: end + offset }))
      .filter(({ start, end }) => end > start);
  }

  #pending(segments: RecognitionSegment[]): StreamSegment[] {
    return segments.flatMap(({ start, end, speech }, i) => {
      const fresh = speech.find((region) => region.end > this.#emittedEnd + FRAME_S);
      if (!fresh) return [];
      const from = i === 0 ? Math.max(0, speech[0]!.start - PAD_S, (this.#previousEnd + speech[0]!.start) / 2) : start;
      if (fresh === speech[0])
        return [{ start: from, end, speech, emittedUntil: Number.NEGATIVE_INFINITY, emitFrom: from }];
      const emittedUntil = (this.#emittedEnd + fresh.start) / 2;
      return [{ start: from, end, speech, emittedUntil, emitFrom: Math.max(emittedUntil, fresh.start - PAD_S) }];
    });
  }

  #keepFrom(start: number, previousEnd: number | undefined): void {
    this.#from = start;
    this.#previousEnd = previousEnd ?? this.#previousEnd;
    const region = speechRegions(this.#probabilities, { pad: 0 })
      .map((r) => Math.round(r.start / FRAME_S) + this.#firstFrame)
      .filter((frame) => frame * FRAME_S <= start + FRAME_S / 4)
      .at(-1);
    if (region === undefined) return;
    this.#probabilities.splice(0, region - this.#firstFrame);
    this.#firstFrame = region;
  }
}
