import { describe, expect, it, vi } from 'vitest';
import { TranscriptionCache } from '../../../containers/pipeline/stages/transcription-cache.ts';
import type { WorkerTasks } from '../../../containers/pipeline/workers/tasks.ts';
import type { TranscriptionLine } from '../../../src/contract/pipeline.ts';

type Task = WorkerTasks['transcribe']['input'];

const task = (change: Partial<Task> = {}, loudness = 0.5): Task => ({
  samples: new Float32Array(1600).fill(loudness),
  segment: { start: 1, end: 1.1, speech: [{ start: 1.02, end: 1.08 }] },
  recogniser: 'a recogniser',
  options: { quality: 'best' },
  ...change,
});

/** A recogniser that counts its tasks. */
function counted(transcribedBy = 'a recogniser') {
  const tasks: Task[] = [];
  const transcribe = async (one: Task) => {
    tasks.push(one);
    return { words: [], workMs: tasks.length, transcribedBy };
  };
  return { tasks, transcribe };
}

it('transcribes the same sound at the same place with the same options once, also while that is under way', async () => {
  const cache = new TranscriptionCache();
  const { tasks, transcribe } = counted();
  const both = await Promise.all([cache.get(task(), transcribe), cache.get(task(), transcribe)]);
  expect(both.map(({ workMs }) => workMs)).toEqual([1, 1]);
  const speech = [{ start: 1.02 + 1e-12, end: 1.08 - 1e-12 }];
  await cache.get(task({ segment: { start: 1 - 1e-12, end: 1.1 + 1e-12, speech } }), transcribe);
  expect(tasks).toHaveLength(1);
  expect(tasks[0]!.segment).toEqual(task().segment);
});

it('transcribes anything else', async () => {
  const cache = new TranscriptionCache();
  const { tasks, transcribe } = counted();
  const others = [
    task({}, 0.4),
    task({ options: { quality: 'fast' } }),
    task({ options: { quality: 'best', words: ['Undertone'] } }),
    task({ recogniser: 'another' }),
    task({ segment: { ...task().segment, start: 2, end: 2.1 } }),
    task({ segment: { ...task().segment, speech: [{ start: 1.03, end: 1.08 }] } }),
  ];
  for (const one of [task(), ...others]) await cache.get(one, transcribe);
  expect(tasks).toHaveLength(1 + others.length);
});

it('keeps neither a failure nor what another recogniser transcribed instead', async () => {
  const cache = new TranscriptionCache();
  const stopped = cache.get(task(), () => Promise.reject(new Error('stopped')));
  const { tasks, transcribe } = counted('the built-in one');
  expect(await cache.get(task(), transcribe)).toMatchObject({ workMs: 1 });
  await expect(stopped).rejects.toThrow('stopped');
  expect(await cache.get(task(), transcribe)).toMatchObject({ workMs: 2 });
  expect(tasks).toHaveLength(2);
});

describe('what another process reported', () => {
  const pass = { samples: new Float32Array(1600).fill(0.2), recogniser: 'a recogniser' };
  const recognise = async () => ({ text: 'said', confidence: 0.7, words: [], cut: false });

  /** A cache that has transcribed one segment and made one pass, and its reports. */
  async function reported(transcribedBy?: string): Promise<TranscriptionLine[]> {
    const lines: TranscriptionLine[] = [];
    const cache = new TranscriptionCache((line) => lines.push(JSON.parse(JSON.stringify(line))));
    const { transcribe } = counted(transcribedBy);
    cache.settle(task());
    await cache.get(task(), transcribe);
    expect(lines).toEqual([]);
    for (let time = 0; time < 2; time++) {
      cache.settle(task());
      await cache.pass(pass, recognise);
    }
    await new Promise((resolve) => setImmediate(resolve));
    return lines;
  }

  it('is each final transcription, once', async () => {
    const lines = await reported();
    expect(lines.map(({ end_s }) => end_s)).toEqual([1.1, 0]);
    expect(lines.map(({ output }) => output)).toEqual([
      { words: [], workMs: 1, transcribedBy: 'a recogniser' },
      { text: 'said', confidence: 0.7 },
    ]);
  });

  it('is not what another recogniser transcribed instead', async () => {
    expect((await reported('the built-in one')).map(({ end_s }) => end_s)).toEqual([0]);
  });

  it('is used in place of the recogniser, and not reported again', async () => {
    const again: TranscriptionLine[] = [];
    const cache = new TranscriptionCache((line) => again.push(line));
    cache.recall(await reported());
    expect(cache.recalledS).toBe(1.1);
    const { tasks, transcribe } = counted();
    expect(await cache.get(task(), transcribe)).toEqual({ words: [], workMs: 1, transcribedBy: 'a recogniser' });
    expect(await cache.pass(pass, () => Promise.reject(new Error('recognised')))).toEqual({
      text: 'said',
      confidence: 0.7,
    });
    cache.settle(task());
    await cache.get(task({}, 0.4), transcribe);
    expect(tasks).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(again).toEqual([]);
  });

  it('is ignored when it cannot be read', async () => {
    const cache = new TranscriptionCache();
    cache.recall((await reported()).map((line) => ({ ...line, output: { words: [{ word: 'said' }], workMs: 1 } })));
    const { tasks, transcribe } = counted();
    await cache.get(task(), transcribe);
    expect([tasks.length, cache.recalledS]).toEqual([1, 0]);
  });
});

it('gives the measured voices and the labels of speakers along with the next transcription', async () => {
  const lines: TranscriptionLine[] = [];
  const before = new TranscriptionCache((line) => lines.push(line));
  const voiceTask = { samples: new Float32Array(160).fill(0.25), text: 'said', usual: [], isRead: false };
  const labelTask = { n: 0, speakers: undefined, regions: [{ start: 1, end: 2 }], since: 0 };
  const voice = { voice: null, workMs: 3 };
  const labelled = {
    turns: [{ start: 1, end: 2, speaker: 0, confidence: 0.5 }],
    renumbered: { numbers: [0], used: 1 },
  };
  await before.labels(labelTask, async () => labelled);
  await before.voice(voiceTask, async () => voice);
  expect(lines).toEqual([]);
  await before.get(task(), counted().transcribe);
  before.settle(task());
  await vi.waitFor(() => expect(lines).toHaveLength(1));

  const after = new TranscriptionCache();
  after.recall(JSON.parse(JSON.stringify(lines)));
  const again = () => Promise.reject(new Error('made again'));
  expect(await after.labels(labelTask, again)).toEqual(labelled);
  expect(await after.voice(voiceTask, again)).toEqual(voice);
  await expect(after.labels({ ...labelTask, n: 1 }, again)).rejects.toThrow('made again');
  await expect(after.voice({ ...voiceTask, isRead: true }, again)).rejects.toThrow('made again');
});
