import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { channelOf } from '../audio/pcm-spool.ts';
import { ChannelStatistics, channelsAreSpeakers, channelTurns, louderChannel } from '../diarization/channels.ts';
import { type SpeakerTurn, TURN_REACH_S } from '../diarization/turns.ts';
import type { PcmBlock } from '../media/decode.ts';
import { VAD_FRAME } from '../models/silero.ts';
import { engineOf } from '../recognition/engines.ts';
import { ReadableWords } from '../recognition/readable-words.ts';
import { UtteranceRedaction } from '../redaction/redaction.ts';
import type { PartialLine, StageLine, StageOptions } from '../stage-lines.ts';
import { type SpokenUtterance, spokenInSpan } from '../stages/spoken.ts';
import { Timeline } from '../stages/timeline.ts';
import type { StreamLayout } from './layout.ts';
import type { SessionSpeakers } from './speakers.ts';
import type { LiveStages, StreamRecogniser } from './stages.ts';
import { type Finished, Track, type TrackHost } from './track.ts';
import { StreamUnderstanding } from './understanding.ts';

/** Most finished segments that wait for recognition. With more, the stream is paused. */
const MAX_WAITING = 3;

/**
 * Takes samples and emits lines as they become available: interim text of the open speech, and each finished speech
 * segment as utterances. The utterances depend only on the samples, not on block boundaries or load.
 * Two channels are transcribed as one mix until they turn out to be two people, and separately from then on.
 */
export class LiveTranscriber {
  readonly #stages: LiveStages;
  readonly #options: StageOptions;
  readonly #recogniser: StreamRecogniser;
  readonly #speakers: SessionSpeakers;
  readonly #timeline: Timeline;
  readonly #understanding: StreamUnderstanding;
  readonly #readable: ReadableWords;
  readonly #emit: (line: StageLine) => void;
  readonly #redaction: UtteranceRedaction<SpokenUtterance> | null;
  readonly #mix: Track;
  /** The two channels of a stereo stream. */
  #channels: [Track, Track] | null = null;
  readonly #statistics = new ChannelStatistics();
  /** The speaker number of each channel, once each channel is known to be one person. */
  #speakerOf: [number, number] | null = null;
  #firstTurn: SpeakerTurn | null = null;
  #taken = 0;
  #partials = 0;
  #waiting = 0;
  /** Number of samples taken when each of the segments that wait for recognition ended. */
  readonly #endedAt: number[] = [];
  #finals: Promise<void> = Promise.resolve();

  constructor(
    stages: LiveStages,
    options: StageOptions,
    recogniser: StreamRecogniser,
    emit: (line: StageLine) => void,
  ) {
    this.#stages = stages;
    this.#options = options;
    this.#recogniser = recogniser;
    this.#speakers = stages.openSpeakers(options.speakers);
    this.#timeline = new Timeline(options, stages, null);
    this.#understanding = new StreamUnderstanding(recogniser);
    this.#readable = new ReadableWords(options.language, 'uncertain');
    this.#emit = emit;
    const { redact = [] } = options;
    this.#redaction = redact.length > 0 ? new UtteranceRedaction(redact, false) : null;
    this.#mix = new Track(
      this.#host((layout) => this.#layOutMix(layout)),
      true,
    );
  }

  /** The audio up to here has been transcribed, is silence, or is open speech, s. */
  get transcribedSeconds(): number {
    return (this.#endedAt[0] ?? this.#taken) / SAMPLE_RATE_HZ;
  }

  /** Call it again only after it has resolved. All blocks have the same number of channels. */
  async push({ channels, samples }: PcmBlock): Promise<void> {
    const knownAt = performance.now();
    if (channels === 2)
      this.#channels ??= [0, 1].map((c) => new Track(this.#channelHost(c as 0 | 1), false)) as [Track, Track];
    const length = samples.length / channels;
    for (let at = 0; at < length; ) {
      // Works frame by frame, so that decisions do not depend on how the stream was divided.
      const taken = Math.min(length - at, VAD_FRAME - (this.#taken % VAD_FRAME));
      const frame = samples.subarray(at * channels, (at + taken) * channels);
      at += taken;
      this.#taken += taken;
      if (this.#channels) await this.#pushStereo(this.#channels, frame, knownAt);
      else await this.#pushMix(channelOf(frame, 1, 'mix'), knownAt);
      while (this.#waiting > MAX_WAITING) await this.#finals;
    }
    for (const track of this.#tracks()) track.considerPartial();
  }

  /** Closes open speech. Everything is emitted before this resolves. @throws what recognition threw */
  async end(): Promise<void> {
    for (const track of this.#tracks()) await track.end();
    await this.#finals;
  }

  close(): void {
    this.#speakers.close();
  }

  #tracks(): Track[] {
    return this.#channels && this.#speakerOf ? this.#channels : [this.#mix];
  }

  async #pushMix(samples: Float32Array, knownAt: number): Promise<void> {
    this.#speakers.push(samples);
    await this.#mix.push(samples, knownAt);
  }

  async #pushStereo(channels: [Track, Track], frame: Int16Array, knownAt: number): Promise<void> {
    const [left, right] = [channelOf(frame, 2, 0), channelOf(frame, 2, 1)];
    this.#statistics.push(left, right);
    await channels[0].push(left, knownAt);
    await channels[1].push(right, knownAt);
    if (this.#speakerOf) return;
    const wasOpen = this.#mix.isOpen;
    await this.#pushMix(channelOf(frame, 2, 'mix'), knownAt);
    if (wasOpen && !this.#mix.isOpen) this.#considerChannels(channels);
  }

  /** Checks during a pause whether each channel is one person, as far as the stream shows. */
  #considerChannels(channels: [Track, Track]): void {
    if ((this.#options.speakers ?? 2) !== 2 || !channelsAreSpeakers(this.#statistics)) return;
    const first = this.#firstTurn;
    const own = first ? louderChannel(this.#statistics, first) : 0;
    const speaker = first?.speaker === 1 ? 1 : 0;
    this.#speakerOf = own === 0 ? [speaker, 1 - speaker] : [1 - speaker, speaker];
    const [left, right] = this.#speakerOf;
    // After the utterances of the mix, whose speakers are less certain.
    this.#finals = this.#finals.then(() =>
      this.#timeline.useChannels((who) => (who === left ? 0 : who === right ? 1 : 'mix')),
    );
    for (const track of channels) track.activate();
  }

  #host(layOut: TrackHost['layOut']): TrackHost {
    return {
      stages: this.#stages,
      recogniser: this.#recogniser,
      layOut,
      partialId: () => `${this.#options.conversation_id}_partial_${this.#partials++}`,
      finished: (what) => this.#enqueue(what),
      emit: (line) => this.#emit(line.type === 'partial' ? this.#redacted(line) : line),
      hasTime: () => this.#waiting === 0 && this.#stages.hasTimeForInterim(),
      isRepeated: (sample) => sample / SAMPLE_RATE_HZ < this.#recogniser.recalledS(),
    };
  }

  async #layOutMix(layout: StreamLayout): Promise<{ turns: SpeakerTurn[]; speech: Interval[] }> {
    const turns = await this.#speakers.label(layout.voices(), layout.from - TURN_REACH_S);
    this.#firstTurn ??= turns[0] ?? null;
    return { turns, speech: layout.speech() };
  }

  #channelHost(channel: 0 | 1): TrackHost {
    return this.#host(async (layout) => {
      const speech: [Interval[], Interval[]] = channel === 0 ? [layout.speech(), []] : [[], layout.speech()];
      const speaker = this.#speakerOf?.[channel] ?? channel;
      const turns = channelTurns(this.#statistics, speech).turns.map((turn) => ({ ...turn, speaker }));
      return { turns, speech: turns };
    });
  }

  #redacted(line: PartialLine): PartialLine {
    if (!this.#redaction) return line;
    const [text, stable] = [line.text, line.stable_text].map((said) => this.#redaction!.interim(said));
    // A word that is redacted only while it is the last one is not stable.
    return { ...line, text: text!, stable_text: text!.startsWith(stable!) ? stable! : '' };
  }

  #enqueue(finished: Finished): void {
    this.#waiting++;
    this.#endedAt.push(this.#taken);
    this.#finals = this.#finals.then(async () => {
      await this.#emitFinal(finished);
      this.#waiting--;
      this.#endedAt.shift();
    });
    this.#finals.catch(() => undefined);
  }

  async #emitFinal({ transcriptions, turns, partialId, knownAt }: Finished): Promise<void> {
    let replaces = partialId;
    for (const { segment, samples, transcription } of transcriptions) {
      const { emitFrom, emittedUntil, end } = segment;
      const { words, transcribedBy, language } = await transcription;
      const newWords = words.filter(({ t_start, t_end }) => (t_start + t_end) / 2 > emittedUntil);
      const own = samples.subarray(Math.round((emitFrom - segment.start) * SAMPLE_RATE_HZ));
      if (newWords.length === 0) continue;
      const understanding = await this.#understanding.add({ seconds: segment.end - segment.start, samples });
      const unread = this.#readable.add({ engine: engineOf(transcribedBy), language }, understanding);
      for (const heard of spokenInSpan(newWords, turns, { start: emitFrom, end }, own)) {
        const [spoken = heard] = this.#redaction?.add(heard) ?? [];
        const line = await this.#timeline.add(spoken, 0, unread);
        // The first utterance replaces the interim text.
        const replaced = replaces === null ? {} : { partial_id: replaces };
        replaces = null;
        this.#emit({ ...line, latency_ms: performance.now() - knownAt, ...replaced });
      }
    }
    // Interim text is withdrawn if it turned out not to be speech.
    if (replaces !== null) this.#emit({ type: 'partial', partial_id: replaces, text: '', stable_text: '' });
  }
}
