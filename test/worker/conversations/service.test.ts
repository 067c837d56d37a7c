import { createParser } from 'eventsource-parser';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import {
  type ConversationEntry,
  ConversationListSchema,
  type ConversationRecordBody,
  ConversationRecordSchema,
  type DeletionReceipt,
  DeletionReceiptSchema,
  type Edit,
} from '../../../src/contract/conversations.ts';
import { EVENT_SCHEMAS, type ServiceEvent } from '../../../src/contract/events.ts';
import { LevelsSchema } from '../../../src/contract/media.ts';
import { captions } from '../../../src/worker/conversations/exports/captions.ts';
import { EXPORTS } from '../../../src/worker/conversations/exports/formats.ts';
import { linesOf, SPOKEN, sayError, sayEverything, sayHalf, write } from '../fake-pipeline.ts';
import { form, KEY, OTHER_KEY, startService, type TestService } from '../worker-under-test.ts';
import { appliedTo } from './applied-to.ts';

const MEDIA = 'RIFF, some bytes, WAVE, and so on';

type Rows = Record<string, Record<string, unknown>[]>;
interface Objects {
  TENANT: {
    get(id: unknown): {
      dump(): Promise<Rows>;
      loseCatalogue(): Promise<void>;
      live(id: string, media: string, isOver: boolean): Promise<void>;
      workflow(id: string): Promise<string | null>;
    };
    idFromName(name: string): unknown;
  };
}

let service: TestService;
beforeAll(async () => {
  service = await startService({}, '', 'test/worker/conversations/dump-worker.ts');
});
afterAll(() => service.stop());
afterEach(() => {
  service.pipeline.answer = sayEverything;
});

interface Answer<T> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}
const JSON_TYPE = { 'Content-Type': 'application/json' };
async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const answer = await fetch(new URL(path, service.url), {
    method,
    headers: { 'X-API-Key': KEY, ...(body !== undefined && JSON_TYPE), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('Content-Type') === 'application/json' && text !== '';
  return { status: answer.status, headers: answer.headers, text, body: (isJson ? JSON.parse(text) : null) as T };
}
const get = <T = unknown>(path: string, headers?: Record<string, string>) => ask<T>('GET', path, undefined, headers);
const of = (id: string, what = '') => `/conversations/${id}${what}`;
const shown = async (id: string): Promise<AnalysisResponse> => (await get<AnalysisResponse>(of(id))).body;

async function analysed(filename = 'A call.wav', fields: Record<string, string> = {}, key = KEY) {
  const answer = await service.post('/analyze', form(filename, MEDIA, fields), { 'X-API-Key': key });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const result = JSON.parse(text) as AnalysisResponse;
  const [tenant = ''] = result.artifact_dir.split('/');
  return { id: result.conversation_id, text, result, tenant };
}
async function listed(query = '', key = KEY): Promise<ConversationEntry[]> {
  const { body } = await get(`/conversations${query}`, { 'X-API-Key': key });
  return ConversationListSchema.parse(body).conversations;
}
async function changed(method: string, path: string, body?: object): Promise<ConversationRecordBody> {
  const answer = await ask(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return ConversationRecordSchema.parse(answer.body);
}
const edited = (id: string, edit: Edit) => changed('PATCH', of(id), edit);
const undone = (id: string) => changed('POST', of(id, '/undo'));

describe('a conversation', () => {
  it('is listed and found again as it was answered', async () => {
    const { id, text, result } = await analysed('Renewal with Acme.wav', { goal: 'Why do they leave?' });
    const [entry] = await listed();
    expect(entry).toMatchObject({
      conversation_id: id,
      status: 'completed',
      mode: 'batch',
      title: 'Renewal with Acme',
      filename: 'Renewal with Acme.wav',
      goal: 'Why do they leave?',
      labels: [],
      error: null,
      expires_at: null,
      result: { utterances: SPOKEN.length, duration_s: result.media.duration_s },
    });
    expect(entry!.stored_bytes).toBeGreaterThan(text.length);
    const stored = await get(of(id));
    expect(stored.text).toBe(text);
    expect((await get(of(id), { 'If-None-Match': stored.headers.get('ETag')! })).status).toBe(304);
    const [found] = await listed('?q=tuesday');
    expect(found!.matches).toMatchObject([{ utterance_id: `${id}_utt_2`, text: SPOKEN[2] }]);
    expect((await listed('?q=renewal')).map((c) => c.conversation_id)).toContain(id);
  });

  it('of a replay is listed before its last event is told', async () => {
    const answer = await service.post('/analyze/stream', form('replayed.wav', MEDIA));
    expect(await answer.text()).toContain('event: done');
    expect((await listed('?mode=replay'))[0]).toMatchObject({ title: 'replayed', status: 'completed' });
  });

  it('is listed while it is analysed, and when it is cancelled', async () => {
    service.pipeline.answer = sayHalf;
    const begun = await service.post('/analyze', form('slow.wav', MEDIA), { Prefer: 'respond-async' });
    expect(begun.status).toBe(202);
    const path = begun.headers.get('Location')!;
    const id = path.split('/').at(-1)!;
    expect((await listed('?status=processing')).map((c) => c.conversation_id)).toEqual([id]);
    expect((await get<{ status: string }>(path)).body.status).toMatch(/queued|running/);
    for (const what of ['/media', '/events', '/export?format=txt', '/levels'])
      expect((await get<{ code: string }>(of(id, what))).body.code).toBe('NOT_COMPLETED');
    expect((await ask<{ code: string }>('PATCH', of(id), { speakers: { Speaker_0: 'Ann' } })).body.code).toBe(
      'NOT_COMPLETED',
    );
    expect((await edited(id, { title: 'To be' })).title).toBe('To be');
    await ask('POST', `${path}/cancel`);
    expect((await listed('?status=cancelled'))[0]).toMatchObject({ conversation_id: id, title: 'To be', result: null });
    expect((await get<{ status: string }>(path)).body.status).toBe('cancelled');
  });

  it('that failed is listed with its reason, and nothing else is left of it', async () => {
    const before = await service.stored();
    service.pipeline.answer = sayError('NO_UTTERANCES', 'No utterances detected in uploaded media');
    expect((await service.post('/analyze', form('silence.wav', MEDIA))).status).toBe(400);
    const [entry] = await listed('?status=failed');
    expect(entry).toMatchObject({
      title: 'silence',
      result: null,
      error: { code: 'NO_UTTERANCES', message: 'No utterances detected in uploaded media' },
    });
    const left = (await service.stored()).filter((key) => !before.includes(key));
    expect(left).toEqual([expect.stringMatching(new RegExp(`/records/${entry!.conversation_id}\\.json$`))]);
  });

  it('that was refused, or left by its sender, never was', async () => {
    const before = await listed();
    expect((await service.post('/analyze', form('a.txt', MEDIA))).status).toBe(400);
    service.pipeline.answer = sayHalf;
    const leave = new AbortController();
    const replay = await fetch(new URL('/analyze/stream', service.url), {
      method: 'POST',
      headers: { 'X-API-Key': KEY },
      body: form('left.wav', MEDIA),
      signal: leave.signal,
    });
    await replay.body!.getReader().read();
    expect(await listed()).toHaveLength(before.length + 1);
    leave.abort();
    await vi.waitFor(async () => expect(await listed()).toEqual(before), 20_000);
  });

  it('of another tenant is not there', async () => {
    const { id } = await analysed('other.wav', {}, OTHER_KEY);
    expect((await listed()).map((c) => c.conversation_id)).not.toContain(id);
    for (const what of ['', '/record', '/media', '/levels', '/events', '/export?format=txt'])
      expect((await get(of(id, what))).status).toBe(404);
    for (const [method, what, body] of [
      ['PATCH', '', { title: 'x' }],
      ['POST', '/undo'],
      ['POST', '/feedback', { line: 'x', thumb: 'up' }],
      ['POST', '/reanalyze', {}],
      ['DELETE', ''],
    ] as const)
      expect((await ask(method, of(id, what), body)).status).toBe(404);
    expect((await listed('', OTHER_KEY)).map((c) => c.conversation_id)).toEqual([id]);
  });

  it('is asked for wrongly in plain words', async () => {
    const { id } = await analysed();
    for (const [path, place] of [
      ['/conversations?limit=0', 'limit'],
      ['/conversations?cursor=x', 'cursor'],
      ['/conversations?q=-', 'q'],
      ['/conversations?created_after=yesterday', 'created_after'],
      [of(id, '/export'), 'format'],
      [of(id, '/export?format=doc'), 'format'],
      [of(id, '/events?speed=0'), 'speed'],
      [of(id, '/media?original=maybe'), 'original'],
    ] as const) {
      const answer = await get<{ detail: string }>(path);
      expect([path, answer.status, answer.body.detail]).toEqual([path, 400, expect.stringContaining(`${place}: `)]);
    }
  });
});

describe('edits', () => {
  it('show everywhere at once, and undone give the bytes of before', async () => {
    const { id, result, text } = await analysed('edited.wav');
    const named = await edited(id, {
      title: 'A big deal',
      labels: ['q3', 'churn'],
      speakers: { Speaker_0: 'Ann', Speaker_1: 'Bob' },
    });
    expect(named).toMatchObject({
      title: 'A big deal',
      labels: ['q3', 'churn'],
      names: { Speaker_0: 'Ann', Speaker_1: 'Bob' },
    });
    const first = (await get(of(id))).text;
    const speakers = { Speaker_0: 'Ann', Speaker_1: 'Bob' };
    expect(first).toBe(JSON.stringify(appliedTo(result, { speakers })));
    expect(first).not.toMatch(/Speaker_\d/);
    expect((await listed('?q=bob'))[0]).toMatchObject({
      conversation_id: id,
      result: { speakers: [{ name: 'Ann' }, { name: 'Bob' }] },
    });
    expect((await listed('?label=churn')).map((c) => c.conversation_id)).toEqual([id]);
    for (const format of Object.keys(EXPORTS)) {
      const { text: file } = await get(of(id, `/export?format=${format}`));
      expect(file).toContain('Ann');
      expect(file).not.toMatch(/Speaker(\\)?_\d/);
    }
    expect((await get(of(id, '/events'))).text).not.toMatch(/Speaker_\d/);

    const move = [{ utterance_id: `${id}_utt_2`, speaker: 'Speaker_1' }];
    await edited(id, { move });
    expect(await shown(id)).toEqual(appliedTo(result, { speakers }, { move }));
    await edited(id, { merge: [['Speaker_1', 'Speaker_0']] });
    const merged = await shown(id);
    expect(merged.timeline.map(({ speaker }) => speaker)).toEqual(['Ann', 'Ann', 'Ann']);
    expect((await get(of(id, '/events'))).text).not.toContain('Bob');
    expect((await get(of(id, '/export?format=json'))).text).toBe(JSON.stringify(merged));

    await undone(id);
    await undone(id);
    expect((await get(of(id))).text).toBe(first);
    expect(await undone(id)).toMatchObject({ title: 'edited', labels: [], names: {}, edits: [] });
    expect((await get(of(id))).text).toBe(text);
    expect((await listed('?q=bob')).map((c) => c.conversation_id)).not.toContain(id);
    expect((await ask<{ code: string }>('POST', of(id, '/undo'))).body.code).toBe('NOTHING_TO_UNDO');
    expect((await service.stored()).filter((key) => key.includes(`${id}/edited-`))).toEqual([]);
  });

  it('that do not fit are refused with their place, and change nothing', async () => {
    const { id, text } = await analysed();
    for (const [edit, place] of [
      [{}, 'nothing to change'],
      [{ speakers: { Speaker_5: 'Ann' } }, 'speakers.Speaker_5'],
      [{ speakers: { Speaker_0: 'Ann', Speaker_1: 'Ann' } }, 'speakers.Speaker_1'],
      [{ merge: [['Speaker_0', 'Speaker_0']] }, 'merge.0'],
      [{ merge: [['Speaker_0']] }, 'merge.0'],
      [{ move: [{ utterance_id: 'x', speaker: 'Speaker_0' }] }, 'move.0.utterance_id'],
      [{ title: '\u0007' }, 'title'],
      [{ retention_days: 0 }, 'retention_days'],
    ] as const) {
      const answer = await ask<{ detail: string }>('PATCH', of(id), edit);
      expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(place)]);
    }
    expect((await get(of(id))).text).toBe(text);
    expect((await get<ConversationRecordBody>(of(id, '/record'))).body.edits).toEqual([]);
  });

  it('of many at once are made one after the other', async () => {
    const { id } = await analysed();
    const names = ['Ann', 'Bob', 'Cid'];
    const answers = await Promise.all(names.map((name) => ask('PATCH', of(id), { speakers: { Speaker_0: name } })));
    const made = answers.filter(({ status }) => status === 200).length;
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    const record = (await get<ConversationRecordBody>(of(id, '/record'))).body;
    expect(record.edits).toHaveLength(made);
    expect((await shown(id)).timeline[0]!.speaker).toBe(record.names.Speaker_0);
    expect((await service.stored()).filter((key) => key.includes(`${id}/edited-`))).toHaveLength(1);
  });
});

describe('a recording', () => {
  it('comes whole or in the range that is asked for', async () => {
    const { id } = await analysed();
    const whole = await get(of(id, '/media'));
    expect([whole.status, whole.text]).toEqual([200, MEDIA]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      'content-length': String(MEDIA.length),
      'x-content-type-options': 'nosniff',
    });
    const etag = whole.headers.get('ETag')!;
    const last = MEDIA.length - 1;
    for (const [range, from, to] of [
      ['bytes=0-3', 0, 3],
      ['bytes=6-', 6, last],
      ['bytes=-5', last - 4, last],
      [`bytes=6-${last + 99}`, 6, last],
      [`bytes=-${last + 99}`, 0, last],
    ] as const) {
      const part = await get(of(id, '/media'), { Range: range });
      expect([range, part.status, part.text]).toEqual([range, 206, MEDIA.slice(from, to + 1)]);
      expect(part.headers.get('Content-Range')).toBe(`bytes ${from}-${to}/${MEDIA.length}`);
      expect(part.headers.get('Content-Length')).toBe(String(to - from + 1));
    }
    for (const range of [`bytes=${MEDIA.length}-`, 'bytes=-0']) {
      const beyond = await get(of(id, '/media'), { Range: range });
      expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, `bytes */${MEDIA.length}`]);
    }
    for (const range of ['bytes=3-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b'])
      expect((await get(of(id, '/media'), { Range: range })).text).toBe(MEDIA);
    expect((await get(of(id, '/media'), { Range: 'bytes=0-3', 'If-Range': etag })).status).toBe(206);
    expect((await get(of(id, '/media'), { Range: 'bytes=0-3', 'If-Range': '"other"' })).text).toBe(MEDIA);
    expect((await get(of(id, '/media'), { 'If-Match': '"other"' })).status).toBe(412);
    const head = await ask('HEAD', of(id, '/media'), undefined, { Range: 'bytes=0-3' });
    expect([head.status, head.text, head.headers.get('Content-Length')]).toEqual([206, '', '4']);
  });
});

describe('a recording that browsers would not play', () => {
  const RENDITION = 'Opus in WebM, as some more bytes';

  it('comes as its rendition, whole or in ranges, and as it was sent when that is asked for', async () => {
    service.pipeline.answer = (response, { options }) => {
      const lines = linesOf(options.conversation_id).map((line) =>
        line.type === 'end' && line.playback
          ? { ...line, playback: { ...line.playback, rendition: Buffer.from(RENDITION) } }
          : line,
      );
      write(response, lines);
      response.end();
    };
    const { id } = await analysed();
    const whole = await get(of(id, '/media'));
    expect([whole.status, whole.text]).toEqual([200, RENDITION]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/webm; codecs=opus',
      'accept-ranges': 'bytes',
      'content-length': String(RENDITION.length),
      'x-content-type-options': 'nosniff',
    });
    const part = await get(of(id, '/media'), { Range: 'bytes=5-6' });
    expect([part.status, part.text]).toEqual([206, RENDITION.slice(5, 7)]);
    expect(part.headers.get('Content-Range')).toBe(`bytes 5-6/${RENDITION.length}`);
    expect((await get(of(id, '/media'), { Range: `bytes=${RENDITION.length}-` })).status).toBe(416);
    const sent = await get(of(id, '/media?original=true'));
    expect([sent.text, sent.headers.get('Content-Type')]).toEqual([MEDIA, 'audio/wav']);
    const levels = LevelsSchema.parse((await get(of(id, '/levels'))).body);
    expect(Buffer.from(levels.channels[0]!, 'base64')).toHaveLength(SPOKEN.length * 40);
    // One that is deleted leaves no rendition, either.
    const { body } = await ask<DeletionReceipt>('DELETE', of(id));
    expect(body.objects.map(({ key }) => key.split('/').at(-1))).toContain('rendition.webm');
    expect((await service.stored()).filter((key) => key.includes(id))).toEqual([]);
  });
});

describe('events', () => {
  interface Told {
    id: number;
    event: ServiceEvent['event'];
    data: unknown;
  }
  async function told(path: string, headers: Record<string, string> = {}): Promise<Told[]> {
    const events: Told[] = [];
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        const name = event as ServiceEvent['event'];
        events.push({ id: Number(id), event: name, data: EVENT_SCHEMAS[name].parse(JSON.parse(data)) });
      },
    });
    const answer = await get(path, headers);
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
    parser.feed(answer.text);
    return events;
  }

  it('are told again as they were told', async () => {
    const first = await service.post('/analyze/stream', form('call.wav', MEDIA));
    const original = (await first.text()).replace(/^: .*\n\n/gm, '');
    const [{ conversation_id: id }] = (await listed('?mode=replay')) as [ConversationEntry];
    expect((await get(of(id, '/events'))).text.replace(/^: .*\n\n/gm, '')).toBe(original);
  });

  it('go on after the last that a client has, and are over after the last', async () => {
    const { id } = await analysed();
    const all = await told(of(id, '/events'));
    expect(all.map((event) => event.id)).toEqual(all.map((_, i) => i));
    expect(all.at(-1)).toMatchObject({ event: 'done' });
    expect(await told(of(id, '/events'), { 'Last-Event-ID': '4' })).toEqual(all.slice(5));
    expect((await get(of(id, '/events'), { 'Last-Event-ID': String(all.length - 1) })).status).toBe(204);
    expect((await get(of(id, '/events'), { 'Last-Event-ID': 'x' })).status).toBe(400);
    expect((await ask('HEAD', of(id, '/events'))).status).toBe(200);
  });

  it('come at the speed that is asked for', async () => {
    const { id, result } = await analysed();
    const begun = performance.now();
    const all = await told(of(id, '/events?speed=5'));
    // Not sooner; how much later is the machine's affair.
    expect(performance.now() - begun).toBeGreaterThanOrEqual((result.timeline.at(-1)!.t_end * 1000) / 5 - 20);
    expect(all).toEqual(await told(of(id, '/events')));
  });
});

describe('exports', () => {
  it('are files with a name and a type', async () => {
    const { id, result } = await analysed('Ümlaut & Söhne.wav');
    for (const [format, { extension, contentType }] of Object.entries(EXPORTS)) {
      const { status, headers, text } = await get(of(id, `/export?format=${format}`));
      expect([format, status, headers.get('Content-Type')]).toEqual([format, 200, contentType]);
      expect(headers.get('Content-Disposition')).toBe(`attachment; filename="Umlaut--Sohne${extension}"`);
      for (const said of SPOKEN) expect(text.replace(/\s+/g, ' ')).toContain(said.split(' ').slice(0, 3).join(' '));
    }
    const vtt = (await get(of(id, '/export?format=vtt'))).text;
    expect(vtt.match(/-->/g)).toHaveLength(captions(result.timeline).length);
  });
});

describe('a thumb', () => {
  it('is kept with what it is on, until it is taken back', async () => {
    const { id, result } = await analysed();
    const [moment] = result.moments;
    const on = { utterance_id: `${id}_utt_1` };
    await changed('POST', of(id, '/feedback'), { ...on, thumb: 'down', comment: 'Not quite.' });
    const line = result.summary.overview;
    const record = await changed('POST', of(id, '/feedback'), { line, thumb: 'up' });
    expect(record.feedback).toMatchObject([
      { kind: 'utterance', on: on.utterance_id, thumb: 'down', comment: 'Not quite.', text: SPOKEN[1] },
      { kind: 'line', on: line, thumb: 'up', text: line },
    ]);
    if (moment) {
      const with_ = await changed('POST', of(id, '/feedback'), { moment_id: moment.moment_id, thumb: 'up' });
      expect(with_.feedback.at(-1)).toMatchObject({ kind: 'moment', text: moment.summary });
    }
    const other = await changed('POST', of(id, '/feedback'), { ...on, thumb: 'up' });
    expect(other.feedback.filter((f) => f.kind === 'utterance')).toMatchObject([{ thumb: 'up', comment: '' }]);
    const none = await changed('POST', of(id, '/feedback'), { ...on, thumb: null });
    expect(none.feedback.filter((f) => f.kind === 'utterance')).toEqual([]);
    for (const wrong of [
      { thumb: 'up' },
      { ...on, line, thumb: 'up' },
      { utterance_id: 'x', thumb: 'up' },
      { line: 'x', thumb: 'up' },
      { ...on, thumb: 'sideways' },
    ])
      expect((await ask('POST', of(id, '/feedback'), wrong)).status).toBe(400);
  });
});

describe('an analysis anew', () => {
  it('takes the place of that of before: title, labels and the recording stay', async () => {
    const { id, text, tenant } = await analysed('again.wav', { goal: 'First?' });
    await edited(id, { title: 'Kept', labels: ['a'], speakers: { Speaker_0: 'Ann' } });
    await changed('POST', of(id, '/feedback'), { utterance_id: `${id}_utt_0`, thumb: 'up' });
    const before = service.pipeline.seen.length;
    const anew = await ask<AnalysisResponse>('POST', of(id, '/reanalyze'), { speakers: 2, goal: 'Second?' });
    expect(anew.status, anew.text).toBe(200);
    expect(service.pipeline.seen.slice(before).map(({ options, bytes }) => ({ ...options, bytes }))).toMatchObject([
      { conversation_id: id, speakers: 2, goal: 'Second?', bytes: MEDIA.length },
    ]);
    const now = await get(of(id));
    expect(now.text).toBe(anew.text);
    expect(now.text).not.toBe(text);
    expect(anew.body).toMatchObject({ conversation_id: id, goal: 'Second?', artifact_dir: `${tenant}/${id}_1/` });
    const record = (await get<ConversationRecordBody>(of(id, '/record'))).body;
    expect(record).toMatchObject({
      title: 'Kept',
      labels: ['a'],
      names: {},
      reanalysis: { status: 'completed', conversation_id: id },
    });
    expect(record.feedback).toMatchObject([{ text: SPOKEN[0] }]);
    expect((await get(of(id, '/media'))).text).toBe(MEDIA);
    expect((await get(of(id, '/events'))).text).toContain(`"conversation_id":"${id}"`);
    const left = (await service.stored()).filter((key) => key.includes(id)).sort();
    expect(left).toEqual(
      [
        `${id}/upload.wav`,
        `${id}_1/agent_outputs.json`,
        `${id}_1/events.ndjson`,
        `${id}_1/levels.json`,
        `${id}_1/result.json`,
        `records/${id}.json`,
      ]
        .map((name) => `${tenant}/${name}`)
        .sort(),
    );
    expect((await listed()).filter((c) => c.conversation_id === id)).toHaveLength(1);
  });

  it('that fails leaves that of before as it was', async () => {
    const { id, text } = await analysed();
    await edited(id, { speakers: { Speaker_0: 'Ann' } });
    const before = await get(of(id));
    service.pipeline.answer = sayError('INVALID_MEDIA', 'The media could not be decoded');
    expect((await ask('POST', of(id, '/reanalyze'), {})).status).toBe(400);
    expect((await get(of(id))).text).toBe(before.text);
    expect((await get<ConversationRecordBody>(of(id, '/record'))).body.reanalysis).toMatchObject({ status: 'failed' });
    await undone(id);
    expect((await get(of(id))).text).toBe(text);
    expect((await service.stored()).filter((key) => key.includes(`${id}_1`))).toEqual([]);
    service.pipeline.answer = sayEverything;
    expect((await ask<AnalysisResponse>('POST', of(id, '/reanalyze'), {})).body.artifact_dir).toContain(`${id}_2/`);
  });

  it('of a live session that a machine failed can be removed; a session that goes on cannot', async () => {
    const { tenant } = await analysed();
    const [over, goesOn] = [crypto.randomUUID(), crypto.randomUUID()];
    await (await tenantObject(tenant)).live(over, MEDIA, true);
    await (await tenantObject(tenant)).live(goesOn, MEDIA, false);
    service.pipeline.answer = sayHalf;
    const again = { conversation_id: over };
    expect((await ask('POST', '/analyze', again, { Prefer: 'respond-async' })).status).toBe(202);
    expect((await get<ConversationEntry>(of(over, '/record'))).body).toMatchObject({
      status: 'processing',
      mode: 'live',
    });
    const gone = await ask<DeletionReceipt>('DELETE', of(over));
    expect(gone.status, gone.text).toBe(200);
    expect(gone.body.index).toContain('job');
    await vi.waitFor(
      async () => expect((await service.stored()).filter((key) => key.includes(over))).toEqual([]),
      40_000,
    );
    const refused = await ask<{ detail: string }>('DELETE', of(goesOn));
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('finalize or cancel')]);
  });

  it('goes on by itself for who does not wait; there is one at a time', async () => {
    const { id } = await analysed();
    service.pipeline.answer = sayHalf;
    const before = service.pipeline.seen.length;
    const begun = await ask('POST', of(id, '/reanalyze'), {}, { Prefer: 'respond-async' });
    expect([begun.status, begun.headers.get('Location')]).toEqual([202, of(id)]);
    expect((await ask<{ code: string }>('POST', of(id, '/reanalyze'), {})).body.code).toBe('NOT_COMPLETED');
    expect((await get(of(id))).status).toBe(200);
    expect((await ask('POST', of(id, '/reanalyze'), { speakers: 9 })).status).toBe(400);
    expect((await ask('POST', of(id, '/reanalyze'), { speaker: 2 })).status).toBe(400);
    // Deleted while it is made anew, nothing of either is left.
    await vi.waitFor(() => expect(service.pipeline.seen.length).toBeGreaterThan(before), 40_000);
    const gone = await ask<DeletionReceipt>('DELETE', of(id));
    expect(gone.status).toBe(200);
    await vi.waitFor(
      async () => expect((await service.stored()).filter((key) => key.includes(id))).toEqual([]),
      40_000,
    );
  });
});

const tenantObject = async (tenant: string) => {
  const { TENANT } = await service.harness.getWorker<Objects>().getEnv();
  return TENANT.get(TENANT.idFromName(tenant));
};

describe('removed', () => {
  /** All that a tenant's object keeps of conversations, without what counts and times. */
  async function kept(tenant: string): Promise<Rows> {
    const {
      due: _due,
      usage: _usage,
      last_use: _last,
      rooms: _rooms,
      ...rows
    } = await (await tenantObject(tenant)).dump();
    return rows;
  }

  it('a conversation leaves nothing, and the receipt tells what there was', async () => {
    const { tenant } = await analysed('stays.wav');
    const [objects, rows] = [await service.stored(), await kept(tenant)];
    const { id } = await analysed('goes.wav');
    await edited(id, { labels: ['x'], speakers: { Speaker_0: 'Ann' } });
    await changed('POST', of(id, '/feedback'), { utterance_id: `${id}_utt_0`, thumb: 'up' });
    await ask('POST', of(id, '/reanalyze'), {});
    const own = (await service.stored()).filter((key) => !objects.includes(key));
    const answer = await ask<DeletionReceipt>('DELETE', of(id));
    const receipt = DeletionReceiptSchema.parse(answer.body);
    expect(receipt.conversation_id).toBe(id);
    expect(receipt.objects.map(({ key }) => key).sort()).toEqual(own.sort());
    expect(receipt.bytes).toBe(receipt.objects.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(receipt.index).toEqual(expect.arrayContaining(['record', 'text', 'labels', 'job']));
    expect(await service.stored()).toEqual(objects);
    expect(await kept(tenant)).toEqual(rows);
    expect((await get(of(id))).status).toBe(404);
    expect((await ask('DELETE', of(id))).status).toBe(404);
    for (const word of ['goes', 'ann', 'tuesday'])
      expect((await listed(`?q=${word}`)).map((c) => c.conversation_id)).not.toContain(id);
  });

  it('a conversation leaves no workflow, whether it was done or under way, and those of others go on', async () => {
    const { tenant } = await analysed('of the same tenant.wav');
    service.pipeline.answer = sayHalf;
    const begin = async (filename: string): Promise<string> => {
      const answer = await service.post('/analyze', form(filename, MEDIA), { Prefer: 'respond-async' });
      return ((await answer.json()) as { conversation_id: string }).conversation_id;
    };
    const workflow = async (id: string) => (await tenantObject(tenant)).workflow(`${id}-1`);
    const stays = await begin('stays.wav');
    await vi.waitFor(async () => expect(await workflow(stays)).toBe('running'), 20_000);
    const [objects, rows] = [await service.stored(), await kept(tenant)];
    const leaves = async (id: string): Promise<void> => {
      expect(await workflow(id)).not.toBeNull();
      expect((await ask('DELETE', of(id))).status).toBe(200);
      expect(await workflow(id)).toBeNull();
    };
    await leaves(await begin('running.wav'));
    service.pipeline.answer = sayEverything;
    const done = await begin('done.wav');
    await vi.waitFor(async () => expect((await listed('?status=completed'))[0]?.conversation_id).toBe(done), 40_000);
    await leaves(done);
    await vi.waitFor(async () => expect(await service.stored()).toEqual(objects), 40_000);
    // What goes on says so every few seconds.
    const still = ({ jobs = [], ...others }: Rows) => ({
      ...others,
      // A workflow that is over is forgotten in its own time.
      jobs: jobs.map(({ id, request }) => ({ id, request })),
    });
    expect(still(await kept(tenant))).toEqual(still(rows));
    expect(await workflow(stays)).toBe('running');
    expect((await ask('DELETE', of(stays))).status).toBe(200);
  });

  it('a conversation goes by itself when its days are over', async () => {
    const { id, tenant } = await analysed('old.wav');
    expect((await changed('PATCH', of(id), { retention_days: 3 })).expires_at).toBe(
      new Date(Date.parse((await listed())[0]!.created_at) + 3 * 86_400_000).toISOString(),
    );
    expect((await changed('PATCH', of(id), { retention_days: null })).expires_at).toBeNull();
    // A record of long ago.
    const { MEDIA: bucket } = await service.harness
      .getWorker<{ MEDIA: { put(key: string, text: string): Promise<unknown> } }>()
      .getEnv();
    const key = `${tenant}/records/${id}.json`;
    const record = JSON.parse(await service.text(key));
    await bucket.put(
      key,
      JSON.stringify({ ...record, createdAt: record.createdAt - 2 * 86_400_000, retentionDays: 1 }),
    );
    await service.admin('POST', `/tenants/${tenant}/reindex`);
    await vi.waitFor(async () => {
      expect((await get(of(id))).status).toBe(404);
      expect((await service.stored()).filter((name) => name.includes(id))).toEqual([]);
    }, 20_000);
  });

  it('a lost catalogue is made again as it was', async () => {
    const { id, tenant } = await analysed('lost.wav');
    await edited(id, { title: 'Found', labels: ['again'], speakers: { Speaker_1: 'Zoe' } });
    const { id: anew } = await analysed('anew.wav');
    await ask('POST', of(anew, '/reanalyze'), { goal: 'Again?' });
    const queries = ['', '?q=zoe', '?label=again', '?q=discount', '?status=failed', '?mode=replay'];
    const lists = () => Promise.all(queries.map((query) => listed(query)));
    const rowsOf = async () => {
      const { conversations = [], facets = [], texts = [] } = await kept(tenant);
      const ids = new Map(conversations.map(({ n, id: own }) => [n, own]));
      const named = (rows: Record<string, unknown>[]) =>
        rows.map(({ n, ...row }) => JSON.stringify({ ...row, id: ids.get(n) })).sort();
      return { conversations: named(conversations), facets: named(facets), texts: named(texts) };
    };
    const before = [await lists(), await rowsOf()];
    await (await tenantObject(tenant)).loseCatalogue();
    expect(await listed()).toEqual([]);
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await service.admin('POST', `/tenants/${tenant}/reindex?cursor=${cursor}`);
      cursor = ((await page.json()) as { next_cursor: string | null }).next_cursor;
    }
    expect([await lists(), await rowsOf()]).toEqual(before);
  });

  it('a tenant leaves nothing, and can be had whole before', async () => {
    const { tenant: other } = await analysed('of another tenant.wav');
    const tenants = await (await service.admin('GET', '/tenants')).json();
    const [objects, rows] = [await service.stored(), await kept(other)];
    const made = (await (await service.admin('POST', '/tenants', { name: 'Leaving' })).json()) as { id: string };
    const { key } = await service.issue({ tenant: made.id });
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await analysed(`call ${i}.wav`, {}, key)).id);
    const lines = async (path: string) => {
      const text = await (await service.admin('GET', path)).text();
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { conversation: ConversationRecordBody; result: AnalysisResponse });
    };
    const all = await lines(`/tenants/${made.id}/export`);
    expect(all.map(({ conversation }) => conversation.conversation_id)).toEqual([...ids].sort());
    for (const { conversation, result } of all) {
      expect(result.conversation_id).toBe(conversation.conversation_id);
      expect(result.timeline).toHaveLength(SPOKEN.length);
    }
    // Whoever was cut off goes on.
    const after = all[0]!.conversation.conversation_id;
    expect(await lines(`/tenants/${made.id}/export?after=${after}`)).toEqual(all.slice(1));
    const own = await get('/conversations/export', { 'X-API-Key': key });
    expect(own.text.trim().split('\n')).toHaveLength(3);

    service.pipeline.answer = sayHalf;
    const begun = await service.post('/analyze', form('running.wav', MEDIA), {
      'X-API-Key': key,
      Prefer: 'respond-async',
    });
    expect(begun.status).toBe(202);
    const { conversation_id: running } = (await begun.json()) as { conversation_id: string };
    const workflow = async () => (await tenantObject(other)).workflow(`${running}-1`);
    await vi.waitFor(async () => expect(await workflow()).toBe('running'), 20_000);
    const gone = await service.admin('DELETE', `/tenants/${made.id}`);
    expect(await gone.json()).toMatchObject({ id: made.id, objects: expect.any(Number), bytes: expect.any(Number) });
    expect((await service.admin('GET', `/tenants/${made.id}`)).status).toBe(404);
    expect(await (await service.admin('GET', '/tenants')).json()).toEqual(tenants);
    expect(await (await service.admin('GET', '/audit')).text()).toContain('"act":"tenant.deleted"');
    await vi.waitFor(async () => expect(await service.stored()).toEqual(objects), 40_000);
    expect(await (await tenantObject(made.id)).dump()).toEqual({});
    expect(await workflow()).toBeNull();
    expect(await kept(other)).toEqual(rows);
  });
});
