import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { isEnded } from '../../contract/jobs.ts';
import { unwrapped } from '../../contract/result.ts';
import type { AnalysisContext } from '../analysis/recording.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { ClientGone } from '../pipeline/pipeline.ts';
import { mediaStore } from '../storage/media-store.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import type { JobRequest } from '../tenant/jobs/job.ts';
import { errorOf, isMachines, keptError } from '../tenant/jobs/retained-upload.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { type AnalysisRunOptions, runAnalysis } from './run-analysis.ts';

/**
 * Makes an analysis while its sender stays on the line. It is noted before: should whatever runs this die, a workflow
 * finishes it. Resolves when a pipeline accepted it, or when it has to wait.
 * @returns the events; before the closing ones the result is stored and the analysis has ended. Of one whose media is bad,
 *   that is left early or whose `signal` aborts nothing stays; the upload of one that a machine failed is kept.
 * @throws ServiceError as carryAnalysis, with the `conversationId` of an upload that is kept
 */
export async function runAttached(
  request: JobRequest,
  carried: AnalysisRunOptions,
  context: AnalysisContext,
): Promise<AsyncGenerator<ServiceEvent, void>> {
  const { env, signal } = context;
  const { runId: id, tenant } = request;
  const { keys } = carried.recording;
  const store = mediaStore(env);
  const jobs = () => tenantOf(env, tenant).jobs;
  let isOver = false;
  let isTold = false;

  /**
   * Once, in whatever way it ended badly. Nobody is told of what nobody was told the beginning of.
   * @param error undefined when its sender has gone
   * @returns what its sender is told
   */
  async function giveUp(error?: unknown): Promise<ServiceError> {
    const known = asServiceError(error);
    if (isOver) return known;
    isOver = true;
    const job = await jobs()
      .read(id)
      .catch(() => null);
    // Another who carried it too has ended it: what there is is that one's.
    if (job && isEnded(job.status) && job.status !== 'cancelled') return errorOf(env, job) ?? known;
    const { code, detail: message, cause } = known;
    // No machine failed where all are busy: the client sends it again.
    const isRefused = code === 'OVERLOADED' && cause === undefined && !isTold;
    const isLeft = error === undefined || signal.aborted || error instanceof ClientGone;
    const isKept = isMachines(code) && !isLeft && !isRefused;
    if (!isKept) await removeArtifacts(store, keys);
    if (isLeft || isRefused) await jobs().remove(id);
    else if (code !== 'CANCELLED') await jobs().end(id, { status: 'failed', code, message });
    return isKept ? keptError(env, known, id) : known;
  }

  async function* tell(events: AsyncGenerator<ServiceEvent, void>): AsyncGenerator<ServiceEvent, void> {
    try {
      for await (const event of events) {
        if (event.event === 'status' && event.data.phase === 'completed') {
          // A job that could not be told its end is looked after by a workflow, which finds the result.
          const isFirst = await jobs().end(id, { status: 'completed' }).catch(noted);
          if (isFirst === false && (await jobs().read(id))?.status !== 'completed') throw new ServiceError('CANCELLED');
          isOver = true;
        }
        isTold = true;
        yield event;
      }
    } catch (error) {
      throw await giveUp(error);
    } finally {
      await giveUp();
    }
  }

  try {
    unwrapped(await jobs().begin(request, true));
    // From here on the job says that somebody works on it.
    await store.delete([keys.pending]);
    return tell(await runAnalysis(carried, context));
  } catch (error) {
    throw await giveUp(error);
  }
}

const noted = (error: unknown): void => logFault(asServiceError(error), { task: 'jobs' });
