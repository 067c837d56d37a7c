import { expect, it } from 'vitest';
import type { ServiceEvent } from '../../../src/contract/events.ts';
import { ndjsonLine } from '../../../src/contract/ndjson.ts';
import type { EventLine, PipelineLine } from '../../../src/contract/pipeline.ts';
import { Refinement } from '../../../src/worker/analysis/refinement.ts';
import { readLive } from '../../../src/worker/live/analysis.ts';
import { PipelineReader } from '../../../src/worker/pipeline/reader.ts';

const final = (n: number, text: string): EventLine => ({
  type: 'event',
  n,
  event: 'final_transcript',
  data: { utterance_id: `c_utt_${n}`, speaker: 'Speaker_0', t_start: n, t_end: n + 1, text },
  latency_ms: 1,
});
const partial = (text: string): EventLine => ({
  type: 'event',
  event: 'partial_transcript',
  data: { partial_id: 'p', text, is_final: false, stable_text: '' },
});
const END = [
  { type: 'event', n: 2, event: 'summary_update', data: { overview: 'Built in.' } },
  { type: 'result', audio_seconds: 6, documents: [] },
] as unknown as PipelineLine[];

/** Events and results of a session's lines when `had` of its events are stored. */
async function carry(lines: PipelineLine[], had = 0, refinement = new Refinement(undefined)) {
  const told: string[] = [];
  const done: string[] = [];
  const texts = (events: readonly ServiceEvent[]) =>
    events.map(({ data }) => ('overview' in data ? data.overview : ''));
  const reader = new PipelineReader(new Blob(lines.map(ndjsonLine)).stream(), 1000);
  await readLive(reader, had, refinement, {
    event: ({ data }) => told.push('text' in data ? data.text : '?'),
    moving: () => void done.push('moving'),
    behind: (seconds) => void done.push(`behind ${seconds}`),
    transcription: ({ key }) => void done.push(`transcription ${key}`),
    utterance: () => undefined,
    progress: (progress, expectedS) => void done.push(`progress ${[progress, expectedS ?? []].flat().join(', ')}`),
    store: async (_, __, refined, last) => void done.push(`store ${texts(last)} ${Object.keys(refined)}`),
    concluded: (last) => void done.push(`concluded ${texts(last)}`),
  });
  return { told, done };
}

it('reports how far the pipeline is behind', async () => {
  const alive = [{ type: 'alive', behind_s: 1.5 }, { type: 'alive' }] as PipelineLine[];
  expect((await carry([...alive, ...END])).done[0]).toBe('behind 1.5');
});

it('passes every transcription on, also those before stored events', async () => {
  const transcription = { type: 'transcription', key: 'a', end_s: 1, output: {} } as const;
  expect((await carry([transcription, final(0, 'One.'), ...END], 2)).done[0]).toBe('transcription a');
});

it('passes events on, and the summary together with the result', async () => {
  const { told, done } = await carry([partial('On'), final(0, 'One.'), final(1, 'Two.'), ...END]);
  expect(told).toEqual(['On', 'One.', 'Two.']);
  expect(done).toEqual(['store Built in. ', 'concluded Built in.']);
});

it('skips stored events by number, and interim text before them', async () => {
  const lines = [partial('On'), final(0, 'One.'), partial('Tw'), final(1, 'Two.'), partial('Th'), ...END];
  expect((await carry(lines, 1)).told).toEqual(['Tw', 'Two.', 'Th']);
  expect((await carry(lines, 2)).told).toEqual(['Th']);
});

it('passes on and stores the findings of a language model', async () => {
  const better = { summary: { overview: 'Better.' }, segmentation: { phases: [] }, moments: [], key_moments: [] };
  const refinement = new Refinement((async () => better) as never);
  const material = { type: 'material', transcript: [], summary: {}, segmentation: {} } as unknown as PipelineLine;
  await refinement.refine(material as never);
  const { done } = await carry([final(0, 'One.'), ...END], 0, refinement);
  expect(done).toEqual(['store Better. summary,segmentation,moments,key_moments,sentences', 'concluded Better.']);
});

it('reports the progress of final processing', async () => {
  const progress: EventLine = { type: 'event', event: 'status', data: { phase: 'processing', progress: 0.5 } };
  expect((await carry([progress, ...END])).done[0]).toBe('progress 0.5');
  const begun: EventLine = { ...progress, data: { phase: 'processing', progress: 0, expected_s: 3 } };
  expect((await carry([begun, ...END])).done[0]).toBe('progress 0, 3');
});

it('fails with the code of an error line, and when the lines stop', async () => {
  await expect(carry([{ type: 'error', code: 'NO_UTTERANCES', message: 'nobody' }])).rejects.toMatchObject({
    code: 'NO_UTTERANCES',
  });
  await expect(carry([final(0, 'One.')])).rejects.toThrow('stopped before it finished');
});

it('tells that the session should go on in another container, and reads on', async () => {
  const { told, done } = await carry([final(0, 'One.'), { type: 'moving' }, final(1, 'Two.'), ...END]);
  expect(done[0]).toBe('moving');
  expect(told).toEqual(['One.', 'Two.']);
});
