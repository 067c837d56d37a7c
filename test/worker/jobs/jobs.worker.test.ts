import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../../src/contract/analysis.ts';
import type { ConversationEntry, ConversationList } from '../../../src/contract/conversations.ts';
import { type JobBody, JobSchema } from '../../../src/contract/jobs.ts';
import { type CreatedWebhook, type DeliveryBody, DeliveryListSchema } from '../../../src/contract/webhooks.ts';
import { sayError, sayHalf, sayRestAfter } from '../../../support/fake-pipeline.ts';
import { ASYNC, ask, ended, PATIENCE, type Receiver, startReceiver } from '../../../support/job-client.ts';
import {
  clear,
  DEMO_KEY,
  form,
  KEY,
  OTHER_KEY,
  startService,
  type TestService,
} from '../../../support/service-under-test.ts';
import { readEvents } from '../../../support/stream-client.ts';

/** Objects of an analysis that are kept. */
const KEPT = ['agent_outputs.json', 'events.ndjson', 'levels.json', 'result.json', 'upload.wav'];

let service: TestService;
const closings: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  service = await startService({ ALLOW_PRIVATE_TARGETS: 'true', MAX_FILE_SIZE_MB: '1' });
});
afterEach(async () => {
  await Promise.all(closings.splice(0).map((close) => close()));
  await clear(service);
});
afterAll(() => service.stop());

const recording = (media = 'media') => form('call.wav', media, { goal: 'price' });
const start = (headers: Record<string, string> = {}, body: BodyInit = recording()) =>
  service.post('/analyze', body, { ...ASYNC, ...headers });
const stateOf = async (id: string): Promise<JobBody> =>
  JobSchema.parse((await ask(service, 'GET', `/conversations/${id}`)).body);

async function started(headers: Record<string, string> = {}): Promise<string> {
  const response = await start(headers);
  expect(response.status).toBe(202);
  return ((await response.json()) as { conversation_id: string }).conversation_id;
}

async function hook(): Promise<{ receiver: Receiver; webhook: CreatedWebhook }> {
  const receiver = await startReceiver();
  const { body: webhook } = await ask<CreatedWebhook>(service, 'POST', '/webhooks', { url: receiver.url });
  closings.push(async () => {
    await ask(service, 'DELETE', `/webhooks/${webhook.id}`);
    await receiver.close();
  });
  return { receiver, webhook };
}

describe('a job', () => {
  it('is accepted, has a Location, runs by itself, and has the same result as a request that waits', async () => {
    const response = await start();
    expect(response.status).toBe(202);
    const body = (await response.json()) as { conversation_id: string; status: string };
    expect(body).toEqual({ conversation_id: expect.any(String), status: 'queued' });
    expect(response.headers.get('Location')).toBe(`/conversations/${body.conversation_id}`);
    expect(response.headers.get('Preference-Applied')).toBe('respond-async');
    const result = AnalysisResponseSchema.parse(await ended(service, body.conversation_id));
    expect(result).toMatchObject({ conversation_id: body.conversation_id, goal: 'price', utterances: 3 });
    expect(await service.objects()).toEqual(KEPT.map((name) => result.artifact_dir + name));
  });

  it('has a progress while it runs', async () => {
    const go = Promise.withResolvers<void>();
    service.pipeline.answer = sayRestAfter(go.promise);
    const id = await started();
    await vi.waitFor(
      async () =>
        expect(await stateOf(id)).toMatchObject({ status: 'running', phase: expect.any(String), error: null }),
      PATIENCE,
    );
    const { progress } = await stateOf(id);
    expect(progress).toBeGreaterThan(0);
    expect(progress).toBeLessThan(1);
    go.resolve();
    await ended(service, id);
  });

  it.each([
    ['undecodable media', sayError('INVALID_MEDIA', 'The file is not audio'), 'INVALID_MEDIA', 'The file is not audio'],
    ['silence', sayError('NO_UTTERANCES', 'Nobody speaks'), 'NO_UTTERANCES', 'Nobody speaks'],
  ] as const)('of %s fails with the reason, and leaves nothing', async (_, answer, code, message) => {
    service.pipeline.answer = answer;
    const id = await started();
    expect(await ended(service, id)).toMatchObject({ status: 'failed', error: { code, message } });
    expect(await service.objects()).toEqual([]);
  });

  it('is refused at once for a bad request', async () => {
    expect((await start({}, form('call.txt', 'media'))).status).toBe(400);
    expect((await start({}, form('call.wav', ''))).status).toBe(400);
    expect(await service.objects()).toEqual([]);
  });

  it('is retried when the connection to the pipeline is lost, and its upload stays in the meantime', async () => {
    let tries = 0;
    const say = service.pipeline.answer;
    service.pipeline.answer = async (response, seen) => {
      // Three times within one attempt of the workflow, then once more.
      if (++tries > 3) return say(response, seen);
      await sayHalf(response, seen);
      response.destroy();
    };
    const id = await started();
    await vi.waitFor(() => expect(tries).toBe(3), PATIENCE);
    expect(await service.objects()).toEqual([expect.stringMatching(/upload\.wav$/)]);
    expect(await ended(service, id)).toMatchObject({ conversation_id: id, utterances: 3 });
  });

  it('is unknown to another key', async () => {
    const id = await started();
    await ended(service, id);
    const headers = { 'X-API-Key': OTHER_KEY };
    expect((await ask(service, 'GET', `/conversations/${id}`, undefined, headers)).status).toBe(404);
    expect((await ask(service, 'POST', `/conversations/${id}/cancel`, undefined, headers)).status).toBe(404);
  });
});

describe('cancelling', () => {
  it('leaves nothing, and may be repeated', async () => {
    service.pipeline.answer = sayHalf;
    const id = await started();
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), PATIENCE);
    const { status, body } = await ask<JobBody>(service, 'POST', `/conversations/${id}/cancel`);
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'cancelled', error: null } });
    expect(await service.objects()).toEqual([]);
    expect((await ask<JobBody>(service, 'POST', `/conversations/${id}/cancel`)).body.status).toBe('cancelled');
    expect((await stateOf(id)).status).toBe('cancelled');
  });

  it('has one state in its list, its record and its status', async () => {
    service.pipeline.answer = sayHalf;
    const id = await started();
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), PATIENCE);
    const listed = async (query = '') =>
      (await ask<ConversationList>(service, 'GET', `/conversations${query}`)).body.conversations
        .filter((one) => one.conversation_id === id)
        .map(({ status }) => status);
    await vi.waitFor(async () => expect((await stateOf(id)).status).toBe('running'), PATIENCE);
    expect(await listed()).toEqual(['running']);
    expect(await listed('?status=running')).toEqual(['running']);
    expect(await listed('?status=queued')).toEqual([]);
    expect((await ask<ConversationEntry>(service, 'GET', `/conversations/${id}/record`)).body.status).toBe('running');
    expect((await ask(service, 'GET', '/conversations?status=processing')).status).toBe(400);
    await ask(service, 'POST', `/conversations/${id}/cancel`);
    expect(await listed('?status=cancelled')).toEqual(['cancelled']);
  });

  it('ends a request that waits for it', async () => {
    service.pipeline.answer = sayHalf;
    const answer = service.post('/analyze', recording());
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), PATIENCE);
    const id = service.pipeline.seen[0]!.options.conversation_id;
    await ask(service, 'POST', `/conversations/${id}/cancel`);
    expect({ status: (await answer).status, body: await (await answer).json() }).toMatchObject({
      status: 409,
      body: { code: 'CANCELLED' },
    });
    expect(await service.objects()).toEqual([]);
  });

  it('changes nothing of an ended job', async () => {
    const id = await started();
    await ended(service, id);
    expect(await ask(service, 'POST', `/conversations/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'completed' },
    });
    expect(await service.objects()).toHaveLength(KEPT.length);
  });
});

describe('an Idempotency-Key', () => {
  const key = () => ({ 'Idempotency-Key': crypto.randomUUID() });

  it('makes one job of two requests, and both get its result', async () => {
    const headers = key();
    const [one, two] = await Promise.all([
      service.post('/analyze', recording(), headers),
      service.post('/analyze', recording(), headers),
    ]);
    const results = [await one.json(), await two.json()];
    expect(results[1]).toEqual(results[0]);
    expect(AnalysisResponseSchema.parse(results[0]).utterances).toBe(3);
    expect(await (await service.post('/analyze', recording(), headers)).json()).toEqual(results[0]);
    expect(service.pipeline.seen).toHaveLength(1);
    expect(await service.objects()).toHaveLength(KEPT.length);
  });

  it('works with every kind of response', async () => {
    const headers = key();
    const id = await started(headers);
    const events = await readEvents(await service.post('/analyze/stream', recording(), headers));
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { conversation_id: id } });
    expect(events.filter(({ event }) => event === 'final_transcript')).toHaveLength(3);
    const again = await start(headers);
    expect(await again.json()).toEqual({ conversation_id: id, status: 'completed' });
    expect(service.pipeline.seen).toHaveLength(1);
  });

  it.each([
    ['another file', () => form('call.wav', 'other media', { goal: 'price' })],
    ['another goal', () => form('call.wav', 'media', { goal: 'time' })],
    ['another name', () => form('call.mp3', 'media', { goal: 'price' })],
    ['an address', () => JSON.stringify({ url: 'https://example.com/call.wav' })],
  ])('with %s is refused, and nothing of it is stored', async (_, body) => {
    const headers = key();
    await ended(service, await started(headers));
    const sent = body();
    const type: Record<string, string> = typeof sent === 'string' ? { 'Content-Type': 'application/json' } : {};
    const response = await start({ ...headers, ...type }, sent);
    expect(response.status).toBe(422);
    expect(ErrorBodySchema.parse(await response.json()).code).toBe('KEY_REUSED');
    expect(await service.objects()).toHaveLength(KEPT.length);
  });

  it('belongs to one tenant', async () => {
    const headers = key();
    const [one, two] = [await started(headers), await started({ ...headers, 'X-API-Key': OTHER_KEY })];
    expect(one).not.toBe(two);
    await ended(service, one);
    await vi.waitFor(async () => expect(await service.objects()).toHaveLength(2 * KEPT.length), PATIENCE);
  });

  it('repeats a failure', async () => {
    service.pipeline.answer = sayError('NO_UTTERANCES', 'Nobody speaks');
    const headers = key();
    for (let time = 0; time < 2; time++) {
      const response = await service.post('/analyze', recording(), headers);
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 400,
        body: { code: 'NO_UTTERANCES', detail: 'Nobody speaks' },
      });
    }
    expect(service.pipeline.seen).toHaveLength(1);
  });

  it.each(['', ' ', 'two words', 'é', 'x'.repeat(256)])('must not be "%.20s"', async (text) => {
    const response = await start({
      'Idempotency-Key': encodeURI(text) === text ? text : Buffer.from(text).toString('latin1'),
    });
    expect(response.status).toBe(400);
  });
});

describe('webhooks', () => {
  it('get a signed message of the end once, and their deliveries can be read', async () => {
    const { receiver, webhook } = await hook();
    const id = await started();
    await vi.waitFor(() => expect(receiver.got).toHaveLength(1), PATIENCE);
    const [message] = receiver.got;
    expect(new Webhook(webhook.secret).verify(message!.body, message!.headers as Record<string, string>)).toEqual({
      type: 'analysis.completed',
      timestamp: expect.any(String),
      data: { conversation_id: id },
    });
    const deliveries = async () =>
      DeliveryListSchema.parse((await ask(service, 'GET', `/webhooks/${webhook.id}/deliveries`)).body).deliveries;
    await vi.waitFor(
      async () =>
        expect(await deliveries()).toMatchObject([
          {
            id: message!.headers['webhook-id'],
            status: 'delivered',
            attempts: 1,
            last_status: 200,
            conversation_id: id,
          },
        ]),
      PATIENCE,
    );
    const [delivery] = (await deliveries()) as [DeliveryBody];
    const again = await ask(service, 'POST', `/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`);
    expect(again).toMatchObject({ status: 202, body: { id: delivery.id, status: 'pending' } });
    await vi.waitFor(() => expect(receiver.got).toHaveLength(2), PATIENCE);
    expect(receiver.got[1]!.headers['webhook-id']).toBe(delivery.id);
  });

  it('get messages of a failure with its code, of a cancellation, and of analyses that a client waited for', async () => {
    const { receiver } = await hook();
    const told = () => receiver.got.map(({ body }) => JSON.parse(body));
    await (await service.post('/analyze', recording())).text();
    await vi.waitFor(() => expect(told()).toMatchObject([{ type: 'analysis.completed' }]), PATIENCE);
    service.pipeline.answer = sayError('NO_UTTERANCES', 'Nobody speaks');
    const failed = await started();
    const error = { code: 'NO_UTTERANCES', message: 'Nobody speaks' };
    await vi.waitFor(
      () => expect(told()[1]).toMatchObject({ type: 'analysis.failed', data: { conversation_id: failed, error } }),
      PATIENCE,
    );
    service.pipeline.answer = sayHalf;
    const cancelled = await started();
    await ask(service, 'POST', `/conversations/${cancelled}/cancel`);
    await vi.waitFor(
      () => expect(told()[2]).toMatchObject({ type: 'analysis.cancelled', data: { conversation_id: cancelled } }),
      PATIENCE,
    );
  });

  it('are sent again to a receiver that failed, with the same id', async () => {
    const { receiver } = await hook();
    receiver.answer = (n) => (n === 1 ? 500 : 200);
    await started();
    await vi.waitFor(() => expect(receiver.got).toHaveLength(2), PATIENCE);
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('show their secret once, and belong to one tenant', async () => {
    const { webhook } = await hook();
    const { body } = await ask<{ webhooks: object[] }>(service, 'GET', '/webhooks');
    const { secret, ...shown } = webhook;
    expect(body.webhooks).toContainEqual(shown);
    expect(JSON.stringify(body)).not.toContain(secret);
    const other = { 'X-API-Key': OTHER_KEY };
    expect((await ask(service, 'GET', '/webhooks', undefined, other)).body).toEqual({ webhooks: [] });
    expect((await ask(service, 'DELETE', `/webhooks/${webhook.id}`, undefined, other)).status).toBe(404);
    expect((await ask(service, 'GET', `/webhooks/${webhook.id}/deliveries`, undefined, other)).status).toBe(404);
  });

  it.each([{}, { url: 'ftp://example.com/' }, { url: 'https://user@example.com/' }, { url: 'x', events: [] }])(
    'cannot be %o',
    async (webhook) => {
      expect((await ask(service, 'POST', '/webhooks', webhook)).status).toBe(400);
    },
  );

  it('are changed by their own tenant, and refused what cannot be added', async () => {
    const { webhook } = await hook();
    const path = `/webhooks/${webhook.id}`;
    const { secret: _, ...shown } = webhook;
    const patch = { url: `${webhook.url}?v=2`, events: ['analysis.failed'] };
    expect(await ask(service, 'PATCH', path, patch)).toMatchObject({ status: 200, body: { ...shown, ...patch } });
    const tested = ['webhook.test'];
    for (const wrong of [{}, { url: 'ftp://example.com/' }, { events: [] }, { events: tested }, { secret: 'x' }])
      expect((await ask(service, 'PATCH', path, wrong)).status, JSON.stringify(wrong)).toBe(400);
    expect((await ask(service, 'PATCH', path, patch, { 'X-API-Key': OTHER_KEY })).status).toBe(404);
  });

  it('get a signed test alone, which their own tenant sends', async () => {
    const [{ webhook, receiver }, other] = [await hook(), await hook()];
    const path = `/webhooks/${webhook.id}/test`;
    expect((await ask(service, 'POST', path, undefined, { 'X-API-Key': OTHER_KEY })).status).toBe(404);
    const { status, body } = await ask<DeliveryBody>(service, 'POST', path);
    expect({ status, event: body.event }).toEqual({ status: 202, event: 'webhook.test' });
    await vi.waitFor(() => expect(receiver.got).toHaveLength(1), PATIENCE);
    expect(JSON.parse(receiver.got[0]!.body)).toMatchObject({ data: { webhook_id: webhook.id } });
    expect(receiver.got[0]!.headers['webhook-id']).toBe(body.id);
    expect(other.receiver.got).toEqual([]);
  });

  it('are refused for the demo key', async () => {
    const headers = { 'X-API-Key': DEMO_KEY };
    const url = 'https://example.com/';
    for (const [method, path] of [
      ['POST', '/webhooks'],
      ['PATCH', '/webhooks/wh_1'],
      ['POST', '/webhooks/wh_1/test'],
    ] as const)
      expect((await ask(service, method, path, { url }, headers)).status, path).toBe(403);
  });
});

it('needs a key', async () => {
  for (const path of ['/webhooks', '/uploads', '/conversations/x/cancel'])
    expect((await fetch(new URL(path, service.url), { method: 'POST' })).status).toBe(401);
  expect((await fetch(new URL('/conversations/x', service.url), { headers: { 'X-API-Key': `${KEY}x` } })).status).toBe(
    401,
  );
});
