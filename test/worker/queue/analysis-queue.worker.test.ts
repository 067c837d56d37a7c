import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueVerdict, SlotRequest } from '../../../src/worker/queue/analysis-queue.ts';
import { startService, type TestService } from '../../../support/service-under-test.ts';

interface Queue {
  request(asking: SlotRequest): Promise<QueueVerdict>;
  renew(id: string, tenant: string): Promise<void>;
  leave(id: string): Promise<void>;
}
interface Objects {
  QUEUE: { get(id: unknown): Queue; idFromName(name: string): unknown };
}

let service: TestService;
let env: Objects;
beforeAll(async () => {
  service = await startService();
  env = await service.harness.getWorker<Objects>().getEnv();
});
afterAll(() => service.stop());

let queues = 0;
/** A separate queue, with one slot by default. */
function queue(slots = 1): {
  ask: (tenant: string, id: string, isAttended?: boolean) => Promise<QueueVerdict>;
  leave: Queue['leave'];
} {
  const name = `queue-${queues++}`;
  const stub = () => env.QUEUE.get(env.QUEUE.idFromName(name));
  return {
    ask: (tenant, id, isAttended = false) => stub().request({ id, tenant, cost: 60, isAttended, slots }),
    leave: (id) => stub().leave(id),
  };
}

describe('the queue in front of the pipelines', () => {
  it('grants slots while some are free, and the next one when one is released', async () => {
    const { ask, leave } = queue();
    expect(await ask('a', 'a1')).toBe('go');
    const second = ask('a', 'a2');
    await leave('a1');
    expect(await second).toBe('go');
  });

  it('serves another tenant before the rest of a flood', async () => {
    const { ask, leave } = queue();
    expect(await ask('a', 'a0')).toBe('go');
    const went: string[] = [];
    const goThrough = async (tenant: string, id: string): Promise<void> => {
      while ((await ask(tenant, id)) !== 'go');
      went.push(tenant);
      await leave(id);
    };
    const all = Array.from({ length: 20 }, (_, i) => goThrough('a', `a${i + 1}`));
    all.push(goThrough('b', 'b1'));
    await leave('a0');
    await Promise.all(all);
    expect(went).toHaveLength(21);
    // One analysis of the flood may have run before the other tenant's request arrived.
    expect(went.indexOf('b')).toBeLessThan(2);
  });

  it('grants a slot again to its holder', async () => {
    const { ask } = queue();
    expect(await ask('a', 'a1')).toBe('go');
    expect(await ask('a', 'a1')).toBe('go');
  });
});
