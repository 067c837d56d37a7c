import { type Affect, affectOf } from '../../../src/contract/options.ts';
import type { Unread } from '../../../src/contract/timeline.ts';
import type { Language } from '../../../src/conversation/language.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { measureUtterance } from '../affect/measure.ts';
import type { MeasuredVoice, VoiceTask } from '../affect/voice-measurement.ts';
import type { Channel } from '../audio/pcm-spool.ts';
import { liveIdPrefix } from '../live-ids.ts';
import { NO_BASELINE, type SpeakerBaseline } from '../prosody/baseline.ts';
import type { Delivery } from '../prosody/delivery.ts';
import type { MeasuredUtteranceLine, StageOptions } from '../stage-lines.ts';
import type { EncodedText } from './encoding.ts';
import type { SpokenUtterance } from './spoken.ts';

/** The pipeline stages that a timeline depends on. */
export interface TimelineStages {
  /** Encodes a text. Null without the model. */
  encode(text: string): Promise<EncodedText | null>;
  /** Measures the audio of an utterance in a worker. `voice` is null when it cannot be measured. */
  measureVoice(task: VoiceTask): Promise<{ voice: MeasuredVoice | null; workMs: number }>;
}

/** Most utterances in a growing baseline. The newest are used. */
const BASELINE_UTTERANCES = 30;

/** The utterances so far. Numbers and measures each, and labels speakers in the order in which they first speak. */
export class Timeline {
  readonly #idPrefix: string;
  readonly #affect: Affect;
  readonly #channelRoles: NonNullable<StageOptions['roles']>;
  readonly #language: Language;
  readonly #stages: TimelineStages;
  /** The baseline of each speaker, by number. Null while a session is running. */
  readonly #baselines: SpeakerBaseline[] | null;
  /** The measures of each speaker, while a session is running. */
  readonly #deliveries = new Map<number, Delivery[]>();
  readonly #labels = new Map<number, string>();
  #channelOf: (speaker: number) => Channel = () => 'mix';
  #previous: { speaker: string; text: string } | null = null;
  #lastEnd = 0;
  #count = 0;
  #unmeasured = 0;
  #unencoded = 0;

  /**
   * @param baselines of the speakers, by number. Null while a session is running: baselines then grow with the
   * speech, and everything is provisional.
   */
  constructor(
    {
      conversation_id,
      affect,
      language,
      roles = [],
    }: Pick<StageOptions, 'conversation_id' | 'affect' | 'language' | 'roles'>,
    stages: TimelineStages,
    baselines: SpeakerBaseline[] | null,
  ) {
    this.#idPrefix = baselines ? conversation_id : liveIdPrefix(conversation_id);
    this.#affect = affect;
    this.#channelRoles = roles;
    this.#language = languageOf(language);
    this.#stages = stages;
    this.#baselines = baselines && [...baselines];
  }

  /** Adds the baselines of speakers that have none. They are needed before the speakers' first utterances. */
  learn(baselines: readonly SpeakerBaseline[]): void {
    this.#baselines?.push(...baselines.slice(this.#baselines.length));
  }

  get count(): number {
    return this.#count;
  }

  get speakers(): number {
    return this.#labels.size;
  }

  /** Roles of the channels by speaker label. */
  get roles(): Record<string, string> {
    return Object.fromEntries(
      [...this.#labels].flatMap(([speaker, label]) => {
        const role = this.#roleOf(speaker);
        return role === undefined ? [] : [[label, role]];
      }),
    );
  }

  /** Tells which channel carries a speaker, once each carries one. The role of the channel is the speaker's from then on. */
  useChannels(channelOf: (speaker: number) => Channel): void {
    this.#channelOf = channelOf;
  }

  get warnings(): string[] {
    const warnings: string[] = [];
    const counted = (n: number): string => `${n} utterance${n === 1 ? '' : 's'}`;
    if (this.#unmeasured > 0)
      warnings.push(
        `The audio of ${counted(this.#unmeasured)} could not be measured, so only the words were analysed.`,
      );
    if (this.#unencoded > 0)
      warnings.push(
        `The sentence encoder failed on ${counted(this.#unencoded)}, which makes the analysis less accurate.`,
      );
    return warnings;
  }

  /**
   * The line of the next utterance. Calls can overlap, except while a session is running.
   * @param workMs time spent recognising it
   * @param unread the reason for not reading its words; undefined if they are read
   */
  async add(spoken: SpokenUtterance, workMs = 0, unread?: Unread): Promise<MeasuredUtteranceLine> {
    const { start, end, text } = spoken;
    const speaker = this.#label(spoken.speaker);
    const utteranceId = `${this.#idPrefix}_utt_${this.#count++}`;
    const pauseBeforeMs = Math.max(0, Math.round((start - this.#lastEnd) * 1000));
    const previous = this.#previous;
    this.#lastEnd = Math.max(this.#lastEnd, end);
    this.#previous = { speaker, text: unread ? '' : text };

    // Decided before anything is read.
    const affect = affectOf(this.#affect, speaker, this.#roleOf(spoken.speaker));
    const measured = await this.#measure(spoken, affect === 'full' && !unread);
    const began = performance.now();
    const encoded = unread ? null : await this.#stages.encode(text);
    if (!measured.voice) this.#unmeasured++;
    if (!encoded && !unread) this.#unencoded++;
    const entry = measureUtterance({
      utteranceId,
      speaker,
      tStart: start,
      tEnd: end,
      text,
      language: this.#language,
      words: spoken.words,
      asrConfidence: spoken.asrConfidence,
      speakerConfidence: spoken.speakerConfidence,
      overlapRatio: spoken.overlapRatio,
      voice: measured.voice,
      pauseBeforeMs,
      previous,
      encoding: encoded?.sentence ?? null,
      stability: this.#baselines ? 'final' : 'provisional',
      affect,
      unread,
    });
    const latency_ms = Math.round(workMs + measured.workMs + performance.now() - began);
    return { type: 'utterance', entry, latency_ms, ...(encoded && { encoding: encoded.moments }) };
  }

  async #measure({ speaker, samples, text }: SpokenUtterance, isRead: boolean) {
    if (this.#baselines)
      return this.#stages.measureVoice({ samples, text, usual: this.#baselines[speaker] ?? NO_BASELINE, isRead });
    const before = this.#deliveries.get(speaker) ?? [];
    const measured = await this.#stages.measureVoice({ samples, text, usual: before, isRead });
    // The next utterance fills the baseline.
    if (measured.voice)
      this.#deliveries.set(speaker, [...before, measured.voice.delivery].slice(1 - BASELINE_UTTERANCES));
    return measured;
  }

  #roleOf(speaker: number): string | undefined {
    const channel = this.#channelOf(speaker);
    return channel === 'mix' ? undefined : (this.#channelRoles[channel] ?? undefined);
  }

  #label(speaker: number): string {
    const label = this.#labels.get(speaker) ?? `Speaker_${this.#labels.size}`;
    this.#labels.set(speaker, label);
    return label;
  }
}
