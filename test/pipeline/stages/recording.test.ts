import { expect, it } from 'vitest';
import type { SpeakerTurn } from '../../../containers/pipeline/diarization/turns.ts';
import { VAD_FRAME } from '../../../containers/pipeline/models/silero.ts';
import { RecordingStages } from '../../../containers/pipeline/stages/recording.ts';
import type { WorkerPool } from '../../../containers/pipeline/workers/pool.ts';
import type { SpoolRange } from '../../../containers/pipeline/workers/tasks.ts';

const RATE = 16_000;
const LONGEST_S = 15;

/** A pool whose recordings have 4 s of speech in every 6 s, by two speakers in turn. It lists the tasks that it ran. */
function pool() {
  const ran: string[] = [];
  const turnsUntil = (end: number): SpeakerTurn[] =>
    Array.from({ length: Math.floor(end / 6) }, (_, i) => ({
      start: 6 * i,
      end: 6 * i + 4,
      speaker: i % 2,
      confidence: 0.9,
    }));
  const isSpeech = (sample: number) => sample % (6 * RATE) < 4 * RATE;
  const run = async (_: unknown, name: string, range: SpoolRange): Promise<unknown> => {
    ran.push(name);
    if (name === 'speech')
      return Float32Array.from({ length: Math.ceil((range.end - range.start) / VAD_FRAME) }, (_, i) =>
        isSpeech(range.start + i * VAD_FRAME) ? 0.99 : 0.01,
      );
    if (name === 'beginning') return turnsUntil(range.end / RATE);
    if (name === 'diarize')
      return {
        turns: turnsUntil(range.location.length / RATE),
        speakers: { count: 2, confidence: 1, source: 'given' },
      };
    return null;
  };
  return { ran, pool: { pin: () => ({}), run } as unknown as WorkerPool };
}

async function laidOut(seconds: number, channels: 1 | 2) {
  const { ran, pool: workers } = pool();
  const recording = new RecordingStages(workers, { priority: 'batch' });
  try {
    const minute = new Int16Array(60 * RATE * channels);
    for (let at = 0; at < seconds; at += 60) await recording.push({ channels, samples: minute });
    const layingOut = recording.layOut(LONGEST_S);
    const first = await recording.firstSegments(LONGEST_S, 2);
    const { segments } = await layingOut;
    return { first, segments, ran };
  } finally {
    await recording.close();
  }
}

it('the beginning of a long recording suggests its first segments', async () => {
  const { first, segments } = await laidOut(360, 1);
  expect(first).toHaveLength(2);
  expect(first).toEqual(segments.slice(0, 2));
});

it('a short recording, and one with two channels, waits for the whole layout', async () => {
  for (const [seconds, channels] of [
    [240, 1],
    [360, 2],
  ] as const) {
    const { first, ran } = await laidOut(seconds, channels);
    expect(first).toEqual([]);
    expect(ran).not.toContain('beginning');
  }
});
