import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { pipelineSettings } from '../containers/pipeline/settings.ts';
import { createFrontDoor, REQUEST_ID_HEADER } from './start/front-door.ts';
import { KeptProcess } from './start/kept-process.ts';
import { CannotStart, freePort, parentPids, requireFfmpeg, requireFreePort } from './start/machine.ts';
import { ProcessGroup } from './start/process-group.ts';
import { keptSecret } from './start/secrets.ts';
import { orCannotStart, workerVariables, writeWorkerSettings } from './start/worker-settings.ts';

// `npm start`: the pipeline as a plain process and the Worker under `wrangler dev`, without Docker, account or network.

const ROOT = join(import.meta.dirname, '..');
const PORT = Number(process.env.PORT || 8787);
const DEMO_KEY = process.env.DEMO_API_KEY || 'undertone-demo';
/** Where uploads, results and counters stay over restarts. */
const STATE = process.env.STATE_DIR || '.undertone/state';
/** Where a developer keeps variables of the Worker, secrets among them. */
const DEV_VARS = '.dev.vars';
const SAMPLE = join(ROOT, 'test/fixtures/call.wav');
/** How often the Worker is made to sweep, as its cron trigger does in production; the local runtime has no clock for it. */
const SWEEP_MS = 3_600_000;
const SWEEP_WITHIN_MS = 60_000;

/** What the pipeline's environment says, whatever that of `npm start` does. */
const OWN_PIPELINE = {
  PORT: '',
  // The pipeline asks for no key: only this machine may reach it, wherever the service itself listens.
  HOST: '127.0.0.1',
  // Ctrl-C ends everything at once.
  DRAIN_SECONDS: '0',
};

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

const secretOf = (name: string) => keptSecret(name, STATE, DEV_VARS, process.env);

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

function pipelineProcess(port: number): KeptProcess {
  const launch = (): ProcessGroup =>
    new ProcessGroup('pipeline', ['containers/pipeline/server.ts'], { ...OWN_PIPELINE, PORT: String(port) });
  return new KeptProcess({ name: 'the pipeline', port, healthPath: '/healthz', launch, say });
}

function workerProcess(port: number, runtimePort: number): KeptProcess {
  const settings = join(STATE, 'worker.env');
  let removeSettings = (): void => undefined;
  const writeSettings = (): void => {
    const variables = workerVariables(DEV_VARS, process.env, {
      RUNTIME_URL: `http://127.0.0.1:${runtimePort}`,
      DEMO_API_KEY: DEMO_KEY,
      // Who can reach this machine's service owns it.
      DEMO_IS_PUBLIC: process.env.DEMO_IS_PUBLIC || 'false',
      ADMIN_TOKEN: secretOf('ADMIN_TOKEN').value,
      KEY_PEPPER: secretOf('KEY_PEPPER').value,
      REQUEST_ID_HEADER,
      // What was under way before has nobody any more who works on it: a sweep takes it away.
      SERVICE_STARTED_AT: new Date().toISOString(),
    });
    removeSettings = writeWorkerSettings(settings, variables);
  };
  cleanups.push(async () => removeSettings());
  const address = ['--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'];
  const options = [
    '--persist-to',
    STATE,
    '--env-file',
    settings,
    '--show-interactive-dev-session=false',
    '--test-scheduled',
  ];
  const launch = (): ProcessGroup => {
    writeSettings();
    return new ProcessGroup('worker', ['node_modules/wrangler/bin/wrangler.js', 'dev', ...address, ...options], {
      // Nothing leaves the machine: no usage figures, no error reports, no look-up of where a request comes from.
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      // The banner asks the registry for a newer version.
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_WRITE_LOGS: 'false',
      WRANGLER_LOG: 'warn',
      // The Worker's refusal must not wait until the client has sent all.
      WRANGLER_DISABLE_REQUEST_BODY_DRAINING: 'true',
      // Both keep or show whole addresses, which may carry a key; the explorer also opens the stored data to anyone.
      X_LOCAL_OBSERVABILITY: 'false',
      X_LOCAL_EXPLORER: 'false',
    });
  };
  const onReady = (): Promise<void> => sweep(port);
  return new KeptProcess({ name: 'the worker', port, healthPath: '/health', launch, say, onReady });
}

/** Has the Worker take away what a crash left: uploads that nobody finished. */
async function sweep(workerPort: number): Promise<void> {
  try {
    const answer = await fetch(`http://127.0.0.1:${workerPort}/cdn-cgi/local/scheduled`, {
      signal: AbortSignal.timeout(SWEEP_WITHIN_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
  } catch (error) {
    say(`sweeping left-over uploads failed: ${error instanceof Error ? error.message : error}`);
  }
}

async function start(): Promise<void> {
  await requireFreePort(PORT);
  requireFfmpeg(say);
  // Before models are loaded: a value that does not fit is told at once.
  workerVariables(DEV_VARS, process.env, { DEMO_API_KEY: DEMO_KEY });
  orCannotStart(() => pipelineSettings({ ...process.env, ...OWN_PIPELINE }));

  say('starting the pipeline (loads the models)');
  const pipeline = pipelineProcess(await freePort());
  cleanups.push(() => pipeline.stop());
  await pipeline.start();

  const admin = secretOf('ADMIN_TOKEN');
  say('starting the worker');
  const workerPort = await freePort();
  const { front, back } = createFrontDoor({ workerPort, pipelinePort: () => pipeline.port() });
  await listen(back, 0, '127.0.0.1');
  const worker = workerProcess(workerPort, (back.address() as AddressInfo).port);
  cleanups.push(() => worker.stop());
  await worker.start();
  setInterval(() => void sweep(workerPort), SWEEP_MS).unref();

  await listen(front, PORT, process.env.HOST || '127.0.0.1');
  if (!process.env.HOST) alsoListenOnIpv6(front);
  say(`ready at http://localhost:${PORT} (demo key: ${DEMO_KEY}; data in ${STATE}; Ctrl-C stops)`);
  if (admin.isNew) say(`admin token, made once: ${admin.value}`);
  if (admin.file) say(`the admin token is kept in ${admin.file}`);
  say('try it:');
  console.log(`curl -sS -H "X-API-Key: ${DEMO_KEY}" -F "file=@${SAMPLE}" http://localhost:${PORT}/analyze`);
}

/** `localhost` may mean ::1 first. */
function alsoListenOnIpv6(front: Server): void {
  // As an HTTP server takes its own connections.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => front.emit('connection', socket));
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
