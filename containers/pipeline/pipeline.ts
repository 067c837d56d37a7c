import { ServiceError } from '../../src/contract/errors.ts';
import type { SpeakerCount } from '../../src/contract/media.ts';
import { measureUtterance } from './affect/measure.ts';
import { type Decoding, decodeStream } from './media/decode.ts';
import { NO_BASELINE, type SpeakerBaseline } from './prosody/baseline.ts';
import { engineOf } from './recognition/engines.ts';
import type { EndLine, StageLine, StageOptions, UtteranceLine } from './stage-lines.ts';
import { speakerBaselines } from './stages/baselines.ts';
import { encodeText } from './stages/encoding.ts';
import { Recording } from './stages/recording.ts';
import type { SpokenUtterance } from './stages/transcription.ts';
import { transcribedUtterances } from './stages/utterances.ts';
import type { Job, WorkerPool } from './workers/pool.ts';

export interface AnalysisRequest {
  options: StageOptions;
  /** Bytes of the media, when they are known beforehand: progress of the decoding follows them. */
  size?: number;
  signal?: AbortSignal;
}

/** Shares of all work after decoding and after diarization; the rest is transcription (bench:speed). */
const DECODED = 0.1;
const DIARIZED = 0.15;
/** Largest media taken, bytes: four times the Worker's largest upload. */
const LARGEST_MEDIA = 2 * 1024 ** 3;
/** A sender that gives nothing for this long is gone, ms. */
const SILENT_MS = 120_000;
/** While decoding, progress is told this often, ms; it also shows the Worker that the pipeline lives. */
const TELL_EVERY_MS = 500;

/**
 * The whole analysis of one recording: decode, speech and speakers, then utterance by utterance. The same bytes give
 * the same lines, `latency_ms` apart.
 * @throws ServiceError INVALID_REQUEST (a recogniser that nobody knows), INVALID_MEDIA, FILE_TOO_LARGE, ANALYSIS_FAILURE; the signal's reason when aborted
 */
export async function* analyse(
  bytes: AsyncIterable<Uint8Array>,
  request: AnalysisRequest,
  pool: WorkerPool,
): AsyncGenerator<StageLine> {
  const { options, size = Number.POSITIVE_INFINITY, signal } = request;
  const engine = engineOf(options.recogniser);
  const job: Job = { priority: 'batch', signal };
  const recording = new Recording(pool, job);
  try {
    let taken = 0;
    const media = decodeStream(
      counted(bytes, (n) => {
        taken += n;
        if (taken > LARGEST_MEDIA) throw new ServiceError('FILE_TOO_LARGE');
      }),
      options.suffix,
      { signal },
    );
    yield* decoded(media, recording, () => DECODED * Math.min(1, taken / size));
    yield { type: 'progress', stage: 'diarizing', progress: DECODED };
    const layout = await recording.layOut(engine.longestS, options.speakers);
    const baselines = await speakerBaselines(recording, layout);
    yield { type: 'progress', stage: 'transcribing', progress: DIARIZED };

    const timeline = new Timeline(options.conversation_id, baselines);
    for await (const { utterances, share } of transcribedUtterances(recording, layout, baselines, engine.id)) {
      for (const utterance of utterances) yield await timeline.add(utterance);
      yield { type: 'progress', stage: 'transcribing', progress: Math.min(1, DIARIZED + (1 - DIARIZED) * share) };
    }
    yield endLine(media, recording.duration, layout.speakerPerChannel, layout.diarization.speakers, timeline);
  } finally {
    await recording.close();
  }
}

async function* decoded(media: Decoding, recording: Recording, progress: () => number): AsyncGenerator<StageLine> {
  let told = performance.now();
  for await (const block of media) {
    await recording.push(block);
    if (performance.now() - told < TELL_EVERY_MS) continue;
    told = performance.now();
    yield { type: 'progress', stage: 'decoding', progress: progress() };
  }
}

/** The bytes, counted as they come. @throws ServiceError INVALID_REQUEST when the sender is silent for too long */
async function* counted(bytes: AsyncIterable<Uint8Array>, count: (n: number) => void): AsyncGenerator<Uint8Array> {
  const sender = bytes[Symbol.asyncIterator]();
  for (;;) {
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const limit = setTimeout(() => reject(new ServiceError('INVALID_REQUEST', 'The upload stalled')), SILENT_MS);
    const next = await Promise.race([sender.next(), silence]).finally(() => clearTimeout(limit));
    if (next.done) return;
    count(next.value.length);
    yield next.value;
  }
}

/** The utterances so far: numbers them, names their speakers in order of first speech, and measures each. */
class Timeline {
  readonly #conversationId: string;
  readonly #baselines: SpeakerBaseline[];
  readonly #labels = new Map<number, string>();
  #previous: { speaker: string; text: string } | null = null;
  #lastEnd = 0;
  #count = 0;
  #unmeasured = 0;
  #unencoded = 0;

  constructor(conversationId: string, baselines: SpeakerBaseline[]) {
    this.#conversationId = conversationId;
    this.#baselines = baselines;
  }

  get count(): number {
    return this.#count;
  }

  get speakers(): number {
    return this.#labels.size;
  }

  get warnings(): string[] {
    const told: string[] = [];
    if (this.#unmeasured > 0)
      told.push(`The sound of ${this.#unmeasured} utterances could not be measured; they were read from their words.`);
    if (this.#unencoded > 0)
      told.push(`The words of ${this.#unencoded} utterances were read without the sentence encoder, less well.`);
    return told;
  }

  async add(utterance: SpokenUtterance): Promise<UtteranceLine> {
    const began = performance.now();
    const { start, end, text, words, delivery } = utterance;
    const speaker = this.#label(utterance.speaker);
    const encoded = await encodeText(text);
    const entry = measureUtterance({
      utteranceId: `${this.#conversationId}_utt_${this.#count++}`,
      speaker,
      tStart: start,
      tEnd: end,
      text,
      words,
      asrConfidence: utterance.asrConfidence,
      speakerConfidence: utterance.speakerConfidence,
      overlapRatio: utterance.overlapRatio,
      delivery,
      baseline: this.#baselines[utterance.speaker] ?? NO_BASELINE,
      pauseBeforeMs: Math.max(0, Math.round((start - this.#lastEnd) * 1000)),
      previous: this.#previous,
      encoding: encoded?.sentence ?? null,
    });
    if (delivery === null) this.#unmeasured++;
    if (!encoded) this.#unencoded++;
    this.#lastEnd = Math.max(this.#lastEnd, end);
    this.#previous = { speaker, text };
    const latency_ms = Math.round(utterance.workMs + performance.now() - began);
    return { type: 'utterance', entry, latency_ms, ...(encoded && { encoding: encoded.moments }) };
  }

  #label(speaker: number): string {
    const label = this.#labels.get(speaker) ?? `Speaker_${this.#labels.size}`;
    this.#labels.set(speaker, label);
    return label;
  }
}

function endLine(
  media: Decoding,
  duration: number,
  speakerPerChannel: boolean,
  speakers: SpeakerCount,
  timeline: Timeline,
): EndLine {
  const { source } = media;
  return {
    type: 'end',
    utterances: timeline.count,
    media: {
      duration_s: Math.round(duration * 1000) / 1000,
      channels: source?.channels ?? 1,
      sample_rate: source?.sampleRate,
      codec: source?.codec,
      speaker_per_channel: speakerPerChannel,
    },
    // Somebody of whom no word was understood does not appear in the timeline and is not counted.
    speakers: speakers.source === 'given' ? speakers : { ...speakers, count: timeline.speakers },
    warnings: [...media.warnings, ...timeline.warnings],
  };
}
