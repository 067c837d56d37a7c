import type { Env } from '../../identity/env.ts';
import type { JobRequest } from './job.ts';

type Engine = Env['ANALYSIS'];

/**
 * Starts a workflow, or wakes it: wrangler's own engine does not resume workflows after a restart; an event of any kind
 * wakes them, and harms none.
 * @returns false for one that is over
 */
export async function startWorkflow(engine: Engine, id: string, params: JobRequest): Promise<boolean> {
  try {
    await engine.create({ id, params });
    return true;
  } catch (error) {
    if (!String(error).includes('already_exists')) throw error;
  }
  const instance = await engine.get(id);
  const { status } = await instance.status();
  if (['errored', 'terminated', 'complete'].includes(status)) return false;
  await instance.sendEvent({ type: 'wake', payload: null });
  return true;
}

/** Ends a workflow, whatever it does, and leaves nothing of it. */
export async function endWorkflow(engine: Engine, id: string): Promise<void> {
  // One that has ended cannot be ended.
  await engine
    .get(id)
    .then((instance) => instance.terminate())
    .catch(() => undefined);
  await deleteWorkflow(engine, id);
}

/** Leaves nothing of a workflow: neither what it was given nor what it did. */
export async function deleteWorkflow(engine: Engine, id: string): Promise<void> {
  try {
    await (await engine.get(id)).delete();
  } catch (error) {
    if (!String(error).includes('not_found')) throw error;
  }
}
