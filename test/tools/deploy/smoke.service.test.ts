import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { smoke } from '../../../scripts/deploy/smoke.ts';
import { wordErrorRate } from '../../../scripts/deploy/smoke-recording.ts';
import { Undertone } from '../../../src/sdk/index.ts';
import { startProcess } from '../../../support/started.ts';
import { KEY, type Stack, startStack } from '../../../support/whole-service.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

it('a working service passes in all three modes, and keeps nothing of the test', async () => {
  const command = startProcess(['scripts/smoke.ts', '--url', String(stack.url)], { UNDERTONE_API_KEY: KEY });
  expect(await command.ended, command.lines.join('\n')).toBe(0);
  const names = command.lines.flatMap((line) => /^ok {3}(.+?) +\d/.exec(line)?.[1] ?? []);
  expect(names).toEqual(['health', 'ready', 'a wrong key', 'batch', 'stream', 'live', 'clean up']);
  expect(command.lines.at(-1)).toBe(`${stack.url} works`);
  const undertone = new Undertone({ url: stack.url, key: KEY });
  expect((await undertone.conversations.list()).conversations).toEqual([]);
});

it('the exit status is 1 for a key that the service does not know, 2 without a key', async () => {
  const unknown = startProcess(['scripts/smoke.ts', '--url', String(stack.url), '--key', 'not-a-key']);
  expect(await unknown.ended).toBe(1);
  expect(unknown.lines.join('\n')).toMatch(/FAIL batch .*INVALID_KEY/);
  const without = startProcess(['scripts/smoke.ts', '--url', String(stack.url)], { UNDERTONE_API_KEY: '' });
  expect(await without.ended).toBe(2);
});

/** A service in front of the real one, whose answers a test changes. */
async function behind(change: (path: string, body: string) => string): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
    ) as Record<string, string>;
    const path = request.url ?? '/';
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const answer = await fetch(new URL(path, stack.url), { method: request.method ?? 'GET', headers, body });
    response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? 'text/plain' });
    response.end(change(path, await answer.text()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

it('fails where the words, or the result of one mode, are wrong', async () => {
  const garbled = await behind((path, body) => {
    if (path !== '/analyze') return body;
    const { timeline, ...rest } = JSON.parse(body) as { timeline: object[] };
    return JSON.stringify({ ...rest, timeline: timeline.map((entry) => ({ ...entry, text: 'Something else' })) });
  });
  const wrongWords = await smoke({ url: garbled.url, key: KEY });
  garbled.server.close();
  expect(wrongWords.find(({ isOk }) => !isOk)).toMatchObject({
    name: 'batch',
    finding: expect.stringContaining('differ from the stored result'),
  });
  expect(wrongWords.at(-1)).toMatchObject({ name: 'clean up', isOk: true });

  const shortened = await behind((path, body) =>
    path.startsWith('/conversations/') ? body.replace('"overview":"', '"overview":"Another. ') : body,
  );
  const otherResult = await smoke({ url: shortened.url, key: KEY });
  shortened.server.close();
  expect(otherResult.find(({ isOk }) => !isOk)).toMatchObject({
    name: 'stream',
    finding: expect.stringContaining('differs from that of the batch'),
  });
});

it('counts word errors over words, without case and punctuation', () => {
  expect(wordErrorRate(['Hello there, Anna.'], ['hello there anna'])).toBe(0);
  expect(wordErrorRate(['one two three four'], ['one three four five'])).toBe(0.5);
  expect(wordErrorRate(['one two'], [])).toBe(1);
  expect(wordErrorRate(['one two'], ['one', 'two', 'three', 'four'])).toBe(1);
});
