import type { Env } from '../identity/env.ts';

/** Type of the event with which a workflow that waits for a slot goes on. */
export const TURN = 'turn';
/** How long a workflow asks the pool before it waits for the event, ms. In this time the pool finds its pipelines. */
export const TURN_HOLD_MS = 5_000;

/**
 * Lets a workflow that waits for a slot go on. Without such a wait, the next one ends at once.
 * @param workflow the id of the instance
 * @throws Error for a workflow that has ended, or when the engine cannot be reached
 */
export async function sendTurn(env: Env, workflow: string): Promise<void> {
  const instance = await env.ANALYSIS.get(workflow);
  await instance.sendEvent({ type: TURN, payload: null });
}
