import { expect, it } from 'vitest';
import { ENCODING_DIMENSIONS } from '../../../src/contract/encoding.ts';
import { ServiceError } from '../../../src/contract/errors.ts';
import { EVENT_SCHEMAS, type ServiceEvent } from '../../../src/contract/events.ts';
import type { Findings, MomentEvent } from '../../../src/contract/findings.ts';
import { packInt8 } from '../../../src/contract/packed-int8.ts';
import type { PipelineLine, UtteranceLine } from '../../../src/contract/pipeline.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import { type Analysis, Run, type RunOptions, runToEnd } from '../../../src/worker/analysis/run.ts';
import { linesOf } from '../fake-pipeline.ts';
import { timelineEntry } from '../timeline-entry.ts';

const options: RunOptions = { conversationId: 'c', goal: '', createModel: (given) => new Conversation(given) };

async function* streamed(lines: readonly PipelineLine[]): AsyncGenerator<PipelineLine> {
  yield* lines;
}

async function tell(lines: readonly PipelineLine[], keep = async (_: Analysis) => {}): Promise<ServiceEvent[]> {
  const events: ServiceEvent[] = [];
  for await (const event of runToEnd(streamed(lines), options, keep)) events.push(event);
  return events;
}

const names = (events: readonly ServiceEvent[]) => events.map(({ event }) => event);
const utterance = (n: number, speaker: string): PipelineLine => ({
  type: 'utterance',
  entry: timelineEntry('c', n, `Sentence ${n}.`, speaker),
  latency_ms: 1,
});
const end = linesOf('c').at(-1)!;

it('tells events in the order of the specification', async () => {
  const events = await tell(linesOf('c'));
  const order = names(events).filter((name) => name !== 'transition' && name !== 'moment');
  const perUtterance = ['final_transcript', 'emotion', 'cognitive', 'status'];
  expect(order).toEqual([
    'status',
    'status',
    'status',
    ...perUtterance,
    ...perUtterance,
    ...perUtterance.slice(0, 3),
    'status',
    'summary_update',
    'status',
    'done',
  ]);
  expect(events[0]).toEqual({ event: 'status', data: { phase: 'starting', progress: 0 } });
  expect(events.at(-2)).toEqual({ event: 'status', data: { phase: 'completed', progress: 1 } });
});

it('hands the encoding of an utterance to the conversation and to nobody else', () => {
  const heard: (Float32Array | undefined)[] = [];
  class Listening extends Conversation {
    override add(...[utterance, encoding]: Parameters<Conversation['add']>) {
      heard.push(encoding);
      return super.add(utterance, encoding);
    }
  }
  const run = new Run({ ...options, createModel: (given) => new Listening(given) });
  const encoding = packInt8(new Int8Array(ENCODING_DIMENSIONS).fill(127));
  const told = [
    ...run.take({ ...(utterance(0, 'Speaker_0') as UtteranceLine), encoding }),
    ...run.take(utterance(1, 'Speaker_1')),
    ...run.take(end),
  ];
  expect(heard).toEqual([new Float32Array(ENCODING_DIMENSIONS).fill(1), undefined]);
  expect(JSON.stringify([told, run.analysis])).not.toContain('encoding');
});

it('gives every event the shape of its schema', async () => {
  for (const { event, data } of await tell(linesOf('c'))) expect(() => EVENT_SCHEMAS[event].parse(data)).not.toThrow();
});

it('raises progress and reaches 1 only when completed', async () => {
  const progress = (await tell(linesOf('c'))).flatMap((e) => (e.event === 'status' ? [e.data.progress] : []));
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.filter((p) => p === 1)).toHaveLength(1);
});

it('says nothing of progress that falls or hardly rises', () => {
  const run = new Run(options);
  const take = (progress: number) => run.take({ type: 'progress', stage: 'decoding', progress });
  expect(take(0.5)).toHaveLength(1);
  expect(take(0.501)).toEqual([]);
  expect(take(0.2)).toEqual([]);
});

it('keeps the analysis before it tells that it is completed', async () => {
  const seen: string[] = [];
  const events = runToEnd(streamed(linesOf('c')), options, async (analysis) => {
    seen.push(`kept ${analysis.timeline.length}`);
  });
  for await (const { event } of events) seen.push(event);
  expect(seen.slice(-4)).toEqual(['summary_update', 'kept 3', 'status', 'done']);
});

it('tells and keeps the findings as a language model said them', async () => {
  const overview = 'Said better.';
  const refine = async (findings: Findings) => ({ ...findings, summary: { ...findings.summary, overview } });
  const kept: string[] = [];
  const told: ServiceEvent[] = [];
  const events = runToEnd(streamed(linesOf('c')), { ...options, refine }, async (analysis) => {
    kept.push(analysis.findings.summary.overview);
  });
  for await (const event of events) told.push(event);
  expect(kept).toEqual([overview]);
  expect(told.find(({ event }) => event === 'summary_update')?.data).toMatchObject({ overview });
});

it('does not tell done when keeping fails', async () => {
  const seen: string[] = [];
  const failing = runToEnd(streamed(linesOf('c')), options, () => Promise.reject(new Error('disk full')));
  await expect(async () => {
    for await (const { event } of failing) seen.push(event);
  }).rejects.toThrow('disk full');
  expect(seen.at(-1)).toBe('summary_update');
});

it('fails when the lines stop before the end', async () => {
  await expect(tell(linesOf('c').slice(0, -1))).rejects.toMatchObject({ code: 'ANALYSIS_FAILURE' });
});

it('fails with NO_UTTERANCES when nobody spoke', async () => {
  await expect(tell([end])).rejects.toMatchObject({ code: 'NO_UTTERANCES', status: 400 });
});

it('fails with the code of an error line', async () => {
  const line: PipelineLine = { type: 'error', code: 'INVALID_MEDIA', message: 'not audio' };
  await expect(tell([line])).rejects.toEqual(new ServiceError('INVALID_MEDIA', 'not audio'));
});

it('passes partial transcripts on as interim', () => {
  const run = new Run(options);
  expect(run.take({ type: 'partial', partial_id: 'p1', text: 'hello wo', stable_text: 'hello' })).toEqual([
    {
      event: 'partial_transcript',
      data: { partial_id: 'p1', text: 'hello wo', is_final: false, stable_text: 'hello' },
    },
  ]);
});

it('names the partial that a final replaces', () => {
  const run = new Run(options);
  const line: PipelineLine = {
    type: 'utterance',
    entry: timelineEntry('c', 0, 'Hello.'),
    latency_ms: 1,
    partial_id: 'p1',
  };
  expect(run.take(line)[0]).toMatchObject({ event: 'final_transcript', data: { partial_id: 'p1' } });
});

it('concludes over the utterances after a conclude line and tells none of them twice', () => {
  const run = new Run(options);
  expect(names(run.take(utterance(0, 'Speaker_0')))).toContain('final_transcript');
  run.take({ type: 'conclude' });
  expect(names(run.take(utterance(0, 'Speaker_1')))).not.toContain('final_transcript');
  expect(names(run.take(utterance(1, 'Speaker_0')))).toContain('final_transcript');
  run.take(end);
  expect(run.analysis?.timeline.map(({ speaker }) => speaker)).toEqual(['Speaker_1', 'Speaker_0']);
});

it('tells what only the end shows, at the end of a session as at the end of a file', () => {
  const moment = { moment_id: 'c_mom_0', category: 'objection' } as MomentEvent;
  class Late extends Conversation {
    override end() {
      return { transitions: [], moments: [moment] };
    }
  }
  const lateRun = (): Run => {
    const run = new Run({ ...options, createModel: (given) => new Late(given) });
    run.take(utterance(0, 'Speaker_0'));
    return run;
  };
  expect(lateRun().take(end)).toEqual([{ event: 'moment', data: moment }]);
  const live = lateRun();
  expect(live.take({ type: 'conclude' })).toEqual([{ event: 'moment', data: moment }]);
  live.take(utterance(0, 'Speaker_0'));
  expect(live.take(end)).toEqual([]);
});
