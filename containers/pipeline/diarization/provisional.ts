import type { Interval } from '../audio/interval.ts';
import { type DiarizeOptions, type SpeakerSegmentation, segmentSpeakers, turnsOf } from './diarize.ts';
import { GaussianMixture } from './gaussian-mixture.ts';
import { numbersOf } from './numbering.ts';
import { type Segmented, segmentBy } from './resegmentation.ts';
import { MOST_SPEAKERS } from './speaker-count.ts';
import type { SpeakerFeatures } from './speaker-features.ts';
import { type SpeechFeatures, speechFeatures } from './speech-frames.ts';
import type { SpeakerTurn } from './turns.ts';

/**
 * All speech so far is diarized again after every segment up to 20 s of speech, and then whenever the speech has grown
 * by two fifths. This costs about four times as much as diarizing once, spread over the session.
 */
const EVERY_SEGMENT_UNTIL_S = 20;
const GROWTH = 1.4;
/**
 * Nats per frame by which a segment must be less likely than the speech so far to suggest a new voice. All speech is
 * then diarized again immediately.
 */
const NOVEL_NATS = 4;
/**
 * A segment suggests a new voice only if it has this many voiced frames and the session has this much new speech since
 * the last diarization, s.
 */
const NOVEL_FRAMES = 80;
const NOVEL_AFTER_S = 6;

/** The labels of a segment. `renumbered` is set when all speech was diarized again for it. */
export interface SegmentLabels {
  turns: SpeakerTurn[];
  /** The number of each speaker from then on, and how many numbers have been assigned. */
  renumbered?: { numbers: number[]; used: number } | undefined;
}

/**
 * Speaker labels while a session is still running. They are causal: each segment is labelled once, when it ends. When
 * the speech so far is diarized again, each speaker keeps the number of the earlier speaker with whom it shares the
 * most time, so that numbers do not flip. At the end, `diarize` corrects wrong labels over the whole recording.
 */
export class ProvisionalSpeakers {
  readonly #features: SpeakerFeatures;
  readonly #options: DiarizeOptions;
  readonly #segments: Interval[] = [];
  /** The latest labels of all speech so far, which may differ from the labels already sent. */
  #turns: SpeakerTurn[] = [];
  #seconds = 0;
  #due = 0;
  #since = 0;
  #known: SpeakerSegmentation | null = null;
  /** A model for each speaker in `#known`, and the mean log density of the speakers' speech under these models. */
  #models: GaussianMixture[] = [];
  #typical = 0;
  /** The number that the client has for each speaker of `#known`, and how many numbers have been assigned. */
  #numbers: number[] = [];
  #used = 0;
  /** Segments that another process labelled, and that have not been read here. */
  #recalled: { regions: Interval[]; renumbered: SegmentLabels['renumbered'] }[] = [];

  /** @param features of the session's audio; the audio of a segment is pushed before the segment is labelled. */
  constructor(features: SpeakerFeatures, options: DiarizeOptions = {}) {
    this.#features = features;
    this.#options = options;
  }

  /**
   * The turns of a speech segment that has just ended. The segment is passed as its regions, usually one. Segments are
   * passed in order.
   */
  label(...regions: Interval[]): SegmentLabels {
    this.#readRecalled();
    return this.#label(regions);
  }

  /**
   * Takes the labels that another process gave the next segment. Only what later labels depend on is computed, and only
   * once there is a segment without labels: the last time that all speech was diarized, and the labels since then.
   */
  recall(regions: Interval[], { renumbered }: Pick<SegmentLabels, 'renumbered'>): void {
    this.#recalled.push({ regions, renumbered });
  }

  #readRecalled(): void {
    const recalled = this.#recalled;
    this.#recalled = [];
    const from = recalled.findLastIndex(({ renumbered }) => renumbered);
    for (const [i, { regions, renumbered }] of recalled.entries())
      if (i < from) this.#add(regions);
      else this.#label(regions, renumbered);
  }

  #add(regions: Interval[]): void {
    const seconds = regions.reduce((sum, { start, end }) => sum + end - start, 0);
    this.#segments.push(...regions);
    this.#seconds += seconds;
    this.#since += seconds;
  }

  /** @param given the numbers with which all speech is diarized again; by default this is decided here */
  #label(regions: Interval[], given?: SegmentLabels['renumbered']): SegmentLabels {
    this.#add(regions);
    const begins = given !== undefined || this.#seconds >= this.#due || !this.#continued(regions);
    if (begins) this.#begin(given);
    const turns = this.since(regions[0]?.start ?? Number.POSITIVE_INFINITY);
    return begins ? { turns, renumbered: { numbers: this.#numbers, used: this.#used } } : { turns };
  }

  /** The turns that begin at `start` s or later, according to the latest labels. */
  since(start: number): SpeakerTurn[] {
    this.#readRecalled();
    return this.#turns.filter((turn) => turn.start >= start - 1e-6);
  }

  #begin(given?: SegmentLabels['renumbered']): void {
    const known = segmentSpeakers(this.#features, this.#segments, this.#options);
    const turns = turnsOf(known, known.speakers.confidence);
    this.#numbers = given?.numbers ?? numbersOf(turns, this.#turns, this.#used, MOST_SPEAKERS);
    this.#used = given?.used ?? this.#numbers.reduce((used, number) => Math.max(used, number + 1), this.#used);
    this.#turns = this.#numbered(turns);
    this.#due = this.#seconds < EVERY_SEGMENT_UNTIL_S ? 0 : this.#seconds * GROWTH;
    this.#since = 0;
    this.#known = known;
    if (this.#due === 0) return;
    this.#models = known.models.length > 0 ? known.models : [modelOf(known.frames)];
    this.#typical = meanScore(known.frames, segmentBy(this.#models, known.frames));
  }

  /** Labels the segment with the known voices. False when it does not sound like any of them. */
  #continued(regions: Interval[]): boolean {
    const frames = speechFeatures(this.#features, regions, this.#known!.frames.scale);
    const segmented = segmentBy(this.#models, frames);
    const voiced = frames.quiet.reduce((n, quiet) => n + 1 - quiet, 0);
    const isNovel = meanScore(frames, segmented) < this.#typical - NOVEL_NATS;
    if (isNovel && voiced >= NOVEL_FRAMES && this.#since >= NOVEL_AFTER_S) return false;
    const { confidence } = this.#known!.speakers;
    this.#turns.push(...this.#numbered(turnsOf({ frames, ...segmented }, confidence)));
    return true;
  }

  #numbered(turns: SpeakerTurn[]): SpeakerTurn[] {
    return turns.map((turn) => ({ ...turn, speaker: this.#numbers[turn.speaker] ?? turn.speaker }));
  }
}

/** One model of all speech. */
const modelOf = ({ cepstra, frame }: SpeechFeatures): GaussianMixture =>
  GaussianMixture.fit(
    cepstra,
    Int32Array.from(frame, (_, t) => t),
  );

/** Mean log density of the frames that are not quiet, under the models of their labels. */
function meanScore({ quiet }: SpeechFeatures, { labels, scores }: Segmented): number {
  let sum = 0;
  let n = 0;
  for (let t = 0; t < labels.length; t++) {
    if (quiet[t]) continue;
    sum += scores[labels[t]!]![t]!;
    n++;
  }
  return n > 0 ? sum / n : 0;
}
