import type { AnalysisOutcome } from '../../../src/worker/tenant/jobs/job-table.ts';
import { Tenant as TheTenant } from '../../../src/worker/tenant/tenant.ts';

export * from '../../../src/worker/index.ts';
export { default } from '../../../src/worker/index.ts';

/** The Worker under test, with one thing added: an analysis can be ended as another ends it who carries it too. */
export class Tenant extends TheTenant {
  endJob(id: string, outcome: AnalysisOutcome): Promise<boolean> {
    return this.jobs.end(id, outcome);
  }
}
