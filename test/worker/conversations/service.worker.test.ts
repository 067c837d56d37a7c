import { describe, expect, it, vi } from 'vitest';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type { ConversationRecordBody } from '../../../src/contract/conversations.ts';
import type { Course } from '../../../src/contract/course.ts';
import type { ServiceEvent } from '../../../src/contract/events.ts';
import { EXPORTS } from '../../../src/worker/results/exports/formats.ts';
import { SPOKEN, sayError, sayHalf } from '../../../support/fake-pipeline.ts';
import { form, KEY, OTHER_KEY } from '../../../support/service-under-test.ts';
import { affectInAnswer, affectInEvents } from '../../../support/withheld.ts';
import { appliedTo } from './applied-to.ts';
import {
  analysed,
  ask,
  changed,
  edited,
  get,
  listed,
  MEDIA,
  of,
  runService,
  service,
  shown,
  undone,
} from './conversations-under-test.ts';
import { exportedOf, written } from './exported-of.ts';

runService();

const exportedAs = (result: AnalysisResponse, { title, labels, created_at, goal }: ConversationRecordBody) =>
  exportedOf(result, { title, labels, createdAt: created_at, goal });

describe('a conversation', () => {
  it('is listed, and found again with the same result', async () => {
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

  it('of a replay is listed before its last event is sent', async () => {
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
    expect((await listed()).find((c) => c.conversation_id === id)?.status).toMatch(/queued|running/);
    expect((await get<{ status: string }>(path)).body.status).toMatch(/queued|running/);
    for (const what of ['/media', '/events', '/export?format=txt', '/levels', '/course'])
      expect((await get<{ code: string }>(of(id, what))).body.code).toBe('NOT_COMPLETED');
    expect((await ask<{ code: string }>('PATCH', of(id), { speakers: { Speaker_0: 'Ann' } })).body.code).toBe(
      'NOT_COMPLETED',
    );
    expect((await edited(id, { title: 'To be' })).title).toBe('To be');
    await ask('POST', `${path}/cancel`);
    expect((await listed('?status=cancelled'))[0]).toMatchObject({ conversation_id: id, title: 'To be', result: null });
    expect((await get<{ status: string }>(path)).body.status).toBe('cancelled');
  });

  it('that failed is listed with the reason, and has no objects', async () => {
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

  it('that was refused, or left by its client, is not listed', async () => {
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

  it('of another tenant is not found', async () => {
    const { id } = await analysed('other.wav', {}, OTHER_KEY);
    expect((await listed()).map((c) => c.conversation_id)).not.toContain(id);
    for (const what of ['', '/record', '/media', '/levels', '/course', '/events', '/export?format=txt'])
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

  it('has an error that names the bad parameter', async () => {
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
  it('apply everywhere at once, and undone give the same bytes as before', async () => {
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
    const unnamed = (text: string) => text.replaceAll(/"speaker_label":"Speaker_\d"/g, '');
    expect(unnamed(first)).not.toMatch(/Speaker_\d/);
    expect((await listed('?q=bob'))[0]).toMatchObject({
      conversation_id: id,
      result: { speakers: [{ name: 'Ann' }, { name: 'Bob' }] },
    });
    expect((await listed('?label=churn')).map((c) => c.conversation_id)).toEqual([id]);
    for (const format of Object.keys(EXPORTS)) {
      const { text: file } = await get(of(id, `/export?format=${format}`));
      expect(file).toContain('Ann');
      expect(unnamed(file)).not.toMatch(/Speaker(\\)?_\d/);
    }
    expect(unnamed((await get(of(id, '/events'))).text)).not.toMatch(/Speaker_\d/);

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

  it('that hide affect reach the result, the list, every export, the events and a repeated analysis', async () => {
    const { id, result, text } = await analysed('hidden.wav');
    expect(affectInAnswer(result, 'Speaker_0')).not.toEqual([]);
    const record = await edited(id, { hide_affect: { Speaker_0: true } });
    expect(record.hidden_affect).toEqual(['Speaker_0']);
    const hidden = await shown(id);
    expect(affectInAnswer(hidden, 'Speaker_0')).toEqual([]);
    expect(hidden).toEqual(appliedTo(result, { hide_affect: { Speaker_0: true } }));
    expect(record.result!.course).not.toEqual((await undone(id)).result!.course);
    expect((await get(of(id))).text).toBe(text);

    const open = new Map<string, string>();
    for (const format of Object.keys(EXPORTS)) open.set(format, (await get(of(id, `/export?format=${format}`))).text);
    await edited(id, { hide_affect: { Speaker_0: true } });
    for (const format of Object.keys(EXPORTS)) {
      const { text: file } = await get(of(id, `/export?format=${format}`));
      if (format === 'json') expect(affectInAnswer(JSON.parse(file), 'Speaker_0')).toEqual([]);
      // Reading a text drops the byte order mark of CSV.
      else expect(file).toBe(written(format as 'csv', exportedAs(hidden, record)).replace('\ufeff', ''));
      if (format === 'csv') expect(file).not.toBe(open.get(format));
    }
    const { course } = JSON.parse((await get(of(id, '/course'))).text) as Course;
    const valences = course.filter(({ speaker }) => speaker === 'Speaker_0').map(({ valence }) => valence);
    expect(new Set(valences)).toEqual(new Set([null]));
    const stream = (await get(of(id, '/events'))).text;
    const events = [...stream.matchAll(/^event: (emotion|cognitive|transition)\ndata: (.*)$/gm)].map(
      ([, event, data]) => ({ event, data: JSON.parse(data!) }) as ServiceEvent,
    );
    const own = new Set(hidden.timeline.filter((u) => u.speaker === 'Speaker_0').map((u) => u.utterance_id));
    expect(events.length).toBeGreaterThan(0);
    expect(affectInEvents(events, 'Speaker_0', own)).toEqual([]);

    await changed('POST', of(id, '/feedback'), { utterance_id: `${id}_utt_0`, thumb: 'up' });
    await ask('POST', of(id, '/reanalyze'), { goal: 'Anew?' });
    expect(service.pipeline.seen.at(-1)!.options.affect).toEqual({ '*': 'full', Speaker_0: 'none' });
  });

  it('that correct words reach the result, search, every export and the events, and can be undone', async () => {
    const { id, result, text } = await analysed('misheard.wav');
    const { utterance_id, text: heard } = result.timeline[0]!;
    const right = `${heard} Timbuktu`;
    const record = await edited(id, { correct: [{ utterance_id, text: right }] });
    expect(record.edits).toEqual([{ correct: [{ utterance_id, text: right }] }]);
    expect(await shown(id)).toEqual(appliedTo(result, { correct: [{ utterance_id, text: right }] }));
    expect((await listed('?q=timbuktu')).map((c) => c.conversation_id)).toContain(id);
    for (const format of Object.keys(EXPORTS))
      expect((await get(of(id, `/export?format=${format}`))).text).toContain('Timbuktu');
    expect((await get(of(id, '/events'))).text).toMatch(/^event: final_transcript\ndata: .*Timbuktu/m);
    await undone(id);
    expect((await get(of(id))).text).toBe(text);
    expect((await listed('?q=timbuktu')).map((c) => c.conversation_id)).not.toContain(id);
  });

  it('that do not fit are refused with their field, and change nothing', async () => {
    const { id, text } = await analysed();
    for (const [edit, place] of [
      [{}, 'must change something'],
      [{ speakers: { Speaker_5: 'Ann' } }, 'speakers.Speaker_5'],
      [{ speakers: { Speaker_0: 'Ann', Speaker_1: 'Ann' } }, 'speakers.Speaker_1'],
      [{ merge: [['Speaker_0', 'Speaker_0']] }, 'merge.0'],
      [{ merge: [['Speaker_0']] }, 'merge.0'],
      [{ hide_affect: { Speaker_5: true } }, 'hide_affect.Speaker_5'],
      [{ correct: [{ utterance_id: 'x', text: 'a' }] }, 'correct.0.utterance_id'],
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

  it('at the same time are applied one after the other', async () => {
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

describe('a thumb', () => {
  it('is kept with its text until it is taken back', async () => {
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
