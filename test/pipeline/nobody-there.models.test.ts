import { createReadStream } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisOutput } from '../../containers/pipeline/analysis-output.ts';
import { analyse } from '../../containers/pipeline/pipeline.ts';
import { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { type AnalysisResponse, AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { OPTIONS } from '../../support/pipeline-server.ts';
import { fixturePath } from '../../support/recordings.ts';

let pool: WorkerPool;
beforeAll(async () => {
  pool = await WorkerPool.start(1);
});
afterAll(() => pool.close());

/** The fast transcription also tells who is there. */
const FAST = { ...OPTIONS, quality: 'fast' } as const;

async function resultOf(file: string): Promise<AnalysisResponse> {
  const output = new AnalysisOutput({ ...FAST, live: false });
  for await (const line of analyse(createReadStream(fixturePath(file)), { options: FAST }, pool)) output.take(line);
  const { parts } = output.documents!.find(({ name }) => name === 'result.json')!;
  return AnalysisResponseSchema.parse(JSON.parse(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()));
}

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
    const result = await resultOf('answering-machine.wav');
    expect(result.setting).toBe('answering_machine');
    expect(result.summary.overview).toMatch(/^An answering machine takes the call\./);
    expect(result.segmentation.narrative_arc).toMatch(/^An answering machine takes the call\./);
    expectNothingAgreed(result);
  });

  it('is named as announcements where only recorded ones are heard between music', async () => {
    const result = await resultOf('on-hold.wav');
    expect(result.setting).toBe('announcement');
    expect(result.summary.overview).toMatch(/^Only recorded announcements are heard\./);
    expectNothingAgreed(result);
  });

  it('is named as one side of a conversation where the other channel is silent', async () => {
    const result = await resultOf('one-sided.wav');
    expect(result.setting).toBe('one_sided');
    expect(result.media.silent_channel).toBe(1);
    expect(result.summary.overview).toMatch(/^Only one side of the conversation is in the recording\./);
    expectNothingAgreed(result);
  });

  it('has no utterances where there is only music, and says that there is sound', async () => {
    await expect(resultOf('music.wav')).rejects.toMatchObject({
      code: 'NO_UTTERANCES',
      detail: 'No utterances detected in uploaded media: there is sound, but no speech',
    });
    await expect(resultOf('silence.wav')).rejects.toMatchObject({
      detail: 'No utterances detected in uploaded media',
    });
  });
});

it('a call between two people is a conversation', async () => {
  const { setting, speakers, warnings } = await resultOf('call.wav');
  expect(setting).toBe('conversation');
  expect(speakers.note).toBeUndefined();
  expect(warnings).toEqual([]);
});
