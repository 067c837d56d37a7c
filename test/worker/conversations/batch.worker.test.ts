import { describe, expect, it, vi } from 'vitest';
import { ConversationAccessSchema } from '../../../src/contract/access-log.ts';
import { type BatchResult, BatchResultSchema, ExportedFileSchema } from '../../../src/contract/batch.ts';
import { ReceiptListSchema } from '../../../src/contract/receipts.ts';
import { analysed, ask, edited, get, listed, of, runService, service } from './conversations-under-test.ts';

runService();

const batch = async (body: object): Promise<BatchResult> => {
  const answer = await ask('POST', '/conversations/batch', body);
  expect(answer.status, answer.text).toBe(200);
  return BatchResultSchema.parse(answer.body);
};
const outcomes = ({ items }: BatchResult) => items.map(({ outcome, error }) => error?.code ?? outcome);
const labelsOf = async (id: string) => (await listed()).find((entry) => entry.conversation_id === id)?.labels;

describe('several conversations', () => {
  it('are labelled with one request, each with its own outcome, and the opposite undoes it', async () => {
    const [a, b] = [(await analysed('a.wav')).id, (await analysed('b.wav')).id];
    await edited(b, { labels: ['own', 'seen'] });
    const result = await batch({ ids: [a, b, 'nothing', a], labels: { add: ['seen'] } });
    expect(outcomes(result)).toEqual(['done', 'unchanged', 'NOT_FOUND']);
    expect(result).toMatchObject({ done: 1, unchanged: 1, failed: 1, receipt: null });
    expect([await labelsOf(a), await labelsOf(b)]).toEqual([['seen'], ['own', 'seen']]);
    expect(outcomes(await batch({ filter: { label: 'seen' }, reviewed: true }))).toEqual(['done', 'done']);
    expect(await listed('?reviewed=true')).toHaveLength(2);
    expect(outcomes(await batch({ ids: [a], labels: { remove: ['seen'] } }))).toEqual(['done']);
    expect(await labelsOf(a)).toEqual([]);
    const full = Array.from({ length: 20 }, (_, i) => `label ${i}`);
    expect(outcomes(await batch({ ids: [a, b], labels: { add: full } }))).toEqual(['done', 'INVALID_REQUEST']);
  });

  it('are exported as one line each, with the text of the file', async () => {
    const [a, b] = [(await analysed('a.wav')).id, (await analysed('b.wav')).id];
    for (const format of ['md', 'json']) {
      const answer = await ask('POST', '/conversations/batch', { ids: [b, 'nothing', a], export: format });
      expect(answer.headers.get('Content-Type')).toBe('application/x-ndjson');
      const lines = answer.text
        .trimEnd()
        .split('\n')
        .map((line) => ExportedFileSchema.parse(JSON.parse(line)));
      expect(lines.map((line) => line.error?.code ?? line.conversation_id)).toEqual([b, 'NOT_FOUND', a]);
      expect(lines[0]?.content).toBe((await get(of(b, `/export?format=${format}`))).text);
    }
  });

  it('are deleted with one receipt, except those on hold, and the access log names each', async () => {
    const [free, held, other] = [
      (await analysed('free.wav')).id,
      (await analysed('held.wav')).id,
      (await analysed('other.wav')).id,
    ];
    expect((await ask('PUT', of(held, '/hold'), { reason: 'Dispute' })).status).toBe(200);
    const result = await batch({ ids: [free, held, other], delete: true });
    expect(outcomes(result)).toEqual(['done', 'ON_HOLD', 'done']);
    const { receipt } = result;
    expect(receipt).toMatchObject({ kind: 'deletions', conversation_id: null });
    expect(receipt?.conversation_ids?.toSorted()).toEqual([free, other].toSorted());
    const [, payload = ''] = receipt?.signed.split('.') ?? [];
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ removed: receipt?.removed });
    const stored = await service.stored();
    for (const { key } of receipt?.removed ?? []) expect(stored).not.toContain(key);
    expect(receipt?.removed.some(({ key }) => key.includes(free))).toBe(true);
    const { receipts } = ReceiptListSchema.parse((await get('/receipts?kind=deletions')).body);
    expect(receipts[0]?.receipt_id).toBe(receipt?.receipt_id);
    expect([(await get(of(free))).status, (await get(of(held))).status]).toEqual([404, 200]);
    await batch({ ids: [held], labels: { add: ['seen'] } });
    await vi.waitFor(async () => {
      const { entries } = ConversationAccessSchema.parse((await get(of(held, '/access'))).body);
      expect(entries.filter(({ route }) => route === 'POST /conversations/batch')).toMatchObject([{ act: 'edited' }]);
    });
  });

  it.each([
    [{ labels: { add: ['x'] } }, 'ids'],
    [{ ids: ['a'], filter: { label: 'x' }, reviewed: true }, 'ids'],
    [{ ids: ['a'] }, 'labels'],
    [{ ids: ['a'], reviewed: true, delete: true }, 'labels'],
    [{ ids: ['a'], delete: false }, 'delete'],
    [{ filter: {}, delete: true }, 'filter'],
    [{ ids: ['a'], labels: {} }, 'labels'],
    [{ ids: ['a'], reviewd: true }, 'reviewed'],
    [{ ids: Array.from({ length: 201 }, (_, i) => `${i}`), reviewed: true }, '200'],
  ])('are refused: %j', async (body, names) => {
    const answer = await ask('POST', '/conversations/batch', body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(names);
  });

  it('need the scope of their act', async () => {
    const reader = await service.issue({ scopes: ['read'] });
    const headers = { 'X-API-Key': reader.key };
    const ask1 = (act: object) => ask('POST', '/conversations/batch', { ids: ['a'], ...act }, headers);
    expect((await ask1({ export: 'md' })).status).toBe(200);
    expect((await ask1({ reviewed: true })).status).toBe(403);
    expect((await ask1({ delete: true })).status).toBe(403);
  });
});
