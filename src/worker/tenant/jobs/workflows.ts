import type { Env } from '../../identity/env.ts';
import type { JobRequest } from './job.ts';

type Engine = Env['ANALYSIS'];

/**
 * Starts a workflow, or wakes it. wrangler's own engine does not resume workflows after a restart, but any event wakes
 * them, and it has no other effect.
 * @returns false for a workflow that has ended
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

/** Terminates a workflow in any state and removes it. */
export async function endWorkflow(engine: Engine, id: string): Promise<void> {
  // A workflow that has ended rejects the call.
  await engine
    .get(id)
    .then((instance) => instance.terminate())
    .catch(() => undefined);
  await deleteWorkflow(engine, id);
}

/** Removes a workflow with its parameters and steps. */
export async function deleteWorkflow(engine: Engine, id: string): Promise<void> {
  try {
    await (await engine.get(id)).delete();
  } catch (error) {
    if (!String(error).includes('not_found')) throw error;
  }
}
