import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import { REDACTION_KINDS } from '../../src/contract/redaction.ts';
import { linesOf, type PipelineAnswer, sayError, sayEverything, write } from '../../support/fake-pipeline.ts';
import { clear, form, KEY, startService, type TestService } from '../../support/service-under-test.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(async () => {
  service.pipeline.answer = sayEverything;
  await clear(service);
});
afterAll(() => service.stop());

const TONED = Buffer.from('the recording with tones');
/** Answers as a pipeline that has muted something in the recording. */
const sayRedacted: PipelineAnswer = (response, { options }) => {
  const lines = linesOf(options.conversation_id, ['My card is [card].', 'Thank you very much.']);
  const end = lines.at(-1)!;
  if (end.type !== 'end') throw new Error('no end');
  const span = { kind: 'card' as const, t_start: 1, t_end: 2 };
  const muted = [{ t_start: 0.75, t_end: 2.25 }];
  const found = { kinds: options.redact ?? [], counts: { card: 1 }, spans: [span], muted, verified: true, notes: [] };
  write(response, [
    ...lines.slice(0, -1),
    { ...end, playback: { ...end.playback!, recording: TONED }, redaction: { report: found, isSaidIn: () => false } },
  ]);
  response.end();
};

const recording = (redact: string) => form('call.wav', 'the original', { redact });
const media = async (id: string, query = '') => {
  const answer = await fetch(new URL(`/conversations/${id}/media${query}`, service.url), {
    headers: { 'X-API-Key': KEY },
  });
  return answer.text();
};

it.each([
  ['a list in JSON', '["phone", "card"]'],
  ['names separated by commas', 'phone, card'],
])('takes the kinds as %s', async (_, redact) => {
  await (await service.post('/analyze', recording(redact))).text();
  expect(service.pipeline.seen.at(-1)!.options.redact).toEqual(['card', 'phone']);
});

it('refuses an unknown kind with the list of all', async () => {
  const answer = await service.post('/analyze', recording('card,shoes'));
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { detail: string }).detail).toBe(
    `redact.1: "shoes" is not a kind of redaction: ${REDACTION_KINDS.join(', ')}`,
  );
  expect(service.pipeline.seen).toHaveLength(0);
});

it('stores the recording with tones in place of the original, and the report in the result', async () => {
  service.pipeline.answer = sayRedacted;
  const answer = await service.post('/analyze', recording('card'));
  const { conversation_id: id, redaction } = (await answer.json()) as AnalysisResponse;
  expect(redaction).toMatchObject({ kinds: ['card'], counts: { card: 1 }, verified: true });
  for (const query of ['', '?original=true']) expect(await media(id, query)).toBe(String(TONED));
  expect((await service.objects()).filter((key) => key.includes('/upload'))).toHaveLength(1);

  service.pipeline.seen.length = 0;
  service.pipeline.answer = sayEverything;
  const again = await service.post(`/conversations/${id}/reanalyze`, JSON.stringify({ redact: ['phone'] }), {
    'Content-Type': 'application/json',
  });
  expect(again.status).toBe(200);
  await again.text();
  expect(service.pipeline.seen[0]).toMatchObject({ bytes: TONED.length, options: { redact: ['card', 'phone'] } });
});

/** Answers with tones, and disappears within a document, numbered from 0. */
const cutWithin =
  (document: number): PipelineAnswer =>
  (response, seen) => {
    const send = response.write.bind(response);
    let left = Number.POSITIVE_INFINITY;
    response.write = ((chunk: Uint8Array | string) => {
      if (response.destroyed) return false;
      if (left-- <= 0) {
        send(Buffer.from(chunk).subarray(0, Math.floor(chunk.length / 2)));
        response.destroy();
        return false;
      }
      if (String(chunk).includes('"type":"result"')) left = document;
      return send(chunk);
    }) as typeof response.write;
    return sayRedacted(response, seen);
  };

it.each([
  ['the findings', '/analyze', 0],
  ['the recording with tones', '/analyze/stream', 2],
  ['the result', '/analyze', 4],
])(
  'keeps nothing of a recording that was to be redacted when its pipeline disappears within %s',
  async (_, path, at) => {
    service.pipeline.answer = cutWithin(at);
    const text = await (await service.post(path, recording('card'))).text();
    expect(text).toContain('ANALYSIS_FAILURE');
    await vi.waitFor(async () => expect(await service.objects()).toEqual([]));
    for (const key of await service.stored()) expect(await service.text(key)).not.toContain('My card');
  },
);

it.each([
  ['the pipeline fails', sayError('ANALYSIS_FAILURE', 'Analysis failed')],
  ['the pipeline disappears', ((response) => void response.destroy()) as PipelineAnswer],
])('keeps nothing of a recording that was to be redacted when %s', async (_, answer) => {
  service.pipeline.answer = answer;
  const response = await service.post('/analyze', recording('card'));
  expect(response.status).toBe(500);
  expect(await response.json()).not.toHaveProperty('conversation_id');
  expect(await service.objects()).toEqual([]);
});

it('redacts what its tenant redacts, and what the request adds', async () => {
  const made = await service.admin('POST', '/tenants', { name: 'Bank' });
  const { id: tenant } = (await made.json()) as { id: string };
  const { key } = await service.issue({ tenant });
  const patched = await service.admin('PATCH', `/tenants/${tenant}`, { redact: ['card'] });
  expect(await patched.json()).toMatchObject({ redact: ['card'] });
  await (await service.post('/analyze', recording('phone'), { 'X-API-Key': key })).text();
  expect(service.pipeline.seen.at(-1)!.options.redact).toEqual(['card', 'phone']);
  await (await service.post('/analyze', form('call.wav', 'the original', {}), { 'X-API-Key': key })).text();
  expect(service.pipeline.seen.at(-1)!.options.redact).toEqual(['card']);
});

describe('a tenant that keeps the original', () => {
  const SAID = [{ t_start: 1, t_end: 2, text: 'My card is 4242.' }];
  const sayKept: PipelineAnswer = (response, { options }) => {
    const lines = linesOf(options.conversation_id, ['My card is [card].']);
    const end = lines.at(-1)!;
    if (end.type !== 'end') throw new Error('no end');
    const report = {
      kinds: options.redact ?? [],
      counts: { card: 1 },
      spans: [],
      muted: [],
      verified: true,
      notes: [],
    };
    const playback = { ...end.playback!, recording: TONED };
    write(response, [
      ...lines.slice(0, -1),
      { ...end, playback, redaction: { report, originals: SAID, isSaidIn: () => false } },
    ]);
    response.end();
  };
  const ask = (path: string, key: string, method = 'GET') =>
    fetch(new URL(path, service.url), { method, headers: { 'X-API-Key': key } });

  it('has it apart: for keys with a scope of its own, in the log, and gone with the conversation', async () => {
    const { id: tenant } = (await (await service.admin('POST', '/tenants', { name: 'Court' })).json()) as {
      id: string;
    };
    await service.admin('PATCH', `/tenants/${tenant}`, { redact: ['card'], keep_original: true });
    const { key } = await service.issue({ tenant });
    const { key: reader } = await service.issue({ tenant, scopes: ['unredacted'] });
    const { key: manager } = await service.issue({ tenant, scopes: ['admin'] });
    service.pipeline.answer = sayKept;
    const answer = await service.post('/analyze', form('call.wav', 'the original', {}), { 'X-API-Key': key });
    const { conversation_id: id } = (await answer.json()) as AnalysisResponse;
    expect(service.pipeline.seen.at(-1)!.options.keep_original).toBe(true);

    // A second redaction does not replace the original by the recording with tones.
    const again = await fetch(new URL(`/conversations/${id}/redact`, service.url), {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ kinds: ['phone'] }),
    });
    expect(again.status, await again.clone().text()).toBe(200);
    expect(await (await ask(`/conversations/${id}/unredacted/media`, reader)).text()).toBe('the original');
    const words = await (await ask(`/conversations/${id}/unredacted`, reader)).json();
    expect(words).toEqual({ conversation_id: id, utterances: [...SAID, ...SAID], has_recording: true });

    // Nothing else shows it.
    for (const path of ['', '/record', '/export?format=json', '/media?original=true', '/events'])
      expect(await (await ask(`/conversations/${id}${path}`, key)).text()).not.toMatch(/4242|the original/);
    for (const path of ['/unredacted', '/unredacted/media'])
      expect((await ask(`/conversations/${id}${path}`, key)).status).toBe(403);
    expect((await ask(`/conversations/${id}`, reader)).status).toBe(403);
    // A manager cannot make such a key.
    const made = await fetch(new URL('/keys', service.url), {
      method: 'POST',
      headers: { 'X-API-Key': manager, 'Content-Type': 'application/json' },
      body: JSON.stringify({ label: 'mine', scopes: ['unredacted'] }),
    });
    expect(made.status).toBe(403);

    await vi.waitFor(async () => {
      const log = (await (await service.admin('GET', `/access-log?tenant=${tenant}&conversation_id=${id}`)).json()) as {
        entries: { act: string; route: string; requests: number }[];
      };
      const acts = log.entries
        .filter(({ route }) => route.includes('unredacted'))
        .map(({ act, requests }) => [act, requests]);
      expect(acts).toEqual(
        expect.arrayContaining([
          ['unredacted', 1],
          ['unredacted', 1],
          ['refused', 2],
        ]),
      );
    }, 10_000);

    expect((await service.objects()).filter((name) => name.includes('/unredacted/'))).toHaveLength(3);
    expect((await ask(`/conversations/${id}`, key, 'DELETE')).status).toBe(200);
    expect((await service.objects()).filter((name) => name.includes(id))).toEqual([]);
  }, 60_000);

  it('keeps nothing of an analysis that fails', async () => {
    const { id: tenant } = (await (await service.admin('POST', '/tenants', { name: 'Fails' })).json()) as {
      id: string;
    };
    await service.admin('PATCH', `/tenants/${tenant}`, { redact: ['card'], keep_original: true });
    const { key } = await service.issue({ tenant });
    service.pipeline.answer = sayError('ANALYSIS_FAILURE', 'Analysis failed');
    const answer = await service.post('/analyze', form('call.wav', 'the original', {}), { 'X-API-Key': key });
    expect(answer.status).toBe(500);
    expect((await service.objects()).filter((name) => name.startsWith(`${tenant}/`))).toEqual([]);
  });
});
