import { ServiceError } from '../../src/contract/errors.ts';
import type { VoiceTask } from './affect/voice-measurement.ts';
import { LevelMeter } from './audio/levels.ts';
import { type Decoding, decodeStream, type PcmBlock } from './media/decode.ts';
import { isPlayable, recordingOf, renditionOf } from './media/rendition.ts';
import type { SpeakerBaseline } from './prosody/baseline.ts';
import { EngineTally } from './recognition/engine-tally.ts';
import { engineOf } from './recognition/engines.ts';
import { ReadableWords } from './recognition/readable-words.ts';
import { type RecogniserEngine, type RecognitionOptions, recognitionOptions } from './recognition/recogniser.ts';
import type { RecognitionSegment } from './recognition/segments.ts';
import type { Understanding } from './recognition/understanding.ts';
import { muteRecording, redactionOf } from './redaction/recording-redaction.ts';
import { notesOf, UtteranceRedaction, valuesIn } from './redaction/redaction.ts';
import { levelsOf } from './redaction/tone.ts';
import type {
  EndLine,
  FoundRedaction,
  MeasuredUtteranceLine,
  Playback,
  StageLine,
  StageOptions,
} from './stage-lines.ts';
import { channelOfSpeaker, speakerBaselines } from './stages/baselines.ts';
import { encodeText } from './stages/encoding.ts';
import { type Layout, RecordingStages } from './stages/recording.ts';
import { Timeline } from './stages/timeline.ts';
import { TranscriptionCache } from './stages/transcription-cache.ts';
import { recordingUnderstanding } from './stages/understanding.ts';
import { spokenUtterances, type TranscribedUtterance } from './stages/utterances.ts';
import type { Job, WorkerPool } from './workers/pool.ts';

export interface AnalysisRequest {
  options: StageOptions;
  /** Size of the media in bytes, if known in advance. Decoding progress is based on it. */
  size?: number;
  /** Whether the media is a stream stored as it was captured. Browsers play such media but cannot seek in it. */
  isStreamed?: boolean;
  /** Transcriptions of a live session, reused for the analysis of its whole recording. */
  transcriptions?: TranscriptionCache;
  signal?: AbortSignal;
}

/**
 * Fractions of all work completed by the end of decoding and of diarization. The rest is transcription
 * (bench/speed.ts).
 */
const DECODED = 0.1;
const DIARIZED = 0.15;
/** Number of segments that are transcribed while a long recording is diarised. */
const FIRST_SEGMENTS = 2;
/** Limit on the size of media, bytes: four times the Worker's largest upload. */
const LARGEST_MEDIA = 2 * 1024 ** 3;
/** Number of utterances whose audio is measured while the next words are recognised. */
const MEASURED_AHEAD = 8;
/** A sender that is silent for this long is assumed to be gone, ms. */
const SILENT_MS = 120_000;
/** Interval between progress reports while decoding, ms. They also show the Worker that the pipeline is alive. */
const REPORT_EVERY_MS = 500;

/**
 * The whole analysis of one recording: decoding, speech and speakers, and then each utterance. The same bytes lead to
 * the same lines, except for `latency_ms`.
 * @throws ServiceError INVALID_REQUEST (an unknown recogniser), INVALID_MEDIA, FILE_TOO_LARGE, ANALYSIS_FAILURE; the
 *   signal's reason when aborted
 */
export async function* analyse(
  bytes: AsyncIterable<Uint8Array>,
  request: AnalysisRequest,
  pool: WorkerPool,
): AsyncGenerator<StageLine> {
  const {
    options,
    size = Number.POSITIVE_INFINITY,
    isStreamed = false,
    transcriptions = new TranscriptionCache(),
    signal,
  } = request;
  const engine = engineOf(options.recogniser);
  const job: Job = { priority: 'batch', signal };
  const recording = new RecordingStages(pool, job);
  const levels = new LevelMeter();
  const ended = new AbortController();
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
    const push = (block: PcmBlock) => {
      levels.push(block);
      return recording.push(block);
    };
    const recogniser = { id: engine.id, options: recognitionOptions(options, 'best') };
    // An endpoint may be paid by request, so that it transcribes no segment before all is decoded.
    const isEager = engine.kind !== 'endpoint';
    const beginning = recording.layOutBeginning(engine.longestS, options.speakers).then(async (layout) => {
      if (!layout) return null;
      if (isEager)
        startTranscribing(recording.ahead, layout.segments.slice(0, FIRST_SEGMENTS), recogniser, transcriptions);
      return { ...(await partOf(recording.ahead, layout, engine)), end: layout.end };
    });
    // A failure is handled where it is awaited.
    beginning.catch(() => undefined);
    yield* decoded(media, push, () => DECODED * Math.min(1, taken / size));
    const isPlayed = isPlayable(options.suffix, media.source?.codec) && !isStreamed;
    const kinds = options.redact ?? [];
    const redaction = kinds.length > 0 ? new UtteranceRedaction<TranscribedUtterance>(kinds) : null;
    // Runs while the words are recognised, unless its sound may have to be muted.
    const rendition = redaction || isPlayed || recording.duration === 0 ? null : rendered(recording, ended.signal);
    yield { type: 'progress', stage: 'diarizing', progress: DECODED };
    const layingOut = recording.layOut(engine.longestS, options.speakers);
    layingOut.catch(() => undefined);
    const first = await beginning;
    // The first utterance does not wait for a thread once the speakers are known. Segments that are cut otherwise in the
    // end have no effect.
    if (!first && isEager)
      recording
        .firstSegments(engine.longestS, FIRST_SEGMENTS, options.speakers)
        .then((likely) => startTranscribing(recording, likely, recogniser, transcriptions))
        .catch(() => undefined);
    const rest = layingOut.then((layout) => {
      const segments = layout.segments.slice(first?.layout.segments.length ?? 0);
      return partOf(recording, { ...layout, segments }, engine, first?.baselines);
    });
    rest.catch(() => undefined);
    const parts = first ? [{ part: Promise.resolve<Part>(first), until: first.end / recording.duration }] : [];
    parts.push({ part: rest, until: 1 });
    const { layout: firstLayout, baselines, understanding } = await parts[0]!.part;
    yield { type: 'progress', stage: 'transcribing', progress: DIARIZED };

    // Audio is measured before later segments are transcribed, so that each utterance is complete soon.
    const voices: Job = { priority: 'batch', completes: true, signal };
    const measureVoice = (task: VoiceTask) => pool.run(voices, 'voice', task);
    const timeline = new Timeline(options, { encode: encodeText, measureVoice }, baselines);
    timeline.useChannels((speaker) => channelOfSpeaker(firstLayout, speaker));
    const measured = new InOrder<MeasuredUtteranceLine>();
    const tally = new EngineTally();
    const readable = new ReadableWords(options.language, understanding);
    const measure = ({ workMs, transcribedBy, language, ...spoken }: TranscribedUtterance) => {
      tally.add(transcribedBy);
      // Redaction can hold the last utterances of the beginning until the rest has begun.
      const understanding = first && spoken.start < first.end ? first.understanding : undefined;
      const transcribed = { engine: engineOf(transcribedBy), language };
      const line = timeline.add(spoken, workMs, readable.add(transcribed, understanding));
      measured.add(transcribedBy === engine.id ? line : line.then((one) => transcribedByOther(one, transcribedBy)));
    };
    let done = 0;
    for (const [i, { part, until }] of parts.entries()) {
      const { layout, ...known } = yield* measured.during(part);
      timeline.learn(known.baselines);
      if (i > 0) readable.next(known.understanding);
      const segments = spokenUtterances(recording, layout, recogniser, transcriptions);
      for (;;) {
        const next = yield* measured.during(segments.next());
        if (next.done) break;
        const { utterances, share } = next.value;
        // Nothing is concluded from words that are redacted.
        for (const utterance of utterances)
          for (const ready of redaction?.add(utterance) ?? [utterance]) measure(ready);
        yield* measured.ready(MEASURED_AHEAD);
        const transcribed = done + (until - done) * share;
        yield {
          type: 'progress',
          stage: 'transcribing',
          progress: Math.min(1, DIARIZED + (1 - DIARIZED) * transcribed),
        };
      }
      done = until;
    }
    for (const ready of redaction?.end() ?? []) measure(ready);
    yield* measured.ready(0);
    const playback = { levels: levels.levels, rendition: await rendition };
    const muted =
      redaction &&
      (await mutedPlayback(
        recording,
        options,
        redaction,
        { ...recogniser, longestS: engine.longestS },
        { playback, isPlayed },
        ended.signal,
      ));
    const end = endLine(media, recording.duration, (await rest).layout, timeline);
    const warnings = [...end.warnings, ...tally.warnings(engine.id), ...readable.warnings];
    yield {
      ...end,
      warnings,
      heard_by: tally.transcribedBy,
      language: readable.language,
      playback,
      ...muted,
    };
  } finally {
    ended.abort();
    await recording.close();
  }
}

/** A part of a recording that is laid out, and all that its utterances need: the whole, or a beginning and the rest. */
interface Part {
  layout: Layout;
  baselines: SpeakerBaseline[];
  understanding: Understanding;
}

async function partOf(
  recording: Pick<RecordingStages, 'read' | 'run' | 'spool'>,
  layout: Layout,
  engine: RecogniserEngine,
  known?: readonly SpeakerBaseline[],
): Promise<Part> {
  const [baselines, understanding] = await Promise.all([
    speakerBaselines(recording, layout, known),
    recordingUnderstanding(recording, layout.segments, engine),
  ]);
  return { layout, baselines, understanding };
}

/** Transcribes segments into the cache. Faults occur again where the transcriptions are needed. */
function startTranscribing(
  recording: Pick<RecordingStages, 'read' | 'run'>,
  segments: readonly RecognitionSegment[],
  { id, options }: { id: string; options: RecognitionOptions },
  transcriptions: TranscriptionCache,
): void {
  for (const segment of segments)
    recording
      .read(segment, segment.channel)
      .then((samples) => {
        const task = { samples, segment, recogniser: id, options };
        return transcriptions.get(task, (aligned) => recording.run('transcribe', aligned));
      })
      .catch(() => undefined);
}

const transcribedByOther = (line: MeasuredUtteranceLine, heard_by: string): MeasuredUtteranceLine => ({
  ...line,
  entry: { ...line.entry, heard_by },
});

/**
 * Mutes what was redacted in the recording. A fault in it fails the analysis, so that nothing is stored as it was sent.
 * @returns what the last line says about it
 */
async function mutedPlayback(
  recording: RecordingStages,
  { redact: kinds = [], suffix }: StageOptions,
  { redacted }: UtteranceRedaction<TranscribedUtterance>,
  recogniser: Parameters<typeof muteRecording>[2],
  { playback, isPlayed }: { playback: Playback; isPlayed: boolean },
  signal: AbortSignal,
): Promise<{ playback: Playback; redaction: FoundRedaction }> {
  const isSaidIn = (words: readonly string[]) => valuesIn(words, redacted.secrets).length > 0;
  if (redacted.spans.length === 0) {
    const { doubts } = redacted;
    const proof = { muted: [], isVerified: doubts.length === 0, notes: notesOf(doubts) };
    const report = redactionOf(kinds, redacted, proof);
    const rendition = isPlayed || recording.duration === 0 ? null : await rendered(recording, signal);
    return { playback: { ...playback, rendition }, redaction: { report, secrets: [], isSaidIn } };
  }
  const muted = await muteRecording(recording, redacted, recogniser);
  const { bytes, codec } = await recordingOf(recording.spool.location, suffix, signal);
  const rendition = isPlayable(suffix, codec) ? null : await rendered(recording, signal);
  const { levels } = await levelsOf(recording.spool);
  return {
    playback: { levels, rendition, recording: bytes },
    redaction: {
      report: redactionOf(kinds, redacted, muted),
      ...{ secrets: redacted.secrets, originals: redacted.originals, isSaidIn },
    },
  };
}

/** A failed rendition does not fail the analysis. */
const rendered = (recording: RecordingStages, signal: AbortSignal): Promise<Buffer | null> =>
  renditionOf(recording.spool.location, signal).catch((cause: unknown) => {
    if (!signal.aborted) console.error('the rendition failed:', cause instanceof Error ? cause.message : cause);
    return null;
  });

async function* decoded(
  media: Decoding,
  push: (block: PcmBlock) => Promise<void>,
  progress: () => number,
): AsyncGenerator<StageLine> {
  let reportedAt = performance.now();
  for await (const block of media) {
    await push(block);
    if (performance.now() - reportedAt < REPORT_EVERY_MS) continue;
    reportedAt = performance.now();
    yield { type: 'progress', stage: 'decoding', progress: progress() };
  }
}

/** Counts the bytes as they arrive. @throws ServiceError INVALID_REQUEST when the sender is silent for too long */
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

/** Runs tasks concurrently and yields their results in the order in which they began. */
class InOrder<T> {
  readonly #works: { result: Promise<T>; isDone: boolean }[] = [];

  add(result: Promise<T>): void {
    const work = { result, isDone: false };
    this.#works.push(work);
    // A failure is handled when its turn comes.
    const done = () => {
      work.isDone = true;
    };
    result.then(done, done);
  }

  /** Yields the results that are complete, or become complete, until `next` resolves. Returns the value of `next`. */
  async *during<U>(next: Promise<U>): AsyncGenerator<T, U> {
    let isNext = false;
    const done = () => {
      isNext = true;
    };
    // A failure of `next` is handled below.
    const arrived = next.then(done, done);
    while (!isNext && this.#works[0]) {
      await Promise.race([this.#works[0].result, arrived]);
      yield* this.ready(Number.POSITIVE_INFINITY);
    }
    return await next;
  }

  /** Yields the complete results up to the first incomplete one. Waits for the oldest until at most `left` remain. */
  async *ready(left: number): AsyncGenerator<T> {
    while (this.#works.length > left || this.#works[0]?.isDone) yield await this.#works.shift()!.result;
  }
}

function endLine(
  media: Decoding,
  duration: number,
  { speakerPerChannel, silentChannel, diarization: { speakers } }: Layout,
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
      ...(silentChannel !== undefined && { silent_channel: silentChannel }),
    },
    // A speaker with no word that was understood is left out of the timeline and the count.
    speakers: speakers.source === 'given' ? speakers : { ...speakers, count: timeline.speakers },
    ...(Object.keys(timeline.roles).length > 0 && { roles: timeline.roles }),
    warnings: [...media.warnings, ...timeline.warnings],
  };
}
