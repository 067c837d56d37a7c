import { randomUUID } from 'node:crypto';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { type Channel, channelOf, PcmSpool } from '../audio/pcm-spool.ts';
import { speechRegions } from '../audio/speech.ts';
import { endOfBeginning, extended, isSure } from '../diarization/beginning.ts';
import { ChannelStatistics, channelsAreSpeakers, channelTurns, silentChannel } from '../diarization/channels.ts';
import { DIARIZATION_SPEECH } from '../diarization/diarize.ts';
import type { Diarization } from '../diarization/turns.ts';
import type { PcmBlock } from '../media/decode.ts';
import { VAD_BLOCK } from '../models/silero.ts';
import { type RecognitionSegment, recognitionSegments } from '../recognition/segments.ts';
import type { Job, WorkerPin, WorkerPool } from '../workers/pool.ts';
import type { TaskName, WorkerTasks } from '../workers/tasks.ts';
import { SpeechTrack } from './speech-track.ts';

/** Number of samples whose speaker features are computed in one task: ten seconds. */
const FEATURE_SAMPLES = 10 * SAMPLE_RATE_HZ;

/** Beginning from which the first segments are guessed, and length of a recording from which on that is worth it, s. */
const GUESSED_S = 60;
const GUESSED_FROM_S = 300;

/**
 * Blocks of speech detection in the beginning of a long recording whose layout is final before the rest is laid out: 10.7
 * minutes. It ends at a pause in the last of them.
 */
const BEGINNING_BLOCKS = 5;
const BEGINNING = BEGINNING_BLOCKS * VAD_BLOCK;
/** Length of a recording from which on that is done, s. */
const LONG_S = 1200;
/** Largest given number of speakers who can all be expected to speak in the beginning. */
const EARLY_SPEAKERS = 2;

/** The speaker turns, and the segments to recognise. */
export interface Layout {
  diarization: Diarization;
  /** Ordered by start. */
  segments: RecognitionSegment[];
  /** Whether each channel carries one person. */
  speakerPerChannel: boolean;
  /** The silent channel of a stereo recording. */
  silentChannel?: 0 | 1 | undefined;
}

/** The layout of the beginning of a long recording, and its end, s. */
export interface Beginning extends Layout {
  end: number;
}

/**
 * A recording while it is being decoded. Its samples go to a spool, and the stages that do not need the rest of it
 * (probabilities of speech, speaker features) run in the meantime. All results depend only on the samples, not on how
 * these were divided into blocks.
 */
export class RecordingStages {
  readonly #id = randomUUID();
  readonly #pool: WorkerPool;
  readonly #job: Job;
  readonly #urgent: Job;
  readonly #pin: WorkerPin;
  readonly #tasks = new Set<Promise<unknown>>();
  readonly #tracks = new Map<Channel, SpeechTrack>();
  readonly #statistics = new ChannelStatistics();
  #spool: PcmSpool | null = null;
  /** Number of complete blocks whose speech detection has begun. */
  #blocks = 0;
  #featuresUpTo = 0;
  #features: Promise<unknown> = Promise.resolve();
  /** The features of the beginning. */
  #firstFeatures: Promise<unknown> | null = null;
  readonly #isLong = Promise.withResolvers<boolean>();
  #isClosed = false;
  #beginning: Promise<Beginning | null> = Promise.resolve(null);

  constructor(pool: WorkerPool, job: Job) {
    this.#pool = pool;
    this.#job = job;
    this.#urgent = { ...job, completes: true };
    this.#pin = pool.pin();
  }

  /** Seconds received so far. */
  get duration(): number {
    return this.#spool?.duration ?? 0;
  }

  get spool(): PcmSpool {
    if (!this.#spool) throw new Error('The recording has no samples');
    return this.#spool;
  }

  /** Adds the next block. All blocks have the same number of channels. */
  async push({ channels, samples }: PcmBlock): Promise<void> {
    this.#spool ??= await PcmSpool.open(channels);
    await this.#spool.append(samples);
    if (channels === 2) this.#statistics.push(channelOf(samples, 2, 0), channelOf(samples, 2, 1));
    else this.#takeFeatures(false);
    const blocks = Math.floor(this.#spool.length / VAD_BLOCK);
    if (blocks > this.#blocks) this.#advanceTracks(this.#channels(), false);
    this.#blocks = blocks;
    if (channels === 1 && this.duration >= LONG_S) this.#isLong.resolve(true);
  }

  /** The same recording, whose tasks come before all others of it: the first utterance waits for them. */
  get ahead(): Pick<RecordingStages, 'read' | 'run' | 'spool'> {
    return {
      spool: this.spool,
      read: (span, channel) => this.read(span, channel),
      run: (name, input, pin) => this.#run(this.#urgent, name, input, pin),
    };
  }

  /** Runs a task of this recording. The recording's file stays open until it is done. */
  run<K extends TaskName>(name: K, input: WorkerTasks[K]['input'], pin?: WorkerPin): Promise<WorkerTasks[K]['output']> {
    return this.#run(this.#job, name, input, pin);
  }

  async #run<K extends TaskName>(job: Job, name: K, input: WorkerTasks[K]['input'], pin?: WorkerPin) {
    if (this.#isClosed) throw new Error('The recording is closed');
    return this.#kept(this.#pool.run(job, name, input, pin));
  }

  /** The samples of a span, s. */
  read({ start, end }: Interval, channel: Channel): Promise<Float32Array> {
    return this.#kept(this.spool.read(start * SAMPLE_RATE_HZ, end * SAMPLE_RATE_HZ, channel));
  }

  /**
   * Called after the last block. Returns the speaker turns and the segments to recognise.
   * @param longestS limit on the speech in a segment, s
   */
  async layOut(longestS: number, speakers?: number): Promise<Layout> {
    this.#isLong.resolve(false);
    if (!this.#spool || this.#spool.length === 0) return silentLayout();
    const channels: readonly Channel[] = (speakers ?? 2) === 2 ? this.#channels() : ['mix'];
    this.#advanceTracks(channels, true);
    return channels.length === 2 ? this.#layOutByChannel(longestS) : this.#layOutMix(longestS, speakers);
  }

  /**
   * The layout of the beginning of a long recording, which depends on nothing after it. It is ready while the rest still
   * arrives, and `layOut` only extends it. Called before the first block.
   * @returns null for a recording under 20 minutes, with two channels, or with more than two speakers given, and where
   *   the beginning has no pause at its end or its number of speakers is unsure
   */
  layOutBeginning(longestS: number, speakers?: number): Promise<Beginning | null> {
    this.#beginning = this.#laidOutBeginning(longestS, speakers);
    // A failure is handled where it is awaited.
    this.#beginning.catch(() => undefined);
    return this.#beginning;
  }

  async #laidOutBeginning(longestS: number, speakers?: number): Promise<Beginning | null> {
    if (!(await this.#isLong.promise) || (speakers ?? 0) > EARLY_SPEAKERS) return null;
    const probabilities = await this.#tracks.get('mix')!.firstProbabilities(BEGINNING_BLOCKS);
    await this.#firstFeatures;
    const duration = BEGINNING / SAMPLE_RATE_HZ;
    const detected = speechRegions(probabilities, { ...DIARIZATION_SPEECH, duration });
    const end = endOfBeginning(detected, (BEGINNING - VAD_BLOCK) / SAMPLE_RATE_HZ);
    if (end === null) return null;
    const speech = detected.filter((region) => region.end < end);
    const { location } = this.spool;
    const task = { recording: this.#id, location, speech, speakers, isBeginning: true };
    const diarization = await this.ahead.run('diarize', task, this.#pin);
    if (!isSure(diarization)) return null;
    const bare = speechRegions(probabilities, { duration, pad: 0 }).filter((region) => region.end < end);
    const segments = recognitionSegments(bare, probabilities, diarization.turns, longestS).map((segment) => ({
      ...segment,
      end: Math.min(segment.end, end),
    }));
    return { diarization, segments, speakerPerChannel: false, end };
  }

  /**
   * The first segments, as the beginning of the recording alone suggests them, while the rest is still diarised. Most
   * are those of `layOut`, because segments are cut at pauses. Called after it.
   * @param count maximum number of segments
   * @returns none for a short recording, and for one whose channels are laid out separately
   */
  async firstSegments(longestS: number, count: number, speakers?: number): Promise<RecognitionSegment[]> {
    const track = this.#tracks.get('mix');
    if (!track || this.#spool?.channels !== 1 || this.duration < GUESSED_FROM_S) return [];
    const blocks = Math.ceil((GUESSED_S * SAMPLE_RATE_HZ) / VAD_BLOCK);
    const probabilities = await track.firstProbabilities(blocks);
    const end = blocks * VAD_BLOCK;
    const duration = end / SAMPLE_RATE_HZ;
    const speech = speechRegions(probabilities, { ...DIARIZATION_SPEECH, duration });
    const { location } = this.spool;
    const turns = await this.run('beginning', { location, channel: 'mix', start: 0, end, speech, speakers });
    const bare = speechRegions(probabilities, { duration, pad: 0 });
    return recognitionSegments(bare, probabilities, turns, longestS).slice(0, count);
  }

  /** Ends its work and closes its file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#tasks);
    await this.#pool.run({ priority: 'batch' }, 'forget', { recording: this.#id }, this.#pin).catch(() => undefined);
    await this.#spool?.close();
  }

  /** Tracks a task that uses the recording's file. */
  #kept<T>(work: Promise<T>): Promise<T> {
    const done = work.catch(() => undefined).finally(() => this.#tasks.delete(done));
    this.#tasks.add(done);
    return work;
  }

  /** The channels in which speech is detected: both if each carries one person, as far as the recording shows. */
  #channels(): readonly Channel[] {
    return this.#spool?.channels === 2 && channelsAreSpeakers(this.#statistics) ? [0, 1] : ['mix'];
  }

  #advanceTracks(channels: readonly Channel[], ended: boolean): void {
    for (const channel of channels) {
      const track = this.#tracks.get(channel) ?? new SpeechTrack(channel);
      this.#tracks.set(channel, track);
      track.advance(this.spool, (block) => this.run('speech', block), ended);
    }
  }

  #takeFeatures(ended: boolean): void {
    const { spool } = this;
    while (spool.length - this.#featuresUpTo >= (ended ? 1 : FEATURE_SAMPLES)) {
      const start = this.#featuresUpTo;
      const end = Math.min(start + FEATURE_SAMPLES, spool.length);
      this.#featuresUpTo = end;
      const input = { recording: this.#id, location: spool.location, channel: 'mix' as const, start, end };
      this.#features = Promise.all([this.#features, this.run('features', input, this.#pin)]);
      this.#features.catch(() => undefined);
      // A frame at the end of the beginning also reads samples after it.
      if (end > BEGINNING) this.#firstFeatures ??= this.#features;
    }
  }

  async #layOutMix(longestS: number, speakers?: number): Promise<Layout> {
    this.#takeFeatures(true);
    const probabilities = await this.#tracks.get('mix')!.probabilities(this.spool);
    await this.#features;
    const speech = speechRegions(probabilities, { ...DIARIZATION_SPEECH, duration: this.duration });
    const { location } = this.spool;
    // It needs the features that the next task takes away.
    const beginning = await this.#beginning;
    const whole = await this.run('diarize', { recording: this.#id, location, speech, speakers }, this.#pin);
    const diarization = beginning ? extended(beginning.diarization, whole, beginning.end, speakers) : whole;
    const from = beginning?.end ?? 0;
    const bare = speechRegions(probabilities, { duration: this.duration, pad: 0 }).filter(({ start }) => start >= from);
    const rest = recognitionSegments(bare, probabilities, diarization.turns, longestS).map((segment) => ({
      ...segment,
      start: Math.max(segment.start, from),
    }));
    const segments = [...(beginning?.segments ?? []), ...rest];
    return { diarization, segments, speakerPerChannel: false, silentChannel: silentChannel(this.#statistics) };
  }

  async #layOutByChannel(longestS: number): Promise<Layout> {
    const probabilities = await Promise.all(
      ([0, 1] as const).map((channel) => this.#tracks.get(channel)!.probabilities(this.spool)),
    );
    const speech = probabilities.map((p) => speechRegions(p, { duration: this.duration, pad: 0 }));
    const { channels, ...diarization } = channelTurns(this.#statistics, [speech[0]!, speech[1]!]);
    const segments = channels.flatMap((channel, speaker) => {
      const own = diarization.turns.filter((turn) => turn.speaker === speaker);
      return recognitionSegments(own, probabilities[channel]!, own, longestS, channel);
    });
    segments.sort((a, b) => a.start - b.start);
    return { diarization, segments, speakerPerChannel: true };
  }
}

function silentLayout(): Layout {
  const speakers = { count: 0, confidence: 1, source: 'estimated' as const };
  return { diarization: { turns: [], speakers }, segments: [], speakerPerChannel: false };
}
