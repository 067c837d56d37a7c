import { afterAll, beforeAll, expect, it } from 'vitest';
import { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { resultOf } from './file-result.ts';

let pool: WorkerPool;
beforeAll(async () => {
  pool = await WorkerPool.start(1);
});
afterAll(() => pool.close());

it('concludes nothing from the words of a German call, and keeps times, speakers and prosody', async () => {
  const { language, warnings, timeline, moments, summary, insights } = await resultOf('foreign.wav', pool);
  expect(language).toBe('unknown');
  // The two voices of espeak-ng are alike enough to be one label.
  expect(warnings).toEqual([
    expect.stringMatching(/^The speech was not understood/),
    expect.stringMatching(/^One voice could be distinguished; there may be more/),
  ]);
  expect(timeline.length).toBeGreaterThan(0);
  for (const entry of timeline) {
    expect(entry).toMatchObject({ unread: 'not_understood', emotion: null, sentiment: null, cognitive: null });
    expect(entry.lexical_markers).toMatchObject({ hedge_density: 0, disfluency_rate: 0, is_question: false });
    expect(entry.prosody).toMatchObject({ duration: expect.any(Number), pitch_z: expect.any(Number) });
  }
  expect(moments).toEqual([]);
  expect(summary).toMatchObject({ key_insights: [], recommendations: [], what_went_well: null, what_went_wrong: null });
  expect(insights.overall_sentiment).toBeNull();
}, 240_000);

it.each(['call.wav', 'short.wav'])(
  'reads the English of %s',
  async (file) => {
    const { language, warnings, timeline } = await resultOf(file, pool);
    expect(language).toBe('en');
    expect(warnings).toEqual([]);
    for (const { unread } of timeline) expect(unread).toBeUndefined();
  },
  240_000,
);
