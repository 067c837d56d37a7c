import { describe, expect, it, vi } from 'vitest';

import { type Receipt, ReceiptListSchema, ReceiptSchema } from '../../../src/contract/receipts.ts';
import { RedactionJobSchema } from '../../../src/contract/redactions.ts';
import { CARD, sayCard, TONED } from '../../../support/card-pipeline.ts';
import { sayError, sayEverything } from '../../../support/fake-pipeline.ts';
import {
  analysed,
  ask,
  backedUp,
  changed,
  edited,
  get,
  listed,
  of,
  restored,
  runService,
  service,
  shown,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

runService();

/** Texts with the card number, however it is grouped, or with the name. Ids and hashes contain 4242 by chance. */
const SECRET = /\b4242\b|42424242|hargreaves/i;
const redact = (id: string, kinds: string[], headers = {}) =>
  ask<Receipt>('POST', of(id, '/redact'), { kinds }, headers);
const receipts = async (query = '') => ReceiptListSchema.parse((await get(`/receipts${query}`)).body).receipts;

/** Every byte that is stored for a conversation, and every row of its tenant. */
async function everything(tenant: string, id: string): Promise<string> {
  const keys = (await service.stored()).filter((key) => key.includes(id));
  const texts = await Promise.all(keys.map(async (key) => `${key}: ${await service.text(key)}`));
  return [...texts, JSON.stringify(await (await tenantObject(tenant)).dump())].join('\n');
}

/** A conversation with a card number and a name wherever people can write. */
async function said(): Promise<{ id: string; tenant: string }> {
  service.pipeline.answer = sayCard;
  const { id, tenant } = await analysed(`Hargreaves ${CARD}.wav`, { goal: `Does Mr Hargreaves pay with ${CARD}?` });
  await edited(id, { title: `Old: ${CARD}` });
  await edited(id, { title: `Mr Hargreaves, ${CARD}`, labels: [CARD, 'renewal'] });
  await edited(id, { correct: [{ utterance_id: `${id}_utt_2`, text: `Thank you, ${CARD}` }] });
  for (const text of [`Asked twice for ${CARD}`, 'Good ending'])
    expect((await ask('POST', of(id, '/comments'), { at: 1, text })).status).toBe(201);
  const line = (await shown(id)).summary.overview;
  await changed('POST', of(id, '/feedback'), { utterance_id: `${id}_utt_0`, thumb: 'up', comment: `Not ${CARD}` });
  await changed('POST', of(id, '/feedback'), { line, thumb: 'down' });
  const { commitments } = (await get<{ commitments: { commitment_id: string }[] }>('/commitments')).body;
  const own = commitments.find(({ commitment_id }) => commitment_id.startsWith(id))!;
  expect((await ask('PATCH', `/commitments/${own.commitment_id}`, { status: 'done' })).status).toBe(200);
  const list = await ask<{ id: string }>('POST', '/playlists', { name: 'Heard' });
  const item = { conversation_id: id, from: 0, to: 1, note: `The card ${CARD} is here` };
  expect((await ask('POST', `/playlists/${list.body.id}/items`, item)).status).toBe(201);
  return { id, tenant };
}

describe('a stored conversation', () => {
  it('is redacted for good: nothing stored says again what was found', async () => {
    const hook = await ask('POST', '/webhooks', { url: 'https://receiver.example.com/hook' });
    expect(hook.status).toBe(201);
    const { id, tenant } = await said();
    expect(await everything(tenant, id)).toMatch(SECRET);
    const before = (await service.stored()).filter((key) => key.includes(id));

    const { status, body, text } = await redact(id, ['card', 'name']);
    expect(status, text).toBe(200);
    const receipt = ReceiptSchema.parse(body);
    expect(receipt).toMatchObject({
      kind: 'redaction',
      conversation_id: id,
      by: expect.stringMatching(new RegExp(`^key ${tenant}_`)),
      redaction: {
        kinds: ['card', 'name'],
        counts: { card: 1 },
        verified: true,
        texts: { title: 1, labels: 1, comments: 1, notes: 1, filename: 1, goal: 1 },
        removed: { edits: 3, ratings: 2, commitments: 0, messages: 1 },
      },
    });
    expect(await everything(tenant, id)).not.toMatch(SECRET);

    expect((await shown(id)).timeline[0]!.text).toBe('My card is [card], Mr [name].');
    expect(await (await get(of(id, '/media?original=true'))).text).toBe(String(TONED));
    const record = await changed('GET', of(id, '/record'));
    expect(record).toMatchObject({
      title: 'Mr [name], [card]',
      labels: ['[card]', 'renewal'],
      filename: '[name] [card].wav',
    });
    expect(record.comments.map(({ text }) => text)).toEqual(['Asked twice for [card]', 'Good ending']);
    expect(record.feedback).toEqual([]);
    const { commitments } = (await get<{ commitments: { commitment_id: string; status: string }[] }>('/commitments'))
      .body;
    expect(commitments).toMatchObject([{ commitment_id: `${id}_utt_1_commitment_0`, status: 'done' }]);

    // The receipt names what was removed, and what stands in its place.
    const now = (await service.stored()).filter((key) => key.includes(id) && !key.includes('/records/'));
    expect(receipt.rewritten.map(({ key }) => key).sort()).toEqual(now.sort());
    const gone = before.filter((key) => !key.includes('/records/') && !key.includes('/upload.'));
    expect(receipt.removed.map(({ key }) => key)).toEqual(expect.arrayContaining(gone));
    const [listedOne] = await receipts(`?conversation_id=${id}`);
    expect(listedOne).toEqual(receipt);
    expect(await listed(`?q=${encodeURIComponent('4242')}`)).toEqual([]);

    // Undoing the last edit brings nothing back.
    await changed('POST', of(id, '/undo'));
    expect(await everything(tenant, id)).not.toMatch(SECRET);
    expect((await changed('GET', of(id, '/record'))).title).toBe('[name] [card]');
  }, 60_000);

  it('loses a text that is written while it is redacted', async () => {
    service.pipeline.answer = sayCard;
    const { id, tenant } = await analysed('late.wav');
    const go = Promise.withResolvers<void>();
    service.pipeline.answer = async (response, seen) => {
      await go.promise;
      await sayCard(response, seen);
    };
    const begun = await redact(id, ['card'], { Prefer: 'respond-async' });
    expect(begun.status, begun.text).toBe(202);
    await vi.waitFor(
      () => expect(service.pipeline.seen.at(-1)!.options).toMatchObject({ texts: ['late.wav'] }),
      20_000,
    );
    expect((await redact(id, ['card'])).status).toBe(409);
    expect((await ask('POST', of(id, '/reanalyze'), { goal: 'x' })).status).toBe(409);
    await ask('POST', of(id, '/comments'), { at: 1, text: `Also ${CARD}` });
    go.resolve();
    await vi.waitFor(async () => expect(await receipts(`?conversation_id=${id}`)).toHaveLength(1), 20_000);
    expect((await changed('GET', of(id, '/record'))).comments).toMatchObject([{ text: '[removed]' }]);
    expect(await everything(tenant, id)).not.toMatch(SECRET);
  }, 60_000);

  it('stays as it is when its redaction fails, and on hold', async () => {
    service.pipeline.answer = sayCard;
    const { id } = await analysed('fails.wav');
    service.pipeline.answer = sayError('NO_UTTERANCES', 'No speech');
    expect(await redact(id, ['card'])).toMatchObject({ status: 400, body: { code: 'NO_UTTERANCES' } });
    expect((await shown(id)).timeline[0]!.text).toContain(CARD);
    expect(await receipts(`?conversation_id=${id}`)).toEqual([]);
    await ask('PUT', of(id, '/hold'), { reason: 'Dispute' });
    expect(await redact(id, ['card'])).toMatchObject({ status: 409, body: { code: 'ON_HOLD' } });
    await ask('DELETE', of(id, '/hold'));
    service.pipeline.answer = sayCard;
    expect((await redact(id, ['card'])).status).toBe(200);
  }, 60_000);

  it.each([
    [{ kinds: [] }, 'kinds: must have at least one kind'],
    [{ kinds: ['shoes'] }, 'kinds.0: "shoes" is not a kind of redaction'],
    [{ kinds: ['card'], dry: true }, 'dry'],
  ])('is not redacted by %j', async (body, message) => {
    service.pipeline.answer = sayCard;
    const { id } = await analysed('refused.wav');
    const { status, text } = await ask('POST', of(id, '/redact'), body);
    expect(status).toBe(400);
    expect(text.replaceAll('\\"', '"')).toContain(message);
  });
});

it('everything that matches a filter is redacted, except for what is on hold', async () => {
  service.pipeline.answer = sayCard;
  const { key, tenant: own } = await service.issue({
    tenant: ((await (await service.admin('POST', '/tenants', { name: 'Bulk' })).json()) as { id: string }).id,
  });
  const as = { 'X-API-Key': key };
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const { id } = await analysed(`${name}.wav`, {}, key);
    ids.push(id);
    await ask('PATCH', of(id), { labels: [name === 'd' ? 'other' : 'acme'] }, as);
  }
  const [redacted = '', held = '', , other = ''] = ids;
  await ask('PUT', of(held, '/hold'), { reason: 'Dispute' }, as);
  const begun = await ask('POST', '/redactions', { filter: { label: 'acme' }, kinds: ['card'] }, as);
  expect(begun.status, begun.text).toBe(202);
  const job = RedactionJobSchema.parse(begun.body);
  expect(job).toMatchObject({ total: 3, status: 'running', receipt_id: null });
  const ended = await vi.waitFor(
    async () => {
      const now = RedactionJobSchema.parse((await get(`/redactions/${job.redaction_id}`, as)).body);
      expect(now.status).toBe('completed');
      return now;
    },
    { timeout: 40_000, interval: 500 },
  );
  expect(ended).toMatchObject({ total: 3, waiting: 0, redacted: 2, on_hold: 1, failed: 0, gone: 0 });
  const all = ReceiptListSchema.parse((await get(`/receipts?redaction_id=${job.redaction_id}`, as)).body).receipts;
  expect(all.map(({ kind }) => kind).sort()).toEqual(['redaction', 'redaction', 'redactions']);
  expect(all.find(({ receipt_id }) => receipt_id === ended.receipt_id)!.conversations).toEqual({
    ...{ redacted: 2, on_hold: 1, failed: 0, gone: 0, verified: 2 },
  });
  for (const [id, is] of [
    [redacted, true],
    [held, false],
    [other, false],
  ] as const)
    expect(JSON.stringify((await get(of(id), as)).body).includes('[card]')).toBe(is);
  expect(await everything(own, redacted)).not.toContain(`"${CARD}`);
  const none = await ask('POST', '/redactions', { filter: { label: 'nobody' }, kinds: ['card'] }, as);
  expect(none.status).toBe(404);
  const all400 = await ask('POST', '/redactions', { filter: {}, kinds: ['card'] }, as);
  expect(all400.text).toContain('must have at least one filter');
}, 90_000);

it('a backup from before a redaction brings nothing back', async () => {
  service.pipeline.answer = sayCard;
  const made = (await (await service.admin('POST', '/tenants', { name: 'Lost' })).json()) as { id: string };
  const { key } = await service.issue({ tenant: made.id });
  const as = { 'X-API-Key': key };
  const { id } = await analysed('lost.wav', {}, key);
  service.pipeline.answer = sayEverything;
  const { id: other } = await analysed('other.wav', {}, key);
  service.pipeline.answer = sayCard;
  await ask('PATCH', of(id), { title: `Pays with ${CARD}` }, as);
  const list = await ask<{ id: string }>('POST', '/playlists', { name: 'Heard' }, as);
  await ask('POST', `/playlists/${list.body.id}/items`, { conversation_id: id, from: 0, to: 1, note: CARD }, as);
  await backedUp();
  const { BACKUP } = await service.harness
    .getWorker<{ BACKUP: { list(): Promise<{ objects: { key: string }[] }> } }>()
    .getEnv();
  const copies = async () => (await BACKUP.list()).objects.map((object) => object.key);
  const redacted = await redact(id, ['card'], as);
  expect(redacted.status, redacted.text).toBe(200);
  await vi.waitFor(async () => {
    const keys = await copies();
    expect(keys).toContain(`redacted/${made.id}/${id}`);
    expect(keys.filter((name) => name.startsWith(`objects/${made.id}/${id}`))).toEqual([]);
  }, 20_000);

  await restored(made.id);
  expect(JSON.stringify((await get(of(id), as)).body)).toContain('[card]');
  expect((await get<{ title: string }>(of(id, '/record'), as)).body.title).toBe('Pays with [card]');
  expect((await get(of(other), as)).status).toBe(200);
  expect(await everything(made.id, id)).not.toMatch(SECRET);

  // The next backup has the redacted rows, and needs no mark.
  await backedUp();
  expect(await copies()).not.toContain(`redacted/${made.id}/${id}`);
}, 60_000);

it('deletions and retention leave receipts too', async () => {
  service.pipeline.answer = sayCard;
  const { id, tenant } = await analysed('deleted.wav');
  expect((await ask('DELETE', of(id))).status).toBe(200);
  expect(await receipts(`?conversation_id=${id}&kind=deletion`)).toMatchObject([
    {
      kind: 'deletion',
      by: expect.stringMatching(new RegExp(`^key ${tenant}_`)),
      index: ['record', 'text', 'job', 'commitments'],
    },
  ]);
});
