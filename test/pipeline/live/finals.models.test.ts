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

/** Compares where the sound is cut; by default finals are recognised with `fast` and the whole with `best`. */
const SAME_QUALITY = { ...OPTIONS, quality: 'fast' } as const;

/** The words of a recording's live utterances, and those of the final timeline of its session. */
async function wordsBothWays(name: string): Promise<{ live: string[]; whole: string[] }> {
  const bytes = fixtureBytes(name);
  const session = await PipelineSession.open(SAME_QUALITY, stages, () => undefined);
  const live: string[] = [];
  const ended = new Promise<AnalysisResponse>((resolve) =>
    session.listen({
      line: (line) => line.type === 'event' && line.event === 'final_transcript' && live.push(line.data.text),
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
  return { live: wordsOf(live.join(' ')), whole: wordsOf(timeline.map(({ text }) => text).join(' ')) };
}

it.each(['call.wav', 'call-stereo.wav'])(
  'of %s match those of the whole file',
  async (name) => {
    const { live, whole } = await wordsBothWays(name);
    expect(whole.length).toBeGreaterThan(50);
    expect(inCommon(whole, live) / whole.length).toBeGreaterThanOrEqual(0.93);
  },
  60_000,
);
