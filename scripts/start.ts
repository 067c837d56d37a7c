import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createFrontDoor } from './start/front-door.ts';
import { answers, CannotStart, freePort, parentPids, requireFfmpeg, requireFreePort } from './start/machine.ts';
import { PipelineProcess } from './start/pipeline-process.ts';
import { ProcessGroup } from './start/process-group.ts';

// `npm start`: the pipeline as a plain process and the Worker under `wrangler dev`, without Docker, account or network.

const ROOT = join(import.meta.dirname, '..');
const PORT = Number(process.env.PORT || 8787);
const DEMO_KEY = process.env.DEMO_API_KEY || 'undertone-demo';
/** Where uploads, results and counters stay over restarts. */
const STATE = process.env.STATE_DIR || '.undertone/state';
const SAMPLE = join(ROOT, 'test/fixtures/call.wav');
/** Bundling and starting workerd takes seconds; a machine under load may take many. */
const WORKER_START_MS = 120_000;
/** Settings of the Worker that the environment may give. */
const SETTINGS = [
  'API_KEYS',
  'MAX_FILE_SIZE_MB',
  'ENABLE_LIVE_STREAMING',
  'MAX_CHUNK_BYTES',
  'MAX_SESSION_MB',
  'MAX_SESSIONS_PER_KEY',
  'LIVE_TTL_MIN_SECONDS',
  'LIVE_TTL_MAX_SECONDS',
  'LIVE_TTL_DEFAULT_SECONDS',
  'LIVE_GRACE_SECONDS',
  'PIPELINE_INSTANCES',
  'LLM_BASE_URL',
  'LLM_MODEL',
];

const say = (line: string): void => console.log(`undertone | ${line}`);

const cleanups: (() => Promise<unknown>)[] = [];
let stopping: Promise<never> | undefined;

/** Ends everything that was started, the last first, then this process. */
function stop(code: number): Promise<never> {
  stopping ??= (async () => {
    await Promise.all(cleanups.map((cleanup) => cleanup()));
    process.exit(code);
  })();
  return stopping;
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function startWorker(port: number, runtimePort: number): ProcessGroup {
  const vars = { RUNTIME_URL: `http://127.0.0.1:${runtimePort}`, DEMO_API_KEY: DEMO_KEY };
  const settings = SETTINGS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const args = [...Object.entries(vars), ...settings].flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  const options = ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0', '--persist-to', STATE];
  return new ProcessGroup(
    'worker',
    ['node_modules/wrangler/bin/wrangler.js', 'dev', ...options, '--show-interactive-dev-session=false', ...args],
    {
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_WRITE_LOGS: 'false',
      WRANGLER_LOG: 'warn',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      // Both keep or show whole addresses, which may carry a key; the explorer also opens the stored data to anyone.
      X_LOCAL_OBSERVABILITY: 'false',
      X_LOCAL_EXPLORER: 'false',
    },
  );
}

async function start(): Promise<void> {
  await requireFreePort(PORT);
  requireFfmpeg(say);

  say('starting the pipeline (loads the models)');
  const pipeline = new PipelineProcess(await freePort(), say);
  cleanups.push(() => pipeline.stop());
  await pipeline.start();

  say('starting the worker');
  const [workerPort, backPort] = [await freePort(), await freePort()];
  const { front, back } = createFrontDoor({ workerPort, pipelinePort: () => pipeline.port() });
  await listen(back, backPort, '127.0.0.1');
  const worker = startWorker(workerPort, backPort);
  cleanups.push(() => worker.stop());
  if (!(await answers(`http://127.0.0.1:${workerPort}/health`, WORKER_START_MS, worker.ended)))
    throw new CannotStart('The worker does not start; its lines above say why. Is "npm ci" complete?');
  void worker.ended.then((how) => fail(`The worker ended (${how}). Start again with: npm start`));

  await listen(front, PORT, process.env.HOST || '127.0.0.1');
  if (!process.env.HOST) alsoListenOnIpv6(front);
  say(`ready at http://localhost:${PORT} (demo key: ${DEMO_KEY}; data in ${STATE}; Ctrl-C stops)`);
  say('try it:');
  console.log(`curl -sS -H "X-API-Key: ${DEMO_KEY}" -F "file=@${SAMPLE}" http://localhost:${PORT}/analyze`);
}

/** `localhost` may mean ::1 first. */
function alsoListenOnIpv6(front: Server): void {
  const second = createServer((socket) => front.emit('connection', socket));
  second.on('error', () => undefined);
  second.listen(PORT, '::1');
}

function fail(sentence: string): Promise<never> {
  if (!stopping) console.error(`undertone | ${sentence}`);
  return stop(1);
}

process.chdir(ROOT);
// Whoever reads our lines may go; that is no reason to fall.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
// Under `npm start` a killed npm, or its shell, cannot pass a signal on: its absence is one.
const parents = parentPids();
if (process.env.npm_lifecycle_event)
  setInterval(() => String(parentPids()) !== String(parents) && void stop(0), 1_000).unref();

start().catch((error: unknown) =>
  fail(
    error instanceof CannotStart ? error.message : `Starting failed: ${error instanceof Error ? error.message : error}`,
  ),
);
