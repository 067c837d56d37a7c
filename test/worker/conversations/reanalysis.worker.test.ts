import { describe, expect, it, vi } from 'vitest';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type {
  ConversationEntry,
  ConversationRecordBody,
  DeletionReceipt,
} from '../../../src/contract/conversations.ts';
import { SPOKEN, sayError, sayEverything, sayHalf } from '../../../support/fake-pipeline.ts';
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
  tenantObject,
  undone,
} from './conversations-under-test.ts';

runService();

describe('a repeated analysis', () => {
  it('replaces the earlier one: title, labels and the recording stay', async () => {
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

  it('that fails leaves the earlier result as it was', async () => {
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

  it('of a live session that a machine failed can be removed; an open session cannot', async () => {
    const { tenant } = await analysed();
    const [over, goesOn] = [crypto.randomUUID(), crypto.randomUUID()];
    await (await tenantObject(tenant)).live(over, MEDIA, true);
    await (await tenantObject(tenant)).live(goesOn, MEDIA, false);
    service.pipeline.answer = sayHalf;
    const again = { conversation_id: over };
    expect((await ask('POST', '/analyze', again, { Prefer: 'respond-async' })).status).toBe(202);
    expect((await get<ConversationEntry>(of(over, '/record'))).body).toMatchObject({
      status: expect.stringMatching(/^(queued|running)$/),
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

  it('of a live session is final like a file’s: all its events follow an edit', async () => {
    const { tenant } = await analysed();
    const id = crypto.randomUUID();
    await (await tenantObject(tenant)).live(id, MEDIA, true);
    expect((await ask('POST', '/analyze/kept', { conversation_id: id })).status).toBe(200);
    expect((await get<ConversationEntry>(of(id, '/record'))).body).toMatchObject({ mode: 'live', status: 'completed' });
    const speakers = async () => [
      ...new Set((await get(of(id, '/events'))).text.match(/(?<="utterance_id":"[^"]*_utt_1",[^\n]*)Speaker_\d/g)),
    ];
    expect(await speakers()).toEqual(['Speaker_1']);
    await edited(id, { move: [{ utterance_id: `${id}_utt_1`, speaker: 'Speaker_0' }] });
    expect(await speakers()).toEqual(['Speaker_0']);
  });

  it('does not begin while its conversation is being deleted', async () => {
    const { id } = await analysed();
    service.pipeline.answer = sayHalf;
    const before = service.pipeline.seen.length;
    const again = () => ask('POST', of(id, '/reanalyze'), {}, { Prefer: 'respond-async' });
    expect((await again()).status).toBe(202);
    await vi.waitFor(() => expect(service.pipeline.seen.length).toBeGreaterThan(before), 40_000);
    const gone = ask<DeletionReceipt>('DELETE', of(id));
    // A running analysis has a few seconds to notice.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await again()).status).toBe(404);
    expect((await gone).status).toBe(200);
    await vi.waitFor(
      async () => expect((await service.stored()).filter((key) => key.includes(id))).toEqual([]),
      40_000,
    );
  });

  it('runs as a job for a client that does not wait; there is one at a time', async () => {
    const { id } = await analysed();
    service.pipeline.answer = sayHalf;
    const before = service.pipeline.seen.length;
    const begun = await ask('POST', of(id, '/reanalyze'), {}, { Prefer: 'respond-async' });
    expect([begun.status, begun.headers.get('Location')]).toEqual([202, of(id)]);
    expect((await ask<{ code: string }>('POST', of(id, '/reanalyze'), {})).body.code).toBe('NOT_COMPLETED');
    expect((await get(of(id))).status).toBe(200);
    expect((await ask('POST', of(id, '/reanalyze'), { speakers: 9 })).status).toBe(400);
    expect((await ask('POST', of(id, '/reanalyze'), { speaker: 2 })).status).toBe(400);
    // Deletion during the repeated analysis leaves nothing of either.
    await vi.waitFor(() => expect(service.pipeline.seen.length).toBeGreaterThan(before), 40_000);
    const gone = await ask<DeletionReceipt>('DELETE', of(id));
    expect(gone.status).toBe(200);
    await vi.waitFor(
      async () => expect((await service.stored()).filter((key) => key.includes(id))).toEqual([]),
      40_000,
    );
  });
});
