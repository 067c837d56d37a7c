import { asServiceError, logFault } from '../../http/errors.ts';
import type { Env } from '../../identity/env.ts';
import { sendTurn } from '../../pool/turn.ts';
import type { JobTable } from './job-table.ts';
import { deleteWorkflow, startWorkflow } from './workflows.ts';

/** Duration of a lease, ms. A job whose lease is not renewed for this long is taken over. */
export const LEASE_MS = 20_000;
/** Time after the end of a job by which its workflow has finished, ms. */
export const WORKFLOW_ENDS_MS = 10_000;

/** Hands jobs over to workflows, and removes workflows that have ended. */
export class JobWorkflows {
  readonly #env: Env;
  readonly #jobs: JobTable;

  constructor(env: Env, jobs: JobTable) {
    this.#env = env;
    this.#jobs = jobs;
  }

  /**
   * Hands a job over to a workflow, or wakes its workflow. If no workflow can be started, another attempt follows when
   * the lease ends.
   */
  async handOver(id: string): Promise<void> {
    const request = this.#jobs.request(id);
    const workflow = this.#jobs.assignWorkflow(id, Date.now() + LEASE_MS);
    if (workflow === null || !request) return;
    try {
      const { ANALYSIS } = this.#env;
      if (await startWorkflow(ANALYSIS, workflow, request)) return;
      const next = this.#jobs.replaceWorkflow(id);
      if (next !== null) await startWorkflow(ANALYSIS, next, request);
    } catch (error) {
      logFault(asServiceError(error), { task: 'jobs', conversation_id: id });
    }
  }

  /** Lets the workflow of a job that has ended go on, if it waits for a slot. It then notices the end. */
  async stopWaiting(id: string): Promise<void> {
    const workflow = this.#jobs.workflowOf(id);
    // One that has ended, or that cannot be reached, gives its place back later.
    if (workflow !== null) await sendTurn(this.#env, workflow).catch(() => undefined);
  }

  /**
   * Hands over every job whose lease has ended.
   * @returns when the next lease ends, Unix time, ms; null for never
   */
  async takeOver(now: number): Promise<number | null> {
    for (const id of this.#jobs.unleased(now)) await this.handOver(id);
    return this.#jobs.nextLeaseEnd();
  }

  /** Removes the parameters and steps of workflows that have ended. @returns when to call this again, Unix time, ms */
  async removeEnded(now: number): Promise<number | null> {
    for (const { id, workflow } of this.#jobs.endedWorkflows(now - WORKFLOW_ENDS_MS)) {
      await deleteWorkflow(this.#env.ANALYSIS, workflow);
      this.#jobs.forgetWorkflow(id);
    }
    return this.#jobs.endedWorkflows(now).length > 0 ? now + WORKFLOW_ENDS_MS : null;
  }
}
