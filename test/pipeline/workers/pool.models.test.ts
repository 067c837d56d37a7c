import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Job, WorkerPool } from '../../../containers/pipeline/workers/pool.ts';
import { fixtureSamples } from '../../../support/recordings.ts';

let pool: WorkerPool;
let samples: Float32Array;
beforeAll(async () => {
  pool = await WorkerPool.start(1);
  samples = fixtureSamples('short.wav');
});
afterAll(() => pool.close());

const recognise = (job: Job) => pool.run(job, 'interim', { samples, recogniser: 'moonshine-tiny' });

describe('the worker pool', () => {
  it('lets jobs take turns, and live work come first, before interim text', async () => {
    const order: string[] = [];
    const first: Job = { priority: 'batch' };
    const second: Job = { priority: 'batch' };
    const live: Job = { priority: 'live' };
    const say = (name: string, job: Job) => recognise(job).then(() => order.push(name));
    const waiting = [say('a1', first), say('a2', first), say('a3', first), say('b1', second)];
    await Promise.all([...waiting, say('interim', { priority: 'interim' }), say('live', live)]);
    expect(order).toEqual(['a1', 'live', 'interim', 'a2', 'b1', 'a3']);
  });

  it('runs tasks that complete work before tasks that begin more', async () => {
    const order: string[] = [];
    const words: Job = { priority: 'batch' };
    const voices: Job = { priority: 'batch', completes: true };
    const say = (name: string, job: Job) => recognise(job).then(() => order.push(name));
    // The voice is requested once the words are there, as for an utterance.
    await Promise.all([say('a', words).then(() => say('the voice of a', voices)), say('b', words), say('c', words)]);
    expect(order).toEqual(['a', 'the voice of a', 'b', 'c']);
  });

  it('does idle work one task at a time beside other work, and never on its only worker', async () => {
    const gone = new AbortController();
    const idle: Job = { priority: 'idle', signal: gone.signal };
    const never = recognise(idle);
    await recognise({ priority: 'batch' });
    expect(pool.waiting).toBe(1);
    gone.abort(new Error('gone'));
    await expect(never).rejects.toThrow('gone');
    const two = await WorkerPool.start(2);
    const order: string[] = [];
    const say = (name: string, job: Job) =>
      two.run(job, 'interim', { samples, recogniser: 'moonshine-tiny' }).then(() => order.push(name));
    const prepared: Job = { priority: 'idle' };
    await Promise.all([say('idle 1', prepared), say('idle 2', prepared), say('live', { priority: 'live' })]);
    expect(order.indexOf('live')).toBeLessThan(order.indexOf('idle 2'));
    await two.close();
  });

  it('drops waiting tasks when their job is aborted', async () => {
    const gone = new AbortController();
    const job: Job = { priority: 'batch', signal: gone.signal };
    const running = recognise(job);
    const waiting = recognise(job);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await running;
    await expect(recognise(job)).rejects.toThrow('gone');
    expect(pool.waiting).toBe(0);
  });

  it('keeps a worker after a failed task: the next task works', async () => {
    const location = { fd: -1, channels: 1 as const, length: 99 };
    const task = pool.run({ priority: 'batch' }, 'delivery', { location, channel: 'mix', start: 0, end: 99 });
    await expect(task).rejects.toMatchObject({ code: 'ANALYSIS_FAILURE' });
    expect((await recognise({ priority: 'batch' })).text).not.toBe('');
  });

  it('replaces a worker that ended; its state is lost', async () => {
    const pin = pool.pin();
    await pin.slot.worker.terminate();
    const lost = pool.run(
      { priority: 'batch' },
      'diarize',
      { recording: 'x', location: { fd: 0, channels: 1, length: 0 }, speech: [] },
      pin,
    );
    await expect(lost).rejects.toMatchObject({ code: 'ANALYSIS_FAILURE' });
    expect((await recognise({ priority: 'batch' })).text).not.toBe('');
  });
});
