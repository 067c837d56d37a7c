import type { AnalysisOutcome } from '../../../src/worker/tenant/jobs/job-table.ts';
import { Tenant } from '../../../src/worker/tenant/tenant.ts';

export * from '../../../src/worker/index.ts';
export { default } from '../../../src/worker/index.ts';

/** The Worker under test, with an addition: a job can be ended as by another holder of its lease. */
class JobEndingTenant extends Tenant {
  endJob(id: string, outcome: AnalysisOutcome): Promise<boolean> {
    return this.jobs.end(id, outcome);
  }
}

export { JobEndingTenant as Tenant };
