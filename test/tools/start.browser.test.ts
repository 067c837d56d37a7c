import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { openBrowser } from '../../support/browser.ts';
import { type StartedProcess, startProcess } from '../../support/started.ts';
import { Visitor } from '../../support/visitor.ts';
import { playKnownAttacks } from '../../tools/attack/known-attacks.ts';
import { storedIn } from '../../tools/attack/leftovers.ts';
import { isDebugPort, listeningPorts } from '../../tools/attack/listening-ports.ts';
import { freePort } from '../../tools/machine.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECRET = `no'thing$for-ps-${process.pid}`;
const SECOND_KEY = 'a-key-of-another-tenant';
/** One utterance, for tests whose subject is not the analysis. */
const SHORT = 'short.wav';

interface StartedService extends StartedProcess {
  port: number;
}

function start(port: number, state: string, settings: Record<string, string> = {}): StartedService {
  const own: Record<string, string> = { PORT: String(port), STATE_DIR: state };
  return { port, ...startProcess(['scripts/start.ts'], { ...own, ...settings }) };
}

const keyIn = (line: string): string => /demo key: ([^;]+);/.exec(line)?.[1] ?? '';

interface Descendant {
  pid: number;
  name: string;
  /** The process group. */
  group: number;
}

/** Every process below one, from Linux's process table. */
async function descendants(pid: number): Promise<Descendant[]> {
  const all: (Descendant & { parent: number })[] = [];
  for (const entry of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => undefined);
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(stat ?? '') ?? [];
    const [, parent, group] = rest.split(' ').map(Number);
    if (stat) all.push({ pid: Number(entry), name, parent: parent ?? 0, group: group ?? 0 });
  }
  const below = (parent: number): Descendant[] =>
    all.filter((process) => process.parent === parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(pid);
}

/** A process that ended but was not yet reaped by its parent counts as dead. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

/** Sends one request unchanged, and reads until the connection ends. */
async function raw(
  port: number,
  line: string,
  headers = '',
  host = 'localhost',
): Promise<{ status: number; body: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${[line, `Host: ${host}`, 'Connection: close', headers].filter(Boolean).join('\r\n')}\r\n\r\n`);
  const said = (await buffer(socket)).toString();
  return { status: Number(said.split(' ')[1]), body: said.slice(said.indexOf('\r\n\r\n') + 4) };
}

/** The demo key that the service under test printed. */
let key = '';

const analyze = async (port: number, name = 'call.wav', signal?: AbortSignal): Promise<Response> => {
  const body = new FormData();
  body.set('file', new File([await readFile(join(ROOT, 'test/fixtures', name))], name));
  const headers = { 'X-API-Key': key };
  return fetch(`http://localhost:${port}/analyze`, { method: 'POST', headers, body, signal });
};

it('says which port is in use and what to do, and ends', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as { port: number };
  const started = start(port, tmpdir());
  expect(await started.ended).toBe(1);
  expect(started.lines.at(-1)).toMatch(new RegExp(`Port ${port} is in use.*PORT=`));
  holder.close();
});

it.each([
  ['MAX_CHUNK_BYTES', '2000000'],
  ['ENABLE_LIVE_STREAMING', 'perhaps'],
  ['RECOGNITION_WORKERS', 'all'],
  ['RECOGNISER', 'dictaphone'],
])('says that %s does not fit, and ends', async (name, value) => {
  const started = start(await freePort(), tmpdir(), { [name]: value });
  expect(await started.ended).toBe(1);
  expect(started.lines.at(-1)).toMatch(new RegExp(`^undertone \\| ${name} must be .*\\.$`));
});

describe('npm start', () => {
  let state: string;
  let started: StartedService;
  /** An issued key. */
  let issued: string;
  beforeAll(async () => {
    state = join(await mkdtemp(join(tmpdir(), 'undertone-state-')), 'of', 'own');
    started = start(await freePort(), state, { API_KEYS: `${SECRET},${SECOND_KEY}`, LLM_API_KEY: SECRET });
    key = keyIn(await started.line(/ready at/));
  });
  afterAll(async () => {
    started.process.kill('SIGTERM');
    await started.ended;
    await rm(state, { recursive: true, force: true });
  });

  it('is ready when it says so, on every name of this machine', async () => {
    for (const host of ['localhost', '127.0.0.1'])
      expect((await fetch(`http://${host}:${started.port}/health`)).status).toBe(200);
  });

  it('prints a curl line that works', async () => {
    const curl = await started.line(/^curl /);
    const { stdout } = await promisify(execFile)('sh', ['-c', curl], { maxBuffer: 1e8 });
    expect(AnalysisResponseSchema.parse(JSON.parse(stdout)).utterances).toBeGreaterThan(2);
  });

  it('leads a newcomer from the address it prints to a finished conversation', async () => {
    const printed = /open (\S+)$/.exec(await started.line(/ open http/))![1]!;
    const browser = await openBrowser();
    try {
      const visitor = await Visitor.arrive(browser, new URL(printed).origin);
      const { page } = visitor;
      page.setDefaultTimeout(60_000);
      await page.goto(printed);
      await page.getByRole('link', { name: 'Analyse', exact: true }).first().click();
      await page.getByRole('button', { name: 'Use the sample call' }).click();
      await page.getByText(/^Done in /).waitFor();
      await page.getByRole('link', { name: 'Open', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'sample-call' }).waitFor();
      // The real pipeline's transcript, measures and findings; and the recording plays.
      await expect.poll(() => page.locator('.u').count(), { timeout: 20_000 }).toBeGreaterThan(4);
      await expect.poll(() => page.locator('.mrow1').count(), { timeout: 20_000 }).toBeGreaterThan(0);
      // A click on evidence plays from there.
      await page.locator('.summary .ev').first().click();
      await page.getByText('All voice measures').waitFor();
      await expect
        .poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime), { timeout: 20_000 })
        .toBeGreaterThan(1);
      expect(visitor.unexpected()).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it('restarts a killed pipeline, and its work is completed all the same', async () => {
    const cut = analyze(started.port);
    const health = async () => descendants(started.process.pid ?? 0);
    const pipeline = (await health()).find(({ name }) => name.startsWith('undertone-pipe'));
    await new Promise((resolve) => setTimeout(resolve, 700));
    process.kill(pipeline?.pid ?? 0, 'SIGKILL');
    const response = await cut;
    expect(response.status).toBe(200);
    expect(AnalysisResponseSchema.parse(await response.json()).utterances).toBeGreaterThan(2);
    expect((await analyze(started.port, SHORT)).status).toBe(200);
  });

  it('makes a demo key that only this user can read', async () => {
    expect(key).toMatch(/^[\w-]{43}$/);
    expect((await readFile(join(state, 'demo-api-key'), 'utf8')).trim()).toBe(key);
    expect((await stat(join(state, 'demo-api-key'))).mode & 0o777).toBe(0o600);
    for (const folder of ['..', '.', 'v3', 'v3/r2', 'v3/do'])
      expect({ folder, mode: (await stat(join(state, folder))).mode & 0o777 }).toEqual({ folder, mode: 0o700 });
  });

  it('opens no debug port', async () => {
    const pids = [started.process.pid ?? 0, ...(await descendants(started.process.pid ?? 0)).map(({ pid }) => pid)];
    const ports = listeningPorts(pids);
    expect(ports).toContain(started.port);
    // The front door, the pipeline and the two runtimes, at least.
    expect(ports.length).toBeGreaterThan(3);
    for (const port of ports)
      expect({ port, isDebugPort: await isDebugPort(port) }).toEqual({ port, isDebugPort: false });
  });

  it('answers only for the names of this machine', async () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect((await raw(started.port, 'GET /health HTTP/1.1', '', `${host}:${started.port}`)).status).toBe(200);
    for (const host of ['attacker.example', 'localhost.attacker.example', '10.0.0.1', hostname()]) {
      const { status, body } = await raw(started.port, 'GET /health HTTP/1.1', '', `${host}:${started.port}`);
      expect({ host, status, code: ErrorBodySchema.parse(JSON.parse(body)).code }).toEqual({
        host,
        status: 421,
        code: 'WRONG_HOST',
      });
    }
  });

  it('leaves nothing of a client that left', async () => {
    const left = () => {
      const { open, orphans, nameless } = storedIn(state);
      return [...open, ...orphans, ...nameless];
    };
    expect(left()).toEqual([]);
    const leave = new AbortController();
    const cut = analyze(started.port, 'call.wav', leave.signal).catch(() => 'left');
    await expect.poll(left, { timeout: 30_000 }).toContainEqual(expect.stringContaining('upload.wav'));
    leave.abort();
    expect(await cut).toBe('left');
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  });

  it('removes a key in the address from its output', async () => {
    await fetch(`http://localhost:${started.port}/metrics?api_key=${key}`);
    await fetch(`http://localhost:${started.port}/nowhere?api_key=hidden-from-logs`);
    expect(started.lines.join('\n')).not.toContain('hidden-from-logs');
  });

  it('accepts its keys, and shows them to nobody', async () => {
    const metrics = await fetch(`http://localhost:${started.port}/metrics`, { headers: { 'X-API-Key': SECRET } });
    expect(metrics.status).toBe(200);
    for (const { pid, name } of await descendants(started.process.pid ?? 0))
      expect({ name, line: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') }).not.toMatchObject({
        line: expect.stringContaining(SECRET),
      });
    expect((await stat(join(state, 'worker.env'))).mode & 0o777).toBe(0o600);
  });

  it('keeps the local runtime from look-ups and reports', async () => {
    const quiet = {
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_SEND_ERROR_REPORTS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
    };
    const all = await descendants(started.process.pid ?? 0);
    const runtimes = all.filter(({ name }) => name.startsWith('workerd'));
    expect(runtimes.length).toBeGreaterThan(0);
    for (const { pid } of runtimes) {
      // The children of wrangler inherited its environment.
      const given = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
      expect(given).toEqual(expect.arrayContaining(Object.entries(quiet).map((entry) => entry.join('='))));
    }
  });

  it('lets nobody read stored data without a key', async () => {
    const { conversation_id: id } = (await (await analyze(started.port, SHORT)).json()) as { conversation_id: string };
    const tenant = createHash('sha256').update(key).digest('hex').slice(0, 16);
    const stored = `/cdn-cgi/local/r2/public/undertone-media/${tenant}/${id}/result.json`;
    for (const target of [stored, `/x/..${stored}`, `/health/%2e%2e${stored}`, `http://localhost${stored}`]) {
      const { status, body } = await raw(started.port, `GET ${target} HTTP/1.1`);
      expect({ status, code: ErrorBodySchema.parse(JSON.parse(body)).code }).toEqual({
        status: 404,
        code: 'NOT_FOUND',
      });
    }
    const header = `MF-Original-URL: http://localhost${stored}`;
    expect(JSON.parse((await raw(started.port, 'GET /health HTTP/1.1', header)).body)).toMatchObject({ status: 'ok' });
    expect((await raw(started.port, 'OPTIONS * HTTP/1.1')).status).toBe(400);
  });

  it('creates an admin token once, prints it, and issues keys to its holder', async () => {
    const token = /shown only once: (\S+)$/.exec(await started.line(/admin token, shown only once: /))?.[1] ?? '';
    expect((await readFile(join(state, 'admin-token'), 'utf8')).trim()).toBe(token);
    for (const name of ['admin-token', 'key-pepper']) expect((await stat(join(state, name))).mode & 0o777).toBe(0o600);
    const made = await fetch(`http://localhost:${started.port}/keys`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'CF-Connecting-IP': '192.0.2.1',
      },
      body: '{"label":"mine"}',
    });
    expect(made.status).toBe(201);
    issued = ((await made.json()) as { key: string }).key;
    const metrics = await fetch(`http://localhost:${started.port}/metrics`, { headers: { 'X-API-Key': issued } });
    expect(metrics.status).toBe(200);
    const audit = await fetch(`http://localhost:${started.port}/audit?tenant=default`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    // The address of the connection, not the one that the request claimed.
    expect(await audit.text()).toMatch(/"address":"(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)"/);
  });

  it('resists every attack that once succeeded', async () => {
    const admin = (await readFile(join(state, 'admin-token'), 'utf8')).trim();
    const pids = [started.process.pid ?? 0, ...(await descendants(started.process.pid ?? 0)).map(({ pid }) => pid)];
    const attacked = { port: started.port, keys: [SECRET, SECOND_KEY] as const, admin, state, pids };
    const { findings, played } = await playKnownAttacks(attacked);
    expect(findings).toEqual([]);
    expect(played).toBeGreaterThan(5);
  });

  it('refuses before an upload is sent', async () => {
    const length = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000000';
    for (const [path, sent, code] of [
      ['/analyze', 'wrong', 'INVALID_KEY'],
      ['/analyze', key, 'FILE_TOO_LARGE'],
      ['/analyze/nowhere', key, 'NOT_FOUND'],
      ['/nowhere', key, 'NOT_FOUND'],
    ]) {
      const { body } = await raw(started.port, `POST ${path} HTTP/1.1`, `${length}\r\nX-API-Key: ${sent}`);
      expect(ErrorBodySchema.parse(JSON.parse(body)).code).toBe(code);
    }
    // A hurried client: the runtime resets its connections while it answers.
    const url = `http://localhost:${started.port}/analyze`;
    const options = { method: 'POST', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } };
    for (let round = 0; round < 10; round++) {
      const response = await fetch(url, { ...options, body: new Uint8Array(30_000_000) });
      expect(ErrorBodySchema.parse(await response.json()).code).toBe('INVALID_KEY');
    }
  });

  it('answers in the error shape when the runtime crashes, and continues', async () => {
    const cut = analyze(started.port);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const runtimes = (await descendants(started.process.pid ?? 0)).filter(({ name }) => name === 'workerd');
    // The Worker's own runtime, the later of the two.
    process.kill(runtimes.at(-1)?.pid ?? 0, 'SIGKILL');
    const response = await cut;
    // Its recording had arrived, and may have been analysed all the same.
    expect(response.status).toBe(500);
    const error = ErrorBodySchema.parse(await response.json());
    expect(error).toMatchObject({ code: 'ANALYSIS_FAILURE', request_id: response.headers.get('X-Request-Id') });
    await expect.poll(async () => (await analyze(started.port, SHORT)).status, { timeout: 30_000 }).toBe(200);
  });

  it('leaves no process behind when it is stopped', async () => {
    const all = await descendants(started.process.pid ?? 0);
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['workerd']));
    // Each process belongs to a group that is ended as a whole. A process in the command's own group would end slightly
    // later.
    for (const { name, group } of all)
      expect({ name, isInGroup: all.some(({ pid }) => pid === group) }).toEqual({ name, isInGroup: true });
    started.process.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    await expect(stat(join(state, 'worker.env'))).rejects.toThrow('ENOENT');
    for (const { pid, name } of all) expect({ name, alive: await isAlive(pid) }).toEqual({ name, alive: false });
  });

  it('finds its data again after a restart', async () => {
    const again = start(await freePort(), state);
    expect(keyIn(await again.line(/ready at/))).toBe(key);
    const response = await fetch(`http://localhost:${again.port}/metrics?api_key=${key}`);
    expect(await response.json()).toMatchObject({ agent_latency_ms: { utterance: expect.any(Number) } });
    const metrics = await fetch(`http://localhost:${again.port}/metrics`, { headers: { 'X-API-Key': issued } });
    expect(metrics.status).toBe(200);
    expect(again.lines.join('\n')).not.toContain('shown only once');
    again.process.kill('SIGINT');
    expect(await again.ended).toBe(0);
  });
});
