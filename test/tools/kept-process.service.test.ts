import { expect, it } from 'vitest';
import { KeptProcess } from '../../scripts/start/kept-process.ts';
import { ProcessGroup } from '../../scripts/start/process-group.ts';
import { CannotStart, freePort } from '../../tools/machine.ts';

/** Answers at `/`, ends at `/end`, and after `/hang` lives on without answering. */
const SERVER = `
  let hangs = false;
  require('node:http').createServer((request, response) => {
    if (request.url === '/end') process.exit(3);
    if (request.url === '/hang') hangs = true;
    if (!hangs) response.end(String(process.pid));
  }).listen(process.env.PORT, '127.0.0.1');
`;

it('restarts a process that ended, and one that no longer answers', async () => {
  const port = await freePort();
  const said: string[] = [];
  let ready = 0;
  const kept = new KeptProcess({
    name: 'it',
    port,
    healthPath: '/',
    launch: () => new ProcessGroup('it', ['-e', SERVER], { PORT: String(port) }),
    say: (line) => said.push(line),
    onReady: async () => void ready++,
    watch: { everyMs: 100, withinMs: 500, owed: 2 },
  });
  await kept.start();
  for (const [round, path] of ['/end', '/hang'].entries()) {
    const url = `http://127.0.0.1:${await kept.port()}`;
    const pid = await (await fetch(url)).text();
    await fetch(url + path, { signal: AbortSignal.timeout(200) }).catch(() => undefined);
    await expect.poll(() => ready, { timeout: 30_000 }).toBe(round + 2);
    expect(await (await fetch(`http://127.0.0.1:${await kept.port()}`)).text()).not.toBe(pid);
  }
  expect(said.filter((line) => !line.includes('exited'))).toEqual([
    'it is ready again',
    'it no longer responds',
    'it is ready again',
  ]);
  await kept.stop();
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
});

it('does not wait for a process that rejects its settings', async () => {
  const port = await freePort();
  const error = { code: 'MISCONFIGURED', detail: 'MAX_FILE_SIZE_MB must be a positive number', request_id: 'r' };
  const server = `require('node:http').createServer((_, response) => {
    response.writeHead(500).end('${JSON.stringify(error)}');
  }).listen(process.env.PORT, '127.0.0.1');`;
  const kept = new KeptProcess({
    name: 'it',
    port,
    healthPath: '/',
    launch: () => new ProcessGroup('it', ['-e', server], { PORT: String(port) }),
    say: () => undefined,
  });
  const started = kept.start();
  await expect(started).rejects.toThrow(CannotStart);
  await expect(started).rejects.toThrow('MAX_FILE_SIZE_MB must be a positive number.');
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
});
