import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Undertone } from '../../src/sdk/index.ts';
import { KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { run, start } from './run-cli.ts';

/** Allows receivers on this machine, as a developer's service does; `strict` does not. */
let local: TestService;
let strict: TestService;
let folder: string;
beforeAll(async () => {
  [local, strict] = await Promise.all([startService({ ALLOW_PRIVATE_TARGETS: 'true' }), startService()]);
  folder = mkdtempSync(join(tmpdir(), 'undertone-webhooks-'));
});
afterAll(async () => {
  await Promise.all([local?.stop(), strict?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const env = ({ url }: TestService) => ({
  UNDERTONE_URL: url.href,
  UNDERTONE_API_KEY: KEY,
  XDG_CONFIG_HOME: folder,
});

it('messages are received, listed and sent again on this machine, and removed by Ctrl-C', async () => {
  const here = env(local);
  const listening = start(['webhooks', 'listen', '--json', '--events', 'analysis.completed'], here);
  await vi.waitFor(() => expect(listening.so.err).toContain('Listening at http://127.0.0.1:'), 60_000);
  const client = new Undertone({ url: local.url, key: KEY });
  const { conversation_id } = await client.analyze(new File(['a recording'], 'call.wav'));
  const messages = () =>
    listening.so.out
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await vi.waitFor(() => expect(messages()).toHaveLength(1), 60_000);
  expect(messages()).toMatchObject([{ type: 'analysis.completed', data: { conversation_id } }]);

  const [webhook] = JSON.parse((await run(['webhooks', 'list', '--json'], here)).out);
  expect((await run(['webhooks', 'list'], here)).out).toContain(`${webhook.id}  enabled`);
  const [delivery] = JSON.parse((await run(['webhooks', 'deliveries', webhook.id, '--json'], here)).out);
  expect(delivery).toMatchObject({ id: messages()[0].id, status: 'delivered' });
  expect(await run(['webhooks', 'redeliver', webhook.id, delivery.id], here)).toMatchObject({
    code: 0,
    err: `Will be sent again: ${delivery.id}\n`,
  });
  await vi.waitFor(() => expect(messages().map(({ id }) => id)).toEqual([delivery.id, delivery.id]), 60_000);

  const tested = await run(['webhooks', 'test', webhook.id], here);
  expect(tested).toMatchObject({ code: 0, err: expect.stringMatching(/^Being sent: msg_/) });
  await vi.waitFor(() => expect(messages().at(-1)).toMatchObject({ type: 'webhook.test' }), 60_000);

  // Only the service knows the secret.
  const forged = await fetch(webhook.url, { method: 'POST', body: JSON.stringify(messages()[0]) });
  expect(forged.status).toBe(400);
  expect(messages()).toHaveLength(3);
  listening.child.kill('SIGINT');
  expect((await listening.ended).code).toBe(0);
  expect(await client.webhooks.list()).toEqual([]);
});

it('webhooks are created, changed and deleted; an address of this machine is refused with the setting that allows it', async () => {
  const here = env(strict);
  const refused = await run(['webhooks', 'listen'], here);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('ALLOW_PRIVATE_TARGETS=true') });
  const { code, out } = await run(['webhooks', 'create', 'https://example.com/undertone'], here);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^whsec_\S+\n$/) });
  const [{ id }] = JSON.parse((await run(['webhooks', 'list', '--json'], here)).out);
  const change = ['webhooks', 'update', id];
  expect((await run(change, here)).code).toBe(2);
  const moved = await run([...change, '--address', 'https://example.com/v2', '--events', 'analysis.failed'], here);
  expect(moved).toMatchObject({ code: 0, err: `Changed: ${id}\n` });
  const [changed] = JSON.parse((await run(['webhooks', 'list', '--json'], here)).out);
  expect(changed).toMatchObject({ id, url: 'https://example.com/v2', events: ['analysis.failed'] });
  expect(await run(['webhooks', 'delete', id], here)).toMatchObject({ code: 0, err: `Removed: ${id}\n` });
  expect(await run(['webhooks', 'list'], here)).toMatchObject({ code: 0, out: '' });
  expect((await run(['webhooks', 'create', 'https://x.example.com', '--events', 'x'], here)).code).toBe(2);
});
