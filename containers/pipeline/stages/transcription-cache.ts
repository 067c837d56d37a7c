import { createHash } from 'node:crypto';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { WorkerTasks } from '../workers/tasks.ts';

type Task = WorkerTasks['transcribe']['input'];
type Transcribed = WorkerTasks['transcribe']['output'];

/**
 * The transcriptions of one recording, by the audio and bounds of their segments and by the recogniser's options.
 * Segments that a live session transcribed while it ran are not transcribed again in its final analysis. A
 * transcription depends only on its task, so the cache does not change the result.
 */
export class TranscriptionCache {
  readonly #held = new Map<string, Promise<Transcribed>>();

  /**
   * The transcription of a task, which is finished, running, or started now.
   * @param transcribe runs a task
   */
  get(task: Task, transcribe: (task: Task) => Promise<Transcribed>): Promise<Transcribed> {
    const aligned = alignedToSamples(task);
    const key = keyOf(aligned);
    const begin = () => this.#begin(key, aligned, transcribe);
    // The earlier caller may have been stopped, which must not fail this one.
    return this.#held.get(key)?.catch(begin) ?? begin();
  }

  #begin(key: string, task: Task, transcribe: (task: Task) => Promise<Transcribed>): Promise<Transcribed> {
    const begun = transcribe(task);
    this.#held.set(key, begun);
    const forget = () => {
      if (this.#held.get(key) === begun) this.#held.delete(key);
    };
    // Another recogniser stood in for one that did not answer. It may answer next time, so this result is not kept.
    begun.then(({ transcribedBy }) => transcribedBy !== task.recogniser && forget(), forget);
    return begun;
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

function keyOf({ samples, ...rest }: Task): string {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return createHash('sha256').update(JSON.stringify(rest)).update(bytes).digest('base64');
}
