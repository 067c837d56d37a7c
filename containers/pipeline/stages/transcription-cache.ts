import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { TranscriptionLine } from '../../../src/contract/pipeline.ts';
import { WordSchema } from '../../../src/contract/timeline.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
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
const OutputSchema = z.union([TranscribedSchema, PassSchema]);

/**
 * The transcriptions of one recording, by the audio and bounds of their segments and by the recogniser's options.
 * Segments that a live session transcribed while it ran are not transcribed again in its final analysis, nor by a
 * process to which the session moves. A transcription depends only on its task, so the cache does not change the result.
 */
export class TranscriptionCache {
  readonly #held = new Map<string, Promise<unknown>>();
  readonly #report: ((transcription: TranscriptionLine) => void) | undefined;
  /** Keys of what was reported, or came from another process. */
  readonly #reported = new Set<string>();
  #recalledS = 0;

  /** @param report receives each transcription that is final, once, for a process to which the session may move */
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
        this.#report?.({ type: 'transcription', key, end_s, output: output as TranscriptionLine['output'] });
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

function keyOf({ samples, ...rest }: Task | PassTask): string {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return createHash('sha256').update(JSON.stringify(rest)).update(bytes).digest('base64');
}
