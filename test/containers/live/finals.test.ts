import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Admission } from '../../../containers/pipeline/admission.ts';
import { PipelineSession } from '../../../containers/pipeline/live/session.ts';
import { type LiveStages, liveStages } from '../../../containers/pipeline/live/stages.ts';
import { SpeechDetector } from '../../../containers/pipeline/models/silero.ts';
import { WorkerPool } from '../../../containers/pipeline/workers/pool.ts';
import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import { inCommon, wordsOf } from '../../live/common-words.ts';

const CHUNK_BYTES = 65_536;

let pool: WorkerPool;
let stages: LiveStages;
beforeAll(async () => {
  pool = await WorkerPool.start();
  stages = liveStages(pool, await SpeechDetector.load(), new Admission());
}, 60_000);
afterAll(() => pool.close());

/** All lines of a session over a recording. */
async function linesOf(name: string): Promise<PipelineLine[]> {
  const bytes = readFileSync(join(import.meta.dirname, '../../fixtures', name));
  const options = { conversationId: 'c', suffix: '.wav', speakers: undefined } as const;
  const session = await PipelineSession.open(options, stages, () => undefined);
  const lines: PipelineLine[] = [];
  const ended = new Promise<void>((end) => session.listen({ line: (line) => lines.push(line), end }));
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    await session.take(at / CHUNK_BYTES, bytes.subarray(at, at + CHUNK_BYTES));
  session.finalize();
  await ended;
  await session.close();
  return lines;
}

const words = (lines: PipelineLine[]): string[] =>
  wordsOf(lines.flatMap((line) => (line.type === 'utterance' ? [line.entry.text] : [])).join(' '));

it.each(['call.wav', 'call-stereo.wav'])(
  'of %s hold what the whole file comes to',
  async (name) => {
    const lines = await linesOf(name);
    const concluded = lines.findIndex(({ type }) => type === 'conclude');
    const [told, whole] = [words(lines.slice(0, concluded)), words(lines.slice(concluded))];
    expect(whole.length).toBeGreaterThan(50);
    expect(inCommon(whole, told) / whole.length).toBeGreaterThanOrEqual(0.93);
  },
  60_000,
);
