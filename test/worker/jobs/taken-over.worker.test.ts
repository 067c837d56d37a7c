import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AnalysisOutcome } from '../../../src/worker/tenant/jobs/job-table.ts';
import { sayRestAfter } from '../../../support/fake-pipeline.ts';
import { clear, form, KEY, startService, type TestService } from '../../../support/service-under-test.ts';
import { readEvents } from '../../../support/stream-client.ts';
import { EXTENDED } from '../../../support/worker.ts';

// On a machine under load, a request may be unable to renew the lease of its job for a while. From then on it runs
// beside a workflow. The first of them ends the job, and the other does not mistake it for cancelled.

/** Longer than the interval of renewals. */
const HEARD_MS = 6_000;
const TENANT = createHash('sha256').update(KEY).digest('hex').slice(0, 16);

interface TenantNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { endJob(id: string, outcome: AnalysisOutcome): Promise<boolean> };
}

let service: TestService;
beforeAll(async () => {
  service = await startService({}, '', EXTENDED);
});
afterEach(() => clear(service));
afterAll(() => service.stop());

/** Sends a file, and ends its job in the middle of the analysis as another holder would. */
async function endedByAnother(path: string, outcome: AnalysisOutcome, heardMs: number): Promise<Response> {
  const go = Promise.withResolvers<void>();
  service.pipeline.answer = sayRestAfter(go.promise);
  const answer = service.post(path, form('call.wav', 'media'));
  const id = await vi.waitFor(() => {
    const [seen] = service.pipeline.seen;
    if (!seen) throw new Error('nothing was asked yet');
    return seen.options.conversation_id;
  }, 20_000);
  const { TENANT: tenants } = await service.harness.getWorker<{ TENANT: TenantNamespace }>().getEnv();
  expect(await tenants.get(tenants.idFromName(TENANT)).endJob(id, outcome)).toBe(true);
  await wait(heardMs);
  go.resolve();
  return answer;
}

describe.each([
  ['before this one says that it goes on', 0],
  ['and this one hears of it', HEARD_MS],
])('another holder ends the job %s', (_, heardMs) => {
  it('as completed: the waiting client gets the result, and all objects stay', async () => {
    const response = await endedByAnother('/analyze', { status: 'completed' }, heardMs);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ utterances: 3 });
    expect((await service.objects()).map((key) => key.split('/').at(-1))).toContain('result.json');
  });

  it('as completed: a client of the stream gets all events', async () => {
    const response = await endedByAnother('/analyze/stream', { status: 'completed' }, heardMs);
    const events = await readEvents(response);
    expect(events.at(-1)).toMatchObject({ event: 'done' });
    expect(events.filter(({ event }) => event === 'final_transcript')).toHaveLength(3);
    expect((await service.objects()).map((key) => key.split('/').at(-1))).toContain('result.json');
  });

  it('as failed by a machine: the upload stays, and the waiting client gets the error', async () => {
    const outcome: AnalysisOutcome = {
      status: 'failed',
      code: 'ANALYSIS_FAILURE',
      message: 'Analysis failed: so it was',
    };
    const response = await endedByAnother('/analyze', outcome, heardMs);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'ANALYSIS_FAILURE', conversation_id: expect.any(String) });
    expect((await service.objects()).map((key) => key.split('/').at(-1))).toContain('upload.wav');
  });
});
