import { createHash } from 'node:crypto';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { WorkerTasks } from '../workers/tasks.ts';

type Task = WorkerTasks['transcribe']['input'];
type Transcribed = WorkerTasks['transcribe']['output'];

/**
 * The transcriptions of one recording, by the audio and bounds of their segments and by the recogniser's options. What
 * a live session transcribed while it ran does not have to be transcribed again in its final analysis. A transcription
 * depends only on its task, so the result is the same with and without this.
 */
export class TranscriptionCache {
  readonly #held = new Map<string, Promise<Transcribed>>();

  /**
   * The transcription of a task. It is finished, running, or started now.
   * @param transcribe runs a task
   */
  get(task: Task, transcribe: (task: Task) => Promise<Transcribed>): Promise<Transcribed> {
    const aligned = alignedToSamples(task);
    const key = keyOf(aligned);
    const begin = () => this.#begin(key, aligned, transcribe);
    // The earlier caller may have been stopped, which is no reason for this one to fail.
    return this.#held.get(key)?.catch(begin) ?? begin();
  }

  #begin(key: string, task: Task, transcribe: (task: Task) => Promise<Transcribed>): Promise<Transcribed> {
    const begun = transcribe(task);
    this.#held.set(key, begun);
    const forget = () => {
      if (this.#held.get(key) === begun) this.#held.delete(key);
    };
    // Another recogniser took the place of one that did not answer, and that one may answer next time.
    begun.then(({ transcribedBy }) => transcribedBy !== task.recogniser && forget(), forget);
    return begun;
  }
}

/**
 * The task with its bounds rounded to whole samples. The bounds from a stream and from a file differ in the last bits
 * of a second, on which a rounded time could depend.
 */
function alignedToSamples(task: Task): Task {
  const aligned = ({ start, end }: Interval): Interval => ({ start: atSample(start), end: atSample(end) });
  const { segment } = task;
  return { ...task, segment: { ...aligned(segment), speech: segment.speech.map(aligned) } };
}

const atSample = (seconds: number): number => Math.round(seconds * SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ;

function keyOf({ samples, ...rest }: Task): string {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return createHash('sha256').update(JSON.stringify(rest)).update(bytes).digest('base64');
}
