import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postMedia, readFileOutput } from '../../support/pipeline-server.ts';
import { fixtureBytes } from '../../support/recordings.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOOK_EVERY_MS = 25;
/** ONNX Runtime's uploader sends its notes within some seconds after an analysis. */
const LISTEN_MS = 6000;

/** An end of a TCP connection in /proc/net: on the loopback network, or not yet connected. */
function isLocal(address: string): boolean {
  const host = address.split(':')[0]!;
  const v4 = host.replace(/^0{16}FFFF0000/, '');
  return /^0+$/.test(host) || host === '00000000000000000000000001000000' || (v4.length === 8 && v4.endsWith('7F'));
}

/**
 * The sockets of a process that reach beyond this machine, from Linux's tables: including any UDP socket, which name
 * look-ups use.
 */
function socketsBeyond(pid: number): string[] {
  const own = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      if (inode) own.add(inode);
    } catch {
      // Closed since it was listed.
    }
  }
  const tables = readdirSync(`/proc/${pid}/net`).filter((name) => /^(tcp|udp|raw)6?$/.test(name));
  return tables.flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local = '', remote = '', , , , , , , inode = '']) => {
        return own.has(inode) && !(table.startsWith('tcp') && isLocal(local) && isLocal(remote));
      })
      .map(([, local, remote]) => `${table} ${local} ${remote}`),
  );
}

describe('a pipeline process', () => {
  let folder: string;
  let server: ChildProcess;
  let url: string;
  const seen = new Set<string>();
  let looks = 0;
  /** Every call beyond this machine goes through this proxy, so that none is too short to be seen. */
  const proxy = createServer();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'undertone-test-'));
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1' };
    proxy.on('connection', (socket) => {
      socket.once('data', (head) => {
        seen.add(String(head).split('\r\n')[0]!);
        socket.destroy();
      });
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) env[name] = `http://127.0.0.1:${port}`;
    for (const name of ['HOME', 'TMPDIR']) {
      env[name] = join(folder, name);
      mkdirSync(env[name]);
    }
    server = spawn(process.execPath, [join(ROOT, 'containers/pipeline/server.ts')], {
      env,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const watch = setInterval(() => {
      try {
        for (const socket of socketsBeyond(server.pid!)) seen.add(socket);
        looks++;
      } catch {
        // The process is exiting, or this is not Linux: there are no tables.
      }
    }, LOOK_EVERY_MS);
    server.once('exit', () => clearInterval(watch));
    for await (const part of server.stdout!) {
      const port = /listening on port (\d+)/.exec(String(part))?.[1];
      if (port) {
        url = `http://127.0.0.1:${port}`;
        break;
      }
    }
  });
  afterAll(() => {
    server.kill('SIGKILL');
    proxy.close();
    rmSync(folder, { recursive: true });
  });

  it('analyses a call without a socket beyond this machine, a name look-up or a file', async () => {
    const { result } = await readFileOutput(await postMedia(url, fixtureBytes('call.wav'), { quality: 'fast' }));
    expect(result.utterances).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, LISTEN_MS));
    server.kill('SIGTERM');
    await once(server, 'exit');
    expect([...seen]).toEqual([]);
    if (process.platform === 'linux') expect(looks).toBeGreaterThan(200);
    else console.warn('sockets can be watched on Linux only; the files were watched here');
    for (const name of ['HOME', 'TMPDIR']) expect(readdirSync(join(folder, name), { recursive: true })).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(['HOME', 'TMPDIR']);
  });
});

it('loads ONNX Runtime in one module, after silencing it', () => {
  const loading = ['bench', 'containers', 'scripts', 'src', 'test']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter(
      (path) =>
        /\.[cm]?[jt]s$/.test(path) &&
        /(?:from|import\(|require\()\s*['"`]onnxruntime-/.test(readFileSync(join(ROOT, path), 'utf8')),
    );
  expect(loading).toEqual([join('containers', 'pipeline', 'models', 'runtime.ts')]);
  const runtime = readFileSync(join(ROOT, 'containers/pipeline/models/runtime.ts'), 'utf8');
  expect(runtime).toMatch(/^import '.\/no-telemetry.ts';$/m);
  expect(readFileSync(join(ROOT, 'containers/pipeline/Dockerfile'), 'utf8')).toMatch(
    /^ENV .*ORT_DISABLE_TELEMETRY=1$/m,
  );
});
