import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { LiveClient } from '../../support/live-client.ts';
import { converted } from '../../support/recordings.ts';
import { type StartedProcess, startProcess } from '../../support/started.ts';
import { freePort } from '../../tools/machine.ts';

// A developer's two terminals: a plain `wrangler dev`, and `npm run pipeline`.

const KEY = 'plain-test';
const CHUNK_BYTES = 65_536;
/** The beginning of a call, with four utterances. */
const RECORDING = new Uint8Array(converted('call.wav', ['-t', '18', '-f', 'wav', '-c:a', 'pcm_s16le']));

let state: string;
let service: StartedProcess;
let url: URL;
let pipelinePort: number;
let pipeline: StartedProcess | undefined;
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'undertone-plain-'));
  pipelinePort = await freePort();
  const port = await freePort();
  url = new URL(`http://127.0.0.1:${port}`);
  const vars = ['--var', `DEMO_API_KEY:${KEY}`, '--var', `PIPELINE_PORT:${pipelinePort}`];
  const own = ['--persist-to', state, '--port', String(port), '--inspector-port', '0'];
  const wrangler = ['node_modules/wrangler/bin/wrangler.js', 'dev', '--show-interactive-dev-session=false'];
  service = startProcess([...wrangler, ...own, ...vars], { WRANGLER_LOG: 'info', WRANGLER_WRITE_LOGS: 'false' });
  await service.line(/Ready on/);
});
afterAll(async () => {
  for (const started of [pipeline, service]) {
    started?.process.kill('SIGTERM');
    await started?.ended;
  }
  await rm(state, { recursive: true, force: true });
});

const analyze = async (path = '/analyze'): Promise<Response> => {
  const body = new FormData();
  body.set('file', new File([RECORDING], 'call.wav'));
  return fetch(new URL(path, url), { method: 'POST', headers: { 'X-API-Key': KEY }, body });
};

const startLive = () => fetch(new URL('/analyze/live/start', url), { method: 'POST', headers: { 'X-API-Key': KEY } });

it('names the missing command before it accepts anything', async () => {
  for (const asked of [analyze(), analyze('/analyze/stream'), startLive()]) {
    const response = await asked;
    expect(response.status).toBe(500);
    expect(ErrorBodySchema.parse(await response.json())).toMatchObject({
      code: 'MISCONFIGURED',
      detail: `No pipeline runs at http://127.0.0.1:${pipelinePort}. Start one in another terminal: npm run pipeline`,
    });
  }
});

it('works as a whole once it has started', async () => {
  pipeline = startProcess(['scripts/pipeline.ts'], { PIPELINE_PORT: String(pipelinePort) });
  await pipeline.line(new RegExp(`listens at http://127.0.0.1:${pipelinePort}`));
  const response = await analyze();
  expect(response.status).toBe(200);
  const batch = AnalysisResponseSchema.parse(await response.json());
  expect(batch.utterances).toBeGreaterThan(2);
  const client = new LiveClient(url, KEY);
  const session = await client.start({ suffix: '.wav', quality: 'fast' });
  for (let seq = 0; seq * CHUNK_BYTES < RECORDING.length; seq++)
    expect(
      (await client.chunk(session, seq, RECORDING.subarray(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES))).status,
    ).toBe(200);
  await client.control(session, 'finalize');
  const events = await (await client.attach(session)).end();
  expect(events.at(-1)).toMatchObject({ event: 'done' });
  expect(events.map(({ event }) => event)).toContain('final_transcript');
});

it('ends without leftovers, and says so when its port is taken', async () => {
  const second = startProcess(['scripts/pipeline.ts'], { PIPELINE_PORT: String(pipelinePort) });
  expect(await second.ended).toBe(1);
  expect(second.lines.at(-1)).toMatch(new RegExp(`Port ${pipelinePort} is in use.*PIPELINE_PORT=.* npm run pipeline`));
  pipeline?.process.kill('SIGINT');
  expect(await pipeline?.ended).toBe(0);
  await expect(fetch(`http://127.0.0.1:${pipelinePort}/healthz`)).rejects.toThrow();
  expect((await analyze()).status).toBe(500);
});
