import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { TranscriptionLine } from '../../../src/contract/pipeline.ts';
import { WordSchema } from '../../../src/contract/timeline.ts';
import { WEIGHTS_ID } from '../../../src/conversation/weights-id.ts';
import type { VoiceTask } from '../affect/voice-measurement.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { SegmentLabels } from '../diarization/provisional.ts';
import { VERSION } from '../version.ts';
import type { WorkerTasks } from '../workers/tasks.ts';

type Task = WorkerTasks['transcribe']['input'];
type Transcribed = WorkerTasks['transcribe']['output'];
type PassTask = WorkerTasks['interim']['input'];
/** The part of a fast pass that decides whether speech is understood. */
type Pass = Pick<WorkerTasks['interim']['output'], 'text' | 'confidence' | 'transcribedBy'>;

const TranscribedSchema: z.ZodType<Transcribed> = z.object({
  words: z.array(WordSchema.extend({ logProbability: z.number(), tokens: z.number() })),
  workMs: z.number(),
  transcribedBy: z.string(),
  language: z.string().optional(),
});
const PassSchema = z.object({ text: z.string(), confidence: z.number() });
type Voice = WorkerTasks['voice']['output'];
const VoiceSchema = z.object({ voice: z.looseObject({}).nullable(), workMs: z.number() });
const LabelledSchema: z.ZodType<SegmentLabels> = z.object({
  turns: z.array(z.object({ start: z.number(), end: z.number(), speaker: z.number(), confidence: z.number() })),
  renumbered: z.object({ numbers: z.array(z.number()), used: z.number() }).optional(),
});
const OutputSchema = z.union([TranscribedSchema, PassSchema]);
/** Outputs with their keys. */
const BesideSchema = z.array(z.tuple([z.string(), z.union([VoiceSchema, LabelledSchema])]));

/** A request for the speakers of a stream. The samples so far are those of the session. */
interface LabelTask {
  /** Number of labels before it. */
  n: number;
  speakers: number | undefined;
  regions: Interval[];
  since: number;
}

/**
 * Limit on the measured voices that are reported of a recording, in characters: an hour and a half of dense speech. The
 * rest of what a Worker stores of a session is for its transcriptions, which take more time to make again.
 */
const MOST_VOICE_CHARS = 6 * 1024 * 1024;

/**
 * The transcriptions of one recording, by the audio and bounds of their segments and by the recogniser's options.
 * Segments that a live session transcribed while it ran are not transcribed again in its final analysis, nor by a
 * process to which the session moves. Such a process does not label its speakers or measure its voices again either. All
 * of these depend only on their tasks, so the cache does not change the result.
 */
export class TranscriptionCache {
  readonly #held = new Map<string, Promise<unknown>>();
  readonly #report: ((transcription: TranscriptionLine) => void) | undefined;
  /** Keys of what was reported, or came from another process. */
  readonly #reported = new Set<string>();
  #recalledS = 0;
  #voiceChars = 0;
  /** Outputs made since the last transcription was reported. They go with the next one, because each is a stored row. */
  #beside: [key: string, output: object][] = [];

  /** @param report receives everything that is final, once, for a process to which the session may move */
  constructor(report?: (transcription: TranscriptionLine) => void) {
    this.#report = report;
  }

  /** End of the audio of which another process has reported transcriptions, s; 0 without any. */
  get recalledS(): number {
    return this.#recalledS;
  }

  /** Takes what another process reported. Outputs that this version cannot read are ignored. */
  recall(transcriptions: readonly TranscriptionLine[]): void {
    for (const { key, end_s, output } of transcriptions) {
      for (const [made, besides] of BesideSchema.safeParse(output.beside).data ?? [])
        this.#held.set(made, Promise.resolve(besides));
      const read = OutputSchema.safeParse(output);
      if (!read.success) continue;
      this.#held.set(key, Promise.resolve(read.data));
      this.#reported.add(key);
      this.#recalledS = Math.max(this.#recalledS, end_s);
    }
  }

  /**
   * The transcription of a task, which is finished, running, or started now.
   * @param transcribe runs a task
   */
  get(task: Task, transcribe: (task: Task) => Promise<Transcribed>): Promise<Transcribed> {
    const aligned = alignedToSamples(task);
    return this.#get(keyOf(aligned), task.recogniser, () => transcribe(aligned));
  }

  /** Reports the transcription of a task, once it is finished. Call it for segments that will not change. */
  settle(task: Task): void {
    if (this.#report) this.#settle(keyOf(alignedToSamples(task)), task.segment.end);
  }

  /**
   * A fast pass over audio that will not change.
   * @param recognise runs a task
   */
  pass(task: PassTask, recognise: (task: PassTask) => Promise<Pass>): Promise<Pass> {
    const key = keyOf(task);
    const passed = this.#get(key, task.recogniser, async () => {
      const { text, confidence, transcribedBy } = await recognise(task);
      return { text, confidence, ...(transcribedBy !== undefined && { transcribedBy }) };
    });
    this.#settle(key, 0);
    return passed;
  }

  /** The measured voice of an utterance. @param measure runs a task */
  voice(task: VoiceTask, measure: (task: VoiceTask) => Promise<Voice>): Promise<Voice> {
    return this.#remembered(
      task,
      () => measure(task),
      (voice) => {
        this.#voiceChars += JSON.stringify(voice).length;
        return this.#voiceChars <= MOST_VOICE_CHARS;
      },
    );
  }

  /** The speakers of the newest speech of a live session. @param label asks for them */
  labels(task: LabelTask, label: () => Promise<SegmentLabels>): Promise<SegmentLabels> {
    return this.#remembered({ ...task, samples: NO_SAMPLES }, label, () => true);
  }

  /** @param isReported whether an output that was made here goes to another process as well */
  #remembered<T extends object>(
    task: HashedTask,
    make: () => Promise<T>,
    isReported: (made: T) => boolean,
  ): Promise<T> {
    const key = keyOf(task, MADE_BY);
    return this.#get(key, '', async () => {
      const made = await make();
      if (this.#report && isReported(made)) this.#beside.push([key, made]);
      return made;
    });
  }

  #get<T extends Pick<Pass, 'transcribedBy'>>(key: string, recogniser: string, begin: () => Promise<T>): Promise<T> {
    const held = this.#held.get(key) as Promise<T> | undefined;
    const again = () => this.#begin(key, recogniser, begin);
    // The earlier caller may have been stopped, which must not fail this one.
    return held?.catch(again) ?? again();
  }

  #begin<T extends Pick<Pass, 'transcribedBy'>>(key: string, recogniser: string, begin: () => Promise<T>): Promise<T> {
    const begun = begin();
    this.#held.set(key, begun);
    const forget = () => {
      if (this.#held.get(key) === begun) this.#held.delete(key);
    };
    // Another recogniser stood in for one that did not answer. It may answer next time, so this result is not kept.
    begun.then(({ transcribedBy = recogniser }) => transcribedBy !== recogniser && forget(), forget);
    return begun;
  }

  #settle(key: string, end_s: number): void {
    const held = this.#held.get(key);
    held?.then(
      (output) => {
        if (this.#held.get(key) !== held || this.#reported.has(key)) return;
        this.#reported.add(key);
        const beside = this.#beside.splice(0);
        this.#report?.({
          type: 'transcription',
          key,
          end_s,
          output: { ...(output as object), ...(beside.length > 0 && { beside }) },
        });
      },
      () => undefined,
    );
  }
}

/**
 * The task with its bounds rounded to whole samples. The bounds from a stream and from a file differ in the last bits
 * of a second, which could change a rounded time.
 */
function alignedToSamples(task: Task): Task {
  const aligned = ({ start, end }: Interval): Interval => ({ start: atSample(start), end: atSample(end) });
  const { segment } = task;
  return { ...task, segment: { ...aligned(segment), speech: segment.speech.map(aligned) } };
}

const atSample = (seconds: number): number => Math.round(seconds * SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ;

const NO_SAMPLES = new Float32Array(0);
/** Another version may measure and label in another way. */
const MADE_BY = `${VERSION} ${WEIGHTS_ID} `;

interface HashedTask {
  samples: Float32Array;
}

function keyOf({ samples, ...rest }: HashedTask, madeBy = ''): string {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return createHash('sha256')
    .update(madeBy + JSON.stringify(rest))
    .update(bytes)
    .digest('base64');
}
