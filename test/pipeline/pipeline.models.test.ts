import { createReadStream } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { analyse } from '../../containers/pipeline/pipeline.ts';
import { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { fixturePath } from '../../support/recordings.ts';

let pool: WorkerPool;
beforeAll(async () => {
  pool = await WorkerPool.start(1);
});
afterAll(() => pool.close());

it('emits an utterance while the words of the next are still being recognised', async () => {
  const told = Promise.withResolvers<void>();
  const run = pool.run.bind(pool);
  let segments = 0;
  vi.spyOn(pool, 'run').mockImplementation(async (job, name, ...rest) => {
    if (name === 'transcribe' && ++segments > 1) await told.promise;
    return run(job, name, ...rest);
  });
  const options = { conversation_id: 'a', suffix: '.wav', affect: 'full', quality: 'fast' } as const;
  let utterances = 0;
  for await (const line of analyse(createReadStream(fixturePath('call.wav')), { options }, pool)) {
    if (line.type !== 'utterance') continue;
    utterances++;
    told.resolve();
  }
  expect(segments).toBeGreaterThan(1);
  expect(utterances).toBeGreaterThan(1);
}, 240_000);
