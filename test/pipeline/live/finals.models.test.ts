import { afterAll, beforeAll, expect, it } from 'vitest';
import { BoundedQueue } from '../../../containers/pipeline/admission.ts';
import { PipelineSession } from '../../../containers/pipeline/live/session.ts';
import { type LiveStages, liveStages } from '../../../containers/pipeline/live/stages.ts';
import { SpeechDetector } from '../../../containers/pipeline/models/silero.ts';
import { WorkerPool } from '../../../containers/pipeline/workers/pool.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import { inCommon, wordsOf } from '../../../support/common-words.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';
import { fixtureBytes } from '../../../support/recordings.ts';

const CHUNK_BYTES = 65_536;

let pool: WorkerPool;
let stages: LiveStages;
beforeAll(async () => {
  pool = await WorkerPool.start();
  stages = liveStages(pool, await SpeechDetector.load(), new BoundedQueue());
}, 60_000);
afterAll(() => pool.close());

/** Where the sound is cut is what is compared; finals are heard `fast` and the whole `best` where nothing is asked for. */
const HEARD_ALIKE = { ...OPTIONS, quality: 'fast' } as const;

/** The words told live of a recording, and those of the timeline that its session comes to. */
async function wordsBothWays(name: string): Promise<{ told: string[]; whole: string[] }> {
  const bytes = fixtureBytes(name);
  const session = await PipelineSession.open(HEARD_ALIKE, stages, () => undefined);
  const told: string[] = [];
  const ended = new Promise<AnalysisResponse>((resolve) =>
    session.listen({
      line: (line) => line.type === 'event' && line.event === 'final_transcript' && told.push(line.data.text),
      end: (documents) => {
        const { parts } = documents!.find(({ name }) => name === 'result.json')!;
        resolve(JSON.parse(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()));
      },
    }),
  );
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    await session.take(at / CHUNK_BYTES, bytes.subarray(at, at + CHUNK_BYTES), new AbortController().signal);
  session.finalize();
  const { timeline } = await ended;
  await session.close();
  return { told: wordsOf(told.join(' ')), whole: wordsOf(timeline.map(({ text }) => text).join(' ')) };
}

it.each(['call.wav', 'call-stereo.wav'])(
  'of %s hold what the whole file comes to',
  async (name) => {
    const { told, whole } = await wordsBothWays(name);
    expect(whole.length).toBeGreaterThan(50);
    expect(inCommon(whole, told) / whole.length).toBeGreaterThanOrEqual(0.93);
  },
  60_000,
);
