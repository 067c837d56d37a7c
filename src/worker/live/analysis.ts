import type { ServiceEvent } from '../../contract/events.ts';
import type { ResultLine, TranscriptionLine } from '../../contract/pipeline.ts';
import type { Refinement } from '../analysis/refinement.ts';
import type { PipelineReader, RefinedSlots } from '../pipeline/reader.ts';

/** Receives the events and the result of a live session. */
export interface LiveListener {
  /** Receives a new event, which it numbers and stores synchronously. */
  event(event: ServiceEvent): void;
  /** The pipeline is about to end, and the session should continue on another one. */
  moving(): void;
  /** Receives how far transcription is behind the audio that the pipeline has received, s. */
  behind(seconds: number): void;
  /** Stores what the pipeline transcribed. It can have been stored before. */
  transcription(line: TranscriptionLine): void;
  /** Receives the latency of a new utterance. */
  utterance(latencyMs: number): void;
  /** @param expectedS estimated time until the end, s */
  progress(progress: number, expectedS: number | undefined): void;
  /** Stores the result of the session. @param last the events that are sent before `completed` and `done` */
  store(
    result: ResultLine,
    reader: PipelineReader,
    refined: RefinedSlots,
    last: readonly ServiceEvent[],
  ): Promise<void>;
  concluded(last: readonly ServiceEvent[]): void;
}

/**
 * Reads a pipeline's lines for a live session. When another container takes over, it sends the same permanent events
 * again from the first one. Events that the session already has are skipped by number, and so is the interim text
 * before them.
 * @param stored number of permanent events that the session already has
 * @throws ServiceError with the code of an `error` line; Error when the connection is lost
 */
export async function readLive(
  reader: PipelineReader,
  stored: number,
  refinement: Refinement,
  listener: LiveListener,
): Promise<void> {
  let reached = 0;
  const last: ServiceEvent[] = [];
  for await (const line of reader.lines()) {
    if (line.type === 'moving') listener.moving();
    if (line.type === 'alive' && line.behind_s !== undefined) listener.behind(line.behind_s);
    if (line.type === 'transcription') listener.transcription(line);
    else if (line.type === 'material') await refinement.refine(line);
    else if (line.type === 'result') {
      await listener.store(line, reader, refinement.documents, last);
      listener.concluded(last);
    } else if (line.type === 'event') {
      const event = refinement.eventOf(line);
      if (line.n !== undefined) reached = line.n + 1;
      // The summary is sent together with the result.
      if (event.event === 'summary_update') last.push(event);
      else if (event.event === 'status') listener.progress(event.data.progress, event.data.expected_s);
      else if (line.n === undefined ? reached >= stored : line.n >= stored) {
        listener.event(event);
        if (line.latency_ms !== undefined) listener.utterance(line.latency_ms);
      }
    }
  }
}
