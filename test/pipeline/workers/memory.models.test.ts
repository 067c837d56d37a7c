import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { collectGarbage } from '../../../containers/pipeline/workers/memory.ts';

it('collects the garbage of loading', async () => {
  const left = Array.from({ length: 8 }, () => new WeakRef(new Float32Array(2 ** 20)));
  // A weak reference keeps its target alive until the turn is over.
  await setImmediate();
  collectGarbage();
  expect(left.map((reference) => reference.deref())).toEqual(left.map(() => undefined));
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
