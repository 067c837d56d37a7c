import { expect, it } from 'vitest';
import type { Interval } from '../../../containers/pipeline/audio/interval.ts';
import type { SpeakerTurn } from '../../../containers/pipeline/diarization/turns.ts';
import { VAD_FRAME } from '../../../containers/pipeline/models/silero.ts';
import { RecordingStages } from '../../../containers/pipeline/stages/recording.ts';
import type { WorkerPool } from '../../../containers/pipeline/workers/pool.ts';
import type { SpoolRange } from '../../../containers/pipeline/workers/tasks.ts';

const RATE = 16_000;
const LONGEST_S = 15;

/** A pool whose recordings have 4 s of speech in every 6 s, by two speakers in turn. It lists the tasks that it ran. */
function pool(sure = 1) {
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
    if (name === 'diarize') {
      const { speech, isBeginning } = range as unknown as { speech: Interval[]; isBeginning?: boolean };
      const turns = turnsUntil(speech.at(-1)!.end + 2);
      // A long recording as a whole numbers its speakers otherwise than the beginning.
      return {
        turns:
          isBeginning || range.location.length < 1200 * RATE
            ? turns
            : turns.map((turn) => ({ ...turn, speaker: 1 - turn.speaker })),
        speakers: { count: 2, confidence: isBeginning ? sure : 1, source: 'estimated' },
      };
    }
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

async function withBeginning(seconds: number, { sure = 1, speakers }: { sure?: number; speakers?: number } = {}) {
  const { ran, pool: workers } = pool(sure);
  const recording = new RecordingStages(workers, { priority: 'batch' });
  try {
    const beginning = recording.layOutBeginning(LONGEST_S, speakers);
    const minute = new Int16Array(60 * RATE);
    for (let at = 0; at < seconds; at += 60) await recording.push({ channels: 1, samples: minute });
    const early = seconds < 1200 ? null : await beginning;
    const whole = await recording.layOut(LONGEST_S, speakers);
    return { early, beginning: await beginning, whole, ran };
  } finally {
    await recording.close();
  }
}

it('the beginning of twenty minutes is laid out before the rest, which extends it', async () => {
  const { early, whole } = await withBeginning(1200);
  expect(early!.end).toBeGreaterThan(512);
  expect(early!.end).toBeLessThan(640);
  const count = early!.segments.length;
  expect(count).toBeGreaterThan(80);
  expect(whole.segments.slice(0, count)).toEqual(early!.segments);
  expect(early!.segments.at(-1)!.end).toBeLessThanOrEqual(early!.end);
  expect(whole.segments[count]!.start).toBeGreaterThanOrEqual(early!.end);
  // Speakers keep their numbers, whatever the whole recording calls them.
  expect(whole.diarization.turns.map(({ speaker }) => speaker)).toEqual(whole.diarization.turns.map((_, i) => i % 2));
  expect(whole.diarization.turns.map(({ start }) => start)).toEqual(whole.diarization.turns.map((_, i) => 6 * i));
});

it('the beginning does not depend on what follows it', async () => {
  const [a, b] = await Promise.all([withBeginning(1200), withBeginning(1800)]);
  expect(b.early).toEqual(a.early);
});

it.each([
  ['a shorter recording', 1140, {}],
  ['an unsure number of speakers', 1200, { sure: 0.5 }],
  ['more than two given speakers', 1200, { speakers: 3 }],
])('%s waits for the whole layout', async (_, seconds, options) => {
  const { beginning, whole } = await withBeginning(seconds, options);
  expect(beginning).toBeNull();
  expect(whole.segments.length).toBeGreaterThan(180);
});
