import { expect, it } from 'vitest';
import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import type { RunOptions } from '../../../src/worker/analysis/run.ts';
import { analyseLive } from '../../../src/worker/live/analysis.ts';
import { linesOf } from '../fake-pipeline.ts';
import { timelineEntry } from '../timeline-entry.ts';

const options: RunOptions = { conversationId: 'c', goal: '', createModel: (given) => new Conversation(given) };
const said = (n: number, text: string): PipelineLine => ({
  type: 'utterance',
  entry: timelineEntry('c', n, text),
  latency_ms: 1,
});
const CONCLUSION: PipelineLine[] = [
  { type: 'conclude' },
  said(0, 'The first sentence.'),
  said(1, 'The second one.'),
  linesOf('c').at(-1)!,
];

/** The texts told of a session's lines, `told` of its utterances told before, and how many are kept. */
async function tell(lines: PipelineLine[], told = 0): Promise<{ texts: string[]; kept: number }> {
  const texts: string[] = [];
  let kept = 0;
  const stream = (async function* () {
    yield* lines;
  })();
  await analyseLive(stream, options, told, {
    tell: (events) => {
      for (const { event, data } of events) if (event === 'final_transcript') texts.push(data.text);
    },
    utterance: () => undefined,
    progress: () => undefined,
    keep: async ({ timeline }) => {
      kept = timeline.length;
    },
    concluded: () => undefined,
  });
  return { texts, kept };
}

it('keeps what is concluded of a session that was told, and does not tell it again', async () => {
  expect(await tell([said(0, 'Told at once.'), ...CONCLUSION])).toEqual({ texts: ['Told at once.'], kept: 2 });
});

it('passes over what was told when the lines are read again', async () => {
  const lines = [said(0, 'Told before.'), said(1, 'Told now.'), ...CONCLUSION];
  expect((await tell(lines, 1)).texts).toEqual(['Told now.']);
});

it('tells the conclusion of media that could not be understood before its end', async () => {
  expect((await tell(CONCLUSION)).texts).toEqual(['The first sentence.', 'The second one.']);
  expect((await tell(CONCLUSION, 1)).texts).toEqual(['The second one.']);
});
