import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../../containers/pipeline/workers/memory.ts';

it('collects what is left of loading, outside of the heap too', () => {
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 8; i++) new Float32Array(2 ** 20).fill(i);
  collectGarbage();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 22);
});

it('works in many threads at once', async () => {
  const module = new URL('../../../containers/pipeline/workers/memory.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(module)}).then(({ collectGarbage }) => { for (let i = 0; i < 10; i++) collectGarbage(); })`;
  const exits = Array.from({ length: 4 }, () => {
    const worker = new Worker(code, { eval: true });
    return new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  });
  expect(await Promise.all(exits)).toEqual([0, 0, 0, 0]);
});
