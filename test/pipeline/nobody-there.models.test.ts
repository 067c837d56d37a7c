import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import { resultOf } from './file-result.ts';

let pool: WorkerPool;
beforeAll(async () => {
  pool = await WorkerPool.start(1);
});
afterAll(() => pool.close());

/** No offers, answers, objections or promises. */
function expectNothingAgreed({ moments, summary }: AnalysisResponse): void {
  expect(moments.filter(({ category }) => category !== 'topic_shift')).toEqual([]);
  expect(summary.recommendations).toEqual([]);
  expect(summary.what_went_well).toBeNull();
  expect(summary.what_went_wrong).toBeNull();
  expect(summary.overview).not.toMatch(/promise|agree|propos|accept|declin|object|will send/i);
}

describe('a recording in which nobody talks to anybody', () => {
  it('is named as an answering machine, and the message left there promises nothing', async () => {
    const result = await resultOf('answering-machine.wav', pool);
    expect(result.setting).toBe('answering_machine');
    expect(result.summary.overview).toMatch(/^An answering machine takes the call\./);
    expect(result.segmentation.narrative_arc).toMatch(/^An answering machine takes the call\./);
    expectNothingAgreed(result);
  });

  it('is named as announcements where only recorded ones are heard between music', async () => {
    const result = await resultOf('on-hold.wav', pool);
    expect(result.setting).toBe('announcement');
    expect(result.summary.overview).toMatch(/^Only recorded announcements are heard\./);
    expectNothingAgreed(result);
  });

  it('is named as one side of a conversation where the other channel is silent', async () => {
    const result = await resultOf('one-sided.wav', pool);
    expect(result.setting).toBe('one_sided');
    expect(result.media.silent_channel).toBe(1);
    expect(result.summary.overview).toMatch(/^Only one side of the conversation is in the recording\./);
    expectNothingAgreed(result);
  });

  it('has no utterances where there is only music, and says that there is sound', async () => {
    await expect(resultOf('music.wav', pool)).rejects.toMatchObject({
      code: 'NO_UTTERANCES',
      detail: 'No utterances detected in uploaded media: there is sound, but no speech',
    });
    await expect(resultOf('silence.wav', pool)).rejects.toMatchObject({
      detail: 'No utterances detected in uploaded media',
    });
  });
});

it('a call between two people is a conversation', async () => {
  const { setting, speakers, warnings } = await resultOf('call.wav', pool);
  expect(setting).toBe('conversation');
  expect(speakers.note).toBeUndefined();
  expect(warnings).toEqual([]);
});
