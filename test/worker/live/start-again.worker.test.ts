import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LiveSessionBody } from '../../../src/contract/live.ts';
import type { CreatedWebhook } from '../../../src/contract/webhooks.ts';
import { type Receiver, startReceiver } from '../../../support/job-client.ts';
import { LiveClient } from '../../../support/live-client.ts';
import { type LiveStack, OTHER_KEY, startLiveStack } from '../../../support/live-service.ts';

let stack: LiveStack;
let receiver: Receiver;
beforeAll(async () => {
  stack = await startLiveStack({ ALLOW_PRIVATE_TARGETS: 'true' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await stack.stop();
});

const start = (key: string, body: object = { suffix: '.wav' }, client: LiveClient = stack.client): Promise<Response> =>
  client.request('/analyze/live/start', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
const sessionOf = async (answer: Promise<Response>): Promise<LiveSessionBody> => (await answer).json() as never;

describe('a start under an Idempotency-Key', () => {
  it('sent twice starts one session and gets the same response, also later', async () => {
    const key = crypto.randomUUID();
    const [one, two] = await Promise.all([sessionOf(start(key)), sessionOf(start(key))]);
    expect(two.session_id).toBe(one.session_id);
    expect(two.conversation_id).toBe(one.conversation_id);
    await stack.client.chunk(one, 0);
    expect(await sessionOf(start(key))).toEqual(one);
  });

  it('of another body is refused', async () => {
    const key = crypto.randomUUID();
    await start(key);
    const refused = await start(key, { suffix: '.mp3' });
    expect({ status: refused.status, body: await refused.json() }).toMatchObject({
      status: 422,
      body: { code: 'KEY_REUSED' },
    });
  });

  it('belongs to one tenant', async () => {
    const key = crypto.randomUUID();
    const other = new LiveClient(stack.url, OTHER_KEY);
    const [one, two] = [await sessionOf(start(key)), await sessionOf(start(key, { suffix: '.wav' }, other))];
    expect(two.session_id).not.toBe(one.session_id);
  });
});

it('a webhook gets one message of a live session’s end, completed or not', async () => {
  const answer = await stack.client.json('/webhooks', { url: receiver.url });
  expect(((await answer.json()) as CreatedWebhook).secret).toMatch(/^whsec_/);
  const told = () => receiver.got.map(({ body }) => JSON.parse(body) as { type: string; data: object });
  const good = await stack.client.start();
  await stack.client.chunk(good, 0);
  await stack.client.control(good, 'finalize');
  await vi.waitFor(() => expect(told()).toHaveLength(1), 30_000);
  const cancelled = await stack.client.start();
  await stack.client.control(cancelled, 'cancel', 'enough');
  await vi.waitFor(() => expect(told()).toHaveLength(2), 30_000);
  expect(told()).toMatchObject([
    { type: 'analysis.completed', data: { conversation_id: good.conversation_id } },
    { type: 'analysis.cancelled', data: { conversation_id: cancelled.conversation_id } },
  ]);
});
