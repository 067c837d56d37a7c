import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { run, start } from './run-cli.ts';

let stack: LiveStack;
let folder: string;
beforeAll(async () => {
  stack = await startLiveStack();
  folder = mkdtempSync(join(tmpdir(), 'undertone-live-'));
  mkdirSync(join(folder, 'bin'));
});
afterAll(async () => {
  await stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

const env = (more: Record<string, string> = {}) => ({
  UNDERTONE_URL: stack.url.href,
  UNDERTONE_API_KEY: KEY,
  XDG_CONFIG_HOME: folder,
  ...more,
});
const eventsOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line): { event: string; data: { conversation_id: string } } => JSON.parse(line));

describe('live', () => {
  it('sends every byte of a file', async () => {
    const bytes = Buffer.from(Uint32Array.from({ length: 20_001 }, (_, n) => n).buffer).subarray(0, 80_001);
    const path = join(folder, 'talk.pcm');
    writeFileSync(path, bytes);
    const { code, out } = await run(['live', path, '--speed', '0', '--json'], env());
    expect(code).toBe(0);
    const last = eventsOf(out).at(-1);
    expect(last?.event).toBe('done');
    expect(Buffer.from((await stack.upload(last?.data.conversation_id ?? ''))!)).toEqual(bytes);
  });

  it('sends standard input', async () => {
    const { code, out, err } = await run(['live', '-', '--suffix', '.pcm'], env(), 'bytes out of a pipe');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/conversation [\w-]+\n$/);
  });

  it('finalizes a microphone session at the first Ctrl-C', async () => {
    const recorder = join(folder, 'bin/arecord');
    // Records until it is interrupted, like the real one.
    writeFileSync(recorder, '#!/bin/sh\ntrap "exit 0" INT\nwhile :; do printf RIFFRIFF; sleep 0.2; done\n');
    chmodSync(recorder, 0o755);
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`;
    const { child, so, ended } = start(['live', '--mic', '--json'], env({ PATH }));
    child.stdin?.end();
    await vi.waitFor(() => expect(so.out).toContain('"ingesting"'), { timeout: 30_000 });
    child.kill('SIGINT');
    const { code, out } = await ended;
    expect(eventsOf(out).at(-1)?.event).toBe('done');
    expect(code).toBe(0);
  });

  it('reports what is missing', async () => {
    const PATH = join(folder, 'nothing');
    expect(await run(['live', '--mic'], env({ PATH }))).toMatchObject({
      code: 2,
      err: expect.stringContaining('arecord'),
    });
    expect(await run(['live'], env())).toMatchObject({ code: 2, err: expect.stringContaining('--mic') });
    expect(await run(['live', 'x.wav', '--speed', 'fast'], env())).toMatchObject({ code: 2 });
  });
});
