import type { ServiceEvent } from '../../contract/events.ts';
import type { ResultLine } from '../../contract/pipeline.ts';
import type { Refinement } from '../analysis/refinement.ts';
import type { PipelineReader, RefinedSlots } from '../pipeline/reader.ts';

/** Who hears what the lines of a live session come to. */
export interface LiveListener {
  /** New events, to be numbered and stored in this very turn. */
  tell(event: ServiceEvent): void;
  /** What one new utterance cost. */
  utterance(latencyMs: number): void;
  progress(progress: number): void;
  /** Makes the whole session's result durable. `last`: the events that come before `completed` and `done`. */
  keep(result: ResultLine, reader: PipelineReader, refined: RefinedSlots, last: readonly ServiceEvent[]): Promise<void>;
  concluded(last: readonly ServiceEvent[]): void;
}

/**
 * Carries what a pipeline tells of a live session. Read again from the first line, by whatever container, the lasting
 * events are the same: those that the session has are passed over by their number. Interim text of what was told is not
 * told again.
 * @param had lasting events that the session has
 * @throws ServiceError the code of an `error` line; Error when the session should go on in another container
 */
export async function carryLive(
  reader: PipelineReader,
  had: number,
  refinement: Refinement,
  listener: LiveListener,
): Promise<void> {
  let reached = 0;
  const last: ServiceEvent[] = [];
  for await (const line of reader.lines()) {
    if (line.type === 'moving') throw new Error('the pipeline is about to end');
    if (line.type === 'material') await refinement.take(line);
    else if (line.type === 'result') {
      await listener.keep(line, reader, refinement.documents, last);
      listener.concluded(last);
    } else if (line.type === 'event') {
      const event = refinement.event(line);
      if (line.n !== undefined) reached = line.n + 1;
      // The summary is told with the result it belongs to, at once.
      if (event.event === 'summary_update') last.push(event);
      else if (event.event === 'status') listener.progress(event.data.progress);
      else if (line.n === undefined ? reached >= had : line.n >= had) {
        listener.tell(event);
        if (line.latency_ms !== undefined) listener.utterance(line.latency_ms);
      }
    }
  }
}
