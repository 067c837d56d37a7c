import type { Outcome } from '../../../src/worker/jobs/job-book.ts';
import { Tenant as TheTenant } from '../../../src/worker/tenants/tenant.ts';

export * from '../../../src/worker/index.ts';
export { default } from '../../../src/worker/index.ts';

/** The Worker under test, with one thing added: an analysis can be ended as another ends it who carries it too. */
export class Tenant extends TheTenant {
  endJob(id: string, outcome: Outcome): Promise<boolean> {
    return this.jobs.end(id, outcome);
  }
}
