import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { isEnded } from '../../contract/jobs.ts';
import { type AnalysisContext, analyzeRecording } from '../analysis/recording.ts';
import { AnalysisSlot, analysisQueue, estimatedSeconds } from '../queue/slot.ts';
import type { AnalysisInput } from '../tenant/jobs/job.ts';
import { RENEW_MS } from '../tenant/jobs/tenant-jobs.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** What is carried: a recording at rest, noted as a job. */
export interface AnalysisRunOptions {
  tenant: string;
  recording: AnalysisInput;
  /** Its size. */
  bytes: number;
  /** Whether somebody stays on the line for it. */
  isAttended: boolean;
}

/**
 * Carries an analysis: waits for its turn among all that are to be made, makes it, and says meanwhile that it is carried
 * and how far it is. Resolves when a pipeline accepted it, or when it has to wait.
 * @returns the events; the result is stored before the closing ones
 * @throws ServiceError OVERLOADED, or what the pipeline refuses with; the events throw the same, and CANCELLED
 */
export async function runAnalysis(
  { tenant, recording, bytes, isAttended }: AnalysisRunOptions,
  context: AnalysisContext,
): Promise<AsyncGenerator<ServiceEvent, void>> {
  const { env } = context;
  const id = recording.runId;
  const cost = estimatedSeconds(recording.suffix, bytes);
  const place = await AnalysisSlot.ask(env, analysisQueue(env), { id, tenant, cost, isAttended });
  const cancelled = new AbortController();
  const signal = AbortSignal.any([context.signal, cancelled.signal]);
  let phase: string | null = null;
  let progress = 0;
  const say = async (): Promise<void> => {
    const status = await tenantOf(env, tenant).jobs.carry(id, phase, progress);
    // One that another has ended well meanwhile is still told to whoever stays on the line.
    const isWanted = status !== null && (!isEnded(status) || (isAttended && status === 'completed'));
    if (!isWanted) cancelled.abort(new ServiceError('CANCELLED'));
  };
  const begin = () => analyzeRecording(recording, { ...context, signal });

  async function* tell(begun: AsyncGenerator<ServiceEvent, void> | undefined): AsyncGenerator<ServiceEvent, void> {
    // What cannot be said now is said the next time; who is not heard at all is carried by another.
    const saying = setInterval(() => void say().catch(() => undefined), RENEW_MS);
    try {
      await place.turn(signal);
      for await (const event of begun ?? (await begin())) {
        if (event.event === 'status') ({ phase, progress } = event.data);
        yield event;
      }
    } catch (error) {
      throw cancelled.signal.aborted ? cancelled.signal.reason : error;
    } finally {
      clearInterval(saying);
      await place.leave();
    }
  }

  try {
    // Who need not wait hears a refusal before anything is told.
    return tell(place.isOurs ? await begin() : undefined);
  } catch (error) {
    await place.leave();
    throw error;
  }
}
