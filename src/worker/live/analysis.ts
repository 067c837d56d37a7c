import type { ServiceEvent } from '../../contract/events.ts';
import type { PipelineLine } from '../../contract/pipeline.ts';
import { type Analysis, Run, type RunOptions, refined, summaryEvent } from '../analysis/run.ts';

/** Who hears what the lines of a live session come to. */
export interface LiveListener {
  /** New events, to be numbered and stored in this very turn. */
  tell(events: readonly ServiceEvent[]): void;
  /** What one new utterance cost. */
  utterance(latencyMs: number): void;
  progress(progress: number): void;
  /** Makes the whole session's result durable. `last`: the events that come before `completed` and `done`. */
  keep(analysis: Analysis, last: readonly ServiceEvent[]): Promise<void>;
  concluded(last: readonly ServiceEvent[]): void;
}

/**
 * Tells a live session's lines. Read again from the first one, they are the same ones: the utterances that were told
 * are passed over by count. The utterances after `conclude` say again what was said, better: they are kept and not told,
 * unless the media could not be understood before (an mp4 whose index comes last), and nothing was said.
 * @param told how many utterances were told before
 * @throws ServiceError as `Run.take` does
 */
export async function analyseLive(
  lines: AsyncIterable<PipelineLine>,
  options: RunOptions,
  told: number,
  listener: LiveListener,
): Promise<void> {
  const run = new Run(options);
  let utterances = 0;
  let isSaid = false;
  for await (const line of lines) {
    const events = run.take(line);
    if (line.type === 'conclude') isSaid = utterances > 0;
    else if (line.type === 'utterance') {
      if (isSaid || ++utterances <= told) continue;
      listener.tell(events);
      listener.utterance(line.latency_ms);
    } else if (line.type === 'partial') {
      if (utterances >= told) listener.tell(events);
    } else if (line.type === 'progress') {
      for (const event of events) if (event.event === 'status') listener.progress(event.data.progress);
    } else if (run.analysis) {
      const analysis = await refined(run.analysis, options);
      const last = [summaryEvent(analysis)];
      await listener.keep(analysis, last);
      listener.concluded(last);
    }
  }
}
