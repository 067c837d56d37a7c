import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { freeSpaceOf } from '../tools/front-door/free-space.ts';
import { createFrontDoor, REQUEST_ID_HEADER } from '../tools/front-door/front-door.ts';
import { createResolver } from '../tools/front-door/resolver.ts';
import { freePort, requireFfmpeg, requireFreePort } from '../tools/machine.ts';
import { buildDocs } from './docs/build.ts';
import { type AtEnd, DEV_VARS, ROOT, say, serve } from './start/command.ts';
import { buildDashboard } from './start/dashboard.ts';
import { KeptProcess } from './start/kept-process.ts';
import { pipelineProcess } from './start/pipeline-process.ts';
import { ProcessGroup } from './start/process-group.ts';
import { keptSecret } from './start/secrets.ts';
import { holdState } from './start/state-lock.ts';
import { workerVariables, writeWorkerSettings } from './start/worker-settings.ts';

// `npm start`: the pipeline as a plain process and the Worker under `wrangler dev`, without Docker, an account or a
// network.

const PORT = Number(process.env.PORT || 8787);
/** Address to listen on. By default, only this machine can connect. */
const HOST = process.env.HOST || undefined;
/** Folder where uploads, results and counters are stored across restarts. */
const STATE = process.env.STATE_DIR || '.undertone/state';
const SAMPLE = join(ROOT, 'test/fixtures/call.wav');
/**
 * Interval between sweeps of the Worker, ms. In production a cron trigger starts them, but the local runtime does not
 * run cron triggers.
 */
const SWEEP_MS = 3_600_000;
const SWEEP_WITHIN_MS = 60_000;

const secretOf = (name: string) => keptSecret(name, STATE, DEV_VARS, process.env);

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

interface Addresses {
  port: number;
  pipelinePorts: readonly number[];
  resolverPort: number;
}

function workerProcess({ port, pipelinePorts, resolverPort }: Addresses, demoKey: string, atEnd: AtEnd): KeptProcess {
  const settings = join(STATE, 'worker.env');
  let removeSettings = (): void => undefined;
  const writeSettings = (): void => {
    const variables = workerVariables(DEV_VARS, process.env, {
      RUNTIME_URL: pipelinePorts.map((pipelinePort) => `http://127.0.0.1:${pipelinePort}`).join(),
      // Otherwise a name that resolves to an address of this machine or its network would let the local runtime reach
      // it.
      DNS_RESOLVER_URL: process.env.DNS_RESOLVER_URL || `http://127.0.0.1:${resolverPort}/`,
      DEMO_API_KEY: demoKey,
      // Anyone who can reach this machine's service controls it.
      DEMO_IS_PUBLIC: process.env.DEMO_IS_PUBLIC || 'false',
      ADMIN_TOKEN: secretOf('ADMIN_TOKEN').value,
      KEY_PEPPER: secretOf('KEY_PEPPER').value,
      REQUEST_ID_HEADER,
      // Work that began before this time has ended, so a sweep can remove its leftovers.
      SERVICE_STARTED_AT: new Date().toISOString(),
    });
    removeSettings = writeWorkerSettings(settings, variables);
  };
  atEnd(async () => removeSettings());
  const launch = (): ProcessGroup => {
    writeSettings();
    return new ProcessGroup('worker', ['scripts/start/worker-process.ts', String(port), STATE, settings], {
      // Prevents wrangler from sending usage figures, error reports or geolocation requests.
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      // Without this, the banner asks the registry for a newer version.
      WRANGLER_HIDE_BANNER: 'true',
      WRANGLER_WRITE_LOGS: 'false',
      WRANGLER_LOG: 'warn',
      // A refusal by the Worker must not wait until the client has sent everything.
      WRANGLER_DISABLE_REQUEST_BODY_DRAINING: 'true',
      // Both would store or show full URLs, which can contain a key. The explorer would also show the stored data to
      // anyone.
      X_LOCAL_OBSERVABILITY: 'false',
      X_LOCAL_EXPLORER: 'false',
    });
  };
  const onReady = (): Promise<void> => sweep(port);
  return new KeptProcess({ name: 'the worker', port, healthPath: '/health', launch, say, onReady });
}

/** Makes the Worker remove what a crash left behind: uploads that were never finished. */
async function sweep(workerPort: number): Promise<void> {
  try {
    const answer = await fetch(`http://127.0.0.1:${workerPort}/cdn-cgi/local/scheduled`, {
      signal: AbortSignal.timeout(SWEEP_WITHIN_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
  } catch (error) {
    say(`removing unfinished uploads failed: ${error instanceof Error ? error.message : error}`);
  }
}

async function start(atEnd: AtEnd): Promise<void> {
  await requireFreePort(PORT);
  // Locked until the last of its processes has ended.
  process.once('exit', holdState(STATE));
  requireFfmpeg(say);
  // Checked before models are loaded, so that an invalid value is reported immediately.
  const { POOL_MAX = '1' } = workerVariables(DEV_VARS, process.env);
  const pipelineCount = Number(POOL_MAX);
  await buildDashboard(say);
  await buildDocs();
  // Only this user may read the files of its processes.
  process.umask(0o077);
  const pipelines: KeptProcess[] = [];
  for (let number = 0; number < pipelineCount; number++) {
    say('starting a pipeline (loads the models)');
    const pipeline = await pipelineProcess(await freePort(), pipelineCount);
    atEnd(() => pipeline.stop());
    await pipeline.start();
    pipelines.push(pipeline);
  }

  const admin = secretOf('ADMIN_TOKEN');
  const demo = secretOf('DEMO_API_KEY');
  say('starting the worker');
  const workerPort = await freePort();
  const { front, backs } = createFrontDoor({
    workerPort,
    pipelinePorts: pipelines.map((pipeline) => () => pipeline.port()),
    host: HOST,
    freeSpace: freeSpaceOf(STATE),
  });
  for (const back of backs) await listen(back, 0, '127.0.0.1');
  const resolver = createResolver();
  await listen(resolver, 0, '127.0.0.1');
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const addresses = { port: workerPort, pipelinePorts: backs.map(portOf), resolverPort: portOf(resolver) };
  const worker = workerProcess(addresses, demo.value, atEnd);
  atEnd(() => worker.stop());
  await worker.start();
  setInterval(() => void sweep(workerPort), SWEEP_MS).unref();

  await listen(front, PORT, HOST ?? '127.0.0.1');
  if (!HOST) alsoListenOnIpv6(front);
  say(`ready at http://localhost:${PORT} (demo key: ${demo.value}; data in ${STATE}; Ctrl-C stops)`);
  if (admin.isNew) say(`admin token, shown only once: ${admin.value}`);
  if (admin.file) say(`the admin token is stored in ${admin.file}`);
  if (demo.file) say(`the demo key is stored in ${demo.file}`);
  say(`open http://localhost:${PORT}/app#key=${encodeURIComponent(demo.value)}`);
  say('or try it here:');
  console.log(`curl -sS -H "X-API-Key: ${demo.value}" -F "file=@${SAMPLE}" http://localhost:${PORT}/analyze`);
}

/** `localhost` can resolve to ::1 first. */
function alsoListenOnIpv6(front: Server): void {
  // The options that an HTTP server uses for its own connections.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => front.emit('connection', socket));
  second.on('error', () => undefined);
  second.listen(PORT, '::1');
}

serve(start);
