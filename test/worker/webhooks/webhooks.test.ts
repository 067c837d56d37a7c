import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CreatedWebhookSchema,
  DeliverySchema,
  type EventMessage,
  WEBHOOK_EVENTS,
  WebhookMessageSchema,
} from '../../../src/contract/webhooks.ts';
import { migrate } from '../../../src/worker/sqlite/migrations.ts';
import type { TargetRules } from '../../../src/worker/targets/reach.ts';
import { deliverDue } from '../../../src/worker/tenant/webhooks/deliver.ts';
import { DELAYS_MS, WEBHOOK_TABLES, Webhooks } from '../../../src/worker/tenant/webhooks/webhooks.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const RULES: TargetRules = { allowPrivateTargets: true, dnsResolverUrl: undefined };
const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY_MS = 24 * 3_600_000;

/** A receiver that keeps its requests and answers as set. */
interface Receiver {
  url: string;
  status: number;
  got: { headers: IncomingHttpHeaders; body: string }[];
}

let webhooks: Webhooks;
const closings: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  const sql = new MemorySql();
  migrate(sql, { webhooks: WEBHOOK_TABLES });
  webhooks = new Webhooks(sql);
});
afterEach(() => Promise.all(closings.splice(0).map((close) => close())));

async function receive(): Promise<Receiver> {
  const receiver: Receiver = { url: '', status: 200, got: [] };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    receiver.got.push({ headers: request.headers, body });
    response.writeHead(receiver.status, { Location: '/elsewhere' }).end('thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

const completed = (conversation = 'c1'): EventMessage => ({
  type: 'analysis.completed',
  timestamp: new Date(NOW).toISOString(),
  data: { conversation_id: conversation },
});

const verified = (secret: string, { headers, body }: Receiver['got'][number]): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('a webhook', () => {
  it('shows its secret once, and subscribes to all events unless it names some', () => {
    const made = CreatedWebhookSchema.parse(webhooks.add({ url: 'https://example.com/' }, NOW));
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const { secret: _, ...shown } = made;
    expect(webhooks.list()).toEqual([shown]);
    expect(shown.events).toEqual(WEBHOOK_EVENTS);
  });

  it('is one of at most ten', () => {
    for (let i = 0; i < 10; i++) expect(webhooks.add({ url: `https://example.com/${i}` }, NOW)).not.toBeNull();
    expect(webhooks.add({ url: 'https://example.com/more' }, NOW)).toBeNull();
  });

  it('gets no message once it is removed, and its waiting messages are deleted', async () => {
    const receiver = await receive();
    const { id } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    expect(webhooks.remove(id)).toBe(true);
    expect(webhooks.remove(id)).toBe(false);
    expect(await deliverDue(webhooks, NOW, RULES)).toBeNull();
    expect(webhooks.deliveries(id)).toBeNull();
    expect(receiver.got).toEqual([]);
  });

  it('gets only the events it subscribes to', () => {
    const { id } = webhooks.add({ url: 'https://example.com/', events: ['analysis.failed'] }, NOW)!;
    expect(webhooks.enqueue(completed(), NOW)).toBe(0);
    expect(webhooks.enqueue({ ...completed(), type: 'analysis.failed' }, NOW)).toBe(1);
    expect(webhooks.deliveries(id)).toHaveLength(1);
  });
});

describe('a changed webhook', () => {
  it('keeps its secret, and gets the messages that waited at its new address', async () => {
    const receiver = await receive();
    const { secret, ...made } = webhooks.add({ url: 'https://example.com/old' }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    const changed = { ...made, url: receiver.url, events: ['analysis.failed' as const] };
    expect(webhooks.update(made.id, { url: receiver.url })).toEqual({ ...changed, events: made.events });
    expect(webhooks.update(made.id, { events: ['analysis.failed'] })).toEqual(changed);
    expect(webhooks.list()).toEqual([changed]);
    expect(webhooks.update('wh_unknown', { url: receiver.url })).toBeNull();
    await deliverDue(webhooks, NOW, RULES);
    expect(verified(secret, receiver.got[0]!)).toEqual(completed());
    expect(webhooks.enqueue(completed(), NOW)).toBe(0);
  });

  it('is enabled again by an address, but not by events alone', () => {
    const { id, url } = webhooks.add({ url: 'https://example.com/' }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    webhooks.settle(webhooks.take(NOW)[0]!, { status: 410, error: 'gone' });
    expect(webhooks.update(id, { events: ['analysis.completed'] })?.is_enabled).toBe(false);
    expect(webhooks.update(id, { url })?.is_enabled).toBe(true);
  });

  it('is not disabled by a 410 of its earlier address', () => {
    const { id } = webhooks.add({ url: 'https://example.com/old' }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    const [sent] = webhooks.take(NOW);
    webhooks.update(id, { url: 'https://example.com/new' });
    webhooks.settle(sent!, { status: 410, error: 'gone' });
    expect(webhooks.list()[0]?.is_enabled).toBe(true);
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({ status: 'pending', last_status: 410 });
  });
});

describe('a test', () => {
  it('is signed and goes to one webhook alone, whatever its events are and even if it is disabled', async () => {
    const [receiver, other] = [await receive(), await receive()];
    receiver.status = 410;
    const { id, secret } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    await deliverDue(webhooks, NOW, RULES);
    expect(webhooks.list()[0]?.is_enabled).toBe(false);
    webhooks.add({ url: other.url }, NOW);
    receiver.status = 204;
    const sent = DeliverySchema.parse(webhooks.test(id, NOW));
    expect(sent).toMatchObject({ event: 'webhook.test', conversation_id: null, status: 'pending', attempts: 0 });
    expect(webhooks.test('wh_unknown', NOW)).toBeNull();
    expect(await deliverDue(webhooks, NOW, RULES)).toBeNull();
    expect(WebhookMessageSchema.parse(verified(secret, receiver.got[1]!))).toEqual({
      type: 'webhook.test',
      timestamp: new Date(NOW).toISOString(),
      data: { webhook_id: id },
    });
    expect(other.got).toEqual([]);
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({ id: sent.id, status: 'delivered', attempts: 1 });
  });

  it('is attempted once, also when it is sent again or its outcome is unknown', async () => {
    const receiver = await receive();
    receiver.status = 500;
    const { id } = webhooks.add({ url: receiver.url }, NOW)!;
    const { id: sent } = webhooks.test(id, NOW)!;
    expect(await deliverDue(webhooks, NOW, RULES)).toBeNull();
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({ status: 'failed', attempts: 1, last_status: 500 });
    webhooks.redeliver(id, sent, NOW);
    webhooks.take(NOW);
    expect(await deliverDue(webhooks, webhooks.dueAt()!, RULES)).toBeNull();
    expect(receiver.got).toHaveLength(1);
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({ status: 'failed', attempts: 2 });
  });

  it('stays when a conversation is forgotten, and is no report of one', () => {
    const { id } = webhooks.add({ url: 'https://example.com/' }, NOW)!;
    webhooks.test(id, NOW);
    webhooks.forget('c1');
    webhooks.forgetQuotes('c1');
    expect(webhooks.deliveries(id)).toHaveLength(1);
    expect(webhooks.wasEnqueued('analysis.completed', '')).toBe(false);
  });
});

describe('a message', () => {
  it('is signed so that its receiver can verify it, and settled when it is answered', async () => {
    const receiver = await receive();
    const { id, secret } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed('c7'), NOW);
    expect(await deliverDue(webhooks, NOW, RULES)).toBeNull();
    expect(receiver.got).toHaveLength(1);
    expect(verified(secret, receiver.got[0]!)).toEqual(completed('c7'));
    expect(() => verified(`whsec_${btoa('another')}`, receiver.got[0]!)).toThrow();
    const [delivery] = webhooks.deliveries(id)!;
    expect(DeliverySchema.parse(delivery)).toMatchObject({
      id: receiver.got[0]!.headers['webhook-id'],
      event: 'analysis.completed',
      conversation_id: 'c7',
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      last_error: null,
      next_attempt_at: null,
    });
  });

  it('is sent again under the same id for a day, at growing intervals, then abandoned', async () => {
    const receiver = await receive();
    receiver.status = 500;
    const { id, secret } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    const waits: number[] = [];
    let now = NOW;
    for (let next: number | null = now; next !== null; ) {
      waits.push(next - now);
      now = next;
      next = await deliverDue(webhooks, now, RULES);
    }
    expect(receiver.got).toHaveLength(DELAYS_MS.length + 1);
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const got of receiver.got) expect(verified(secret, got)).toEqual(completed());
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(now - NOW).toBeGreaterThan(0.9 * DAY_MS);
    expect(now - NOW).toBeLessThan(1.2 * DAY_MS);
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({
      status: 'failed',
      last_status: 500,
      last_error: 'The receiver returned 500',
    });
  });

  it('whose attempt has no known outcome is sent again under the same id', async () => {
    const receiver = await receive();
    webhooks.add({ url: receiver.url }, NOW);
    webhooks.enqueue(completed(), NOW);
    // As if by a process that died while it waited for the answer.
    const [lost] = webhooks.take(NOW);
    await deliverDue(webhooks, webhooks.dueAt()!, RULES);
    expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toEqual([lost!.id]);
    expect(webhooks.dueAt()).toBeNull();
  });

  it.each([301, 302, 307])('is not taken elsewhere by a redirect of %i', async (status) => {
    const receiver = await receive();
    receiver.status = status;
    const { id } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    await deliverDue(webhooks, NOW, RULES);
    expect(receiver.got).toHaveLength(1);
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({ status: 'pending', last_status: status, attempts: 1 });
  });

  it('answered 410 is the last: its webhook gets no further messages', async () => {
    const receiver = await receive();
    receiver.status = 410;
    const { id } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    expect(await deliverDue(webhooks, NOW, RULES)).toBeNull();
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({ status: 'failed', last_status: 410 });
    expect(webhooks.list()[0]?.is_enabled).toBe(false);
    expect(webhooks.enqueue(completed(), NOW)).toBe(0);
  });

  it('is sent once more on demand, under the same id, and with all attempts again', async () => {
    const receiver = await receive();
    const { id } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    await deliverDue(webhooks, NOW, RULES);
    const [delivery] = webhooks.deliveries(id)!;
    expect(webhooks.redeliver(id, 'msg_unknown', NOW)).toBeNull();
    expect(webhooks.redeliver('wh_unknown', delivery!.id, NOW)).toBeNull();
    receiver.status = 503;
    expect(webhooks.redeliver(id, delivery!.id, NOW)).toMatchObject({ id: delivery!.id, status: 'pending' });
    const next = await deliverDue(webhooks, NOW, RULES);
    expect(receiver.got.map(({ headers }) => headers['webhook-id'])).toEqual([delivery!.id, delivery!.id]);
    expect(next! - NOW).toBeLessThan(2 * DELAYS_MS[0]!);
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({ status: 'pending', attempts: 2 });
  });

  it('goes only to public addresses, whatever was allowed when the webhook was created', async () => {
    const receiver = await receive();
    const { id } = webhooks.add({ url: receiver.url }, NOW)!;
    webhooks.enqueue(completed(), NOW);
    await deliverDue(webhooks, NOW, { allowPrivateTargets: false, dnsResolverUrl: undefined });
    expect(receiver.got).toEqual([]);
    expect(webhooks.deliveries(id)?.[0]).toMatchObject({
      status: 'pending',
      last_status: null,
      last_error: expect.stringMatching(/^url: must be a public address, unless/),
    });
  });
});

it('a receiver that does not answer does not delay any other', async () => {
  const [deaf, good] = [await receive(), await receive()];
  webhooks.add({ url: deaf.url.replace(/:\d+/, ':1') }, NOW);
  webhooks.add({ url: good.url }, NOW);
  webhooks.enqueue(completed(), NOW);
  await deliverDue(webhooks, NOW, RULES);
  expect(good.got).toHaveLength(1);
  expect(webhooks.dueAt()).toBeGreaterThan(NOW);
});

it('keeps the last hundred deliveries of a webhook, and every pending one', async () => {
  const receiver = await receive();
  const { id } = webhooks.add({ url: receiver.url }, NOW)!;
  for (let i = 0; i < 130; i++) webhooks.enqueue(completed(`c${i}`), NOW);
  for (let next: number | null = NOW; next !== null; ) next = await deliverDue(webhooks, next, RULES);
  expect(receiver.got).toHaveLength(130);
  webhooks.enqueue(completed('last'), NOW);
  const kept = webhooks.deliveries(id)!;
  expect(kept).toHaveLength(100);
  expect(kept[0]?.conversation_id).toBe('last');
});
