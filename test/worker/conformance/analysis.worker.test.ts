import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { linesOf, sayError, write } from '../../../support/fake-pipeline.ts';
import { clear, form, startService, type TestService } from '../../../support/service-under-test.ts';
import { readEvents } from '../../../support/stream-client.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const recording = (fields: Record<string, string> = {}) => form('call.wav', 'media', fields);
const SPEC_RESPONSE = [
  'conversation_id',
  'utterances',
  'timeline',
  'summary',
  'insights',
  'transitions',
  'moments',
  'segmentation',
  'agent_results',
  'artifact_dir',
  'upload_path',
  'agent_outputs_path',
  'goal',
];

describe('batch', () => {
  it('answers every field of AnalysisResponse', async () => {
    const response = await service.post('/analyze', recording({ goal: 'find the price' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toContain('application/json');
    const body = AnalysisResponseSchema.parse(await response.json());
    expect(Object.keys(body)).toEqual(expect.arrayContaining(SPEC_RESPONSE));
    expect(body.goal).toBe('find the price');
    expect(body.utterances).toBe(body.timeline.length);
    expect(body.agent_results.map(({ utterance_id }) => utterance_id)).toEqual(
      body.timeline.map(({ utterance_id }) => utterance_id),
    );
    for (const [n, entry] of body.timeline.entries()) {
      expect(entry.utterance_id).toBe(`${body.conversation_id}_utt_${n}`);
      expect(entry.speaker).toMatch(/^Speaker_\d$/);
    }
    for (const path of [body.upload_path, body.agent_outputs_path])
      expect(path.startsWith(body.artifact_dir)).toBe(true);
  });

  it('echoes an absent goal as empty', async () => {
    const body = AnalysisResponseSchema.parse(await (await service.post('/analyze', recording())).json());
    expect(body.goal).toBe('');
  });

  it('gives every conversation its own id', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const response = await service.post('/analyze', recording());
        return AnalysisResponseSchema.parse(await response.json()).conversation_id;
      }),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('answers 400 when nobody speaks', async () => {
    service.pipeline.answer = sayError('NO_UTTERANCES', 'No utterances detected in uploaded media');
    const response = await service.post('/analyze', recording());
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json())).toMatchObject({
      code: 'NO_UTTERANCES',
      detail: 'No utterances detected in uploaded media',
    });
  });

  it('answers 400 when the pipeline ends without an utterance', async () => {
    service.pipeline.answer = (response, { options }) => {
      write(response, linesOf(options.conversation_id, []));
      response.end();
    };
    const response = await service.post('/analyze', recording());
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json()).code).toBe('NO_UTTERANCES');
  });
});

describe('the query parameter stream', () => {
  it.each(['true', '1', 'TRUE', 'True'])('%s turns the stream on', async (value) => {
    const response = await service.post(`/analyze?stream=${value}`, recording());
    expect(response.headers.get('Content-Type')).toContain('text/event-stream');
    expect((await readEvents(response)).at(-1)?.event).toBe('done');
  });

  it.each(['false', '0', 'FALSE'])('%s leaves it off', async (value) => {
    const response = await service.post(`/analyze?stream=${value}`, recording());
    expect(response.headers.get('Content-Type')).toContain('application/json');
    await response.json();
  });

  it.each(['', 'yes', '2', 'on'])('"%s" is a 400', async (value) => {
    const response = await service.post(`/analyze?stream=${value}`, recording());
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json())).toMatchObject({
      code: 'INVALID_REQUEST',
      detail: expect.stringMatching(/^stream: /),
    });
    expect(await service.objects()).toEqual([]);
  });
});

describe('replay', () => {
  it('opens with a reconnection hint and numbers its events', async () => {
    const response = await service.post('/analyze/stream', recording());
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const text = await response.text();
    expect(text).toMatch(/^retry: \d+\n\n/);
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(ids.map((_, n) => n));
  });

  it('sends events in the order of the specification, done last and once', async () => {
    const events = await readEvents(await service.post('/analyze/stream', recording()));
    const names = events.map(({ event }) => event);
    expect(events[0]?.data).toEqual({ phase: 'starting', progress: 0 });
    expect(names.slice(-3)).toEqual(['summary_update', 'status', 'done']);
    expect(events.at(-2)?.data).toEqual({ phase: 'completed', progress: 1 });
    expect(names.filter((name) => name === 'done')).toHaveLength(1);
    expect(names.filter((name) => name === 'summary_update')).toHaveLength(1);
    expect(names).not.toContain('partial_transcript');
    expect(names).not.toContain('error');
    for (const [i, name] of names.entries())
      if (name === 'final_transcript') expect(names.slice(i + 1, i + 3)).toEqual(['emotion', 'cognitive']);
  });

  it('has the same findings as batch', async () => {
    const events = await readEvents(await service.post('/analyze/stream', recording({ goal: 'price' })));
    const batch = AnalysisResponseSchema.parse(
      await (await service.post('/analyze', recording({ goal: 'price' }))).json(),
    );
    const anonymous = (value: unknown, id: string) => JSON.parse(JSON.stringify(value).replaceAll(id, 'c'));
    const id = events.at(-1)?.data.conversation_id;
    const told = (name: string) =>
      anonymous(
        events.filter(({ event }) => event === name).map(({ data }) => data),
        id,
      );
    const answered = (value: unknown) => anonymous(value, batch.conversation_id);
    expect(told('emotion')).toEqual(answered(batch.timeline.map(({ emotion }) => emotion)));
    expect(told('cognitive').map(({ cognitive_load }: { cognitive_load: string }) => cognitive_load)).toEqual(
      batch.timeline.map(({ load_level }) => load_level),
    );
    expect(told('moment')).toEqual(answered(batch.moments));
    expect(told('summary_update')).toEqual(answered([batch.summary]));
  });

  it.each(['INVALID_MEDIA', 'NO_UTTERANCES', 'ANALYSIS_FAILURE'] as const)('ends with the error %s', async (code) => {
    service.pipeline.answer = sayError(code, `because of ${code}`);
    const events = await readEvents(await service.post('/analyze/stream', recording()));
    const text = expect.stringContaining(`because of ${code}`);
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code, message: text, detail: text } });
    expect(events.map(({ event }) => event)).not.toContain('done');
  });

  it('refuses a bad request by status before the stream begins', async () => {
    const response = await service.post('/analyze/stream', form('call.txt', 'media'));
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json()).code).toBe('UNSUPPORTED_MEDIA');
  });
});
