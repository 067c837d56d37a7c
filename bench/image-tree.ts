import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { LIVE_EXTENSIONS } from '../src/contract/media.ts';
import { postMedia, readFileOutput } from '../support/pipeline-server.ts';
import { makeBase } from '../tools/image-tree/debian.ts';
import { type Dockerfile, parseDockerfile } from '../tools/image-tree/dockerfile.ts';
import type { Tree } from '../tools/image-tree/tree.ts';
import { report, say, type Table } from './report.ts';

// `npm run bench -- image-tree`: follows the pipeline's Dockerfile line by line without Docker, in a folder of this
// machine. It measures the size of the result, starts the server in it and has it analyse a call. It needs root on
// Debian (its programs run with that folder as their root), the npm registry and Debian's packages, both as this
// machine reaches them. It takes a few minutes. `--json`: the tables as JSON. `--keep`: keeps the folder.

/** Limit of the image's size, MB. */
const LIMIT_MB = 600;
/**
 * Generous estimate of the size of the parts of the official base image that the tree does not have, MB: yarn, corepack
 * and Node's headers.
 */
const NOT_PUT_TOGETHER_MB = 20;
/** Number of packages that the table lists, largest first. */
const NAMED_PACKAGES = 6;

const ROOT = join(import.meta.dirname, '..');
const CALL = readFileSync(join(ROOT, 'test/fixtures/call.wav'));

const megabytes = (bytes: number): number => Math.round(bytes / 1e5) / 10;

interface Part {
  name: string;
  bytes: number;
}

/** Follows all stages. @returns the last one's tree and the size of its parts */
function follow(dockerfile: Dockerfile, work: string): { tree: Tree; parts: Part[] } {
  const made = new Map<string, Tree>();
  const bases: Part[] = [];
  let tree: Tree | undefined;
  let parts: Part[] = [];
  for (const [n, { base, name, steps }] of dockerfile.stages.entries()) {
    let from = made.get(base);
    if (!from) {
      say(`${base}`);
      const begun = makeBase(base, work);
      from = begun.tree;
      bases.push(...begun.parts);
    }
    tree = from.copy(join(work, `stage-${n}`));
    parts = [];
    for (const step of steps) {
      if (step.type === 'run') {
        say(`RUN ${step.command}`);
        tree.run(step.command, step.folder);
        continue;
      }
      const before = tree.bytes();
      const origin = step.from === undefined ? ROOT : made.get(step.from)!.folder;
      const target = posix.resolve(step.folder, step.target) + (step.target.endsWith('/') ? '/' : '');
      tree.take(
        step.sources.map((source) => resolve(origin, `./${source}`)),
        target,
      );
      parts.push({ name: step.from ?? step.sources.join(' '), bytes: tree.bytes() - before });
    }
    if (name) made.set(name, tree);
  }
  if (!tree) throw new Error('the Dockerfile has no stage');
  return { tree, parts: [...bases, ...parts] };
}

function sizes(tree: Tree, parts: Part[]): { table: Table; total: number } {
  const rest = { name: 'yarn, corepack, headers of Node (estimated)', bytes: NOT_PUT_TOGETHER_MB * 1e6 };
  const all = tree.bytes() + rest.bytes;
  const rows = [...parts, rest, { name: 'all', bytes: all }].map(({ name, bytes }) => [name, megabytes(bytes)]);
  return {
    table: { title: 'The image, MB of 1,000,000 bytes', columns: ['part', 'MB'], rows, note: `at most ${LIMIT_MB}` },
    total: megabytes(all),
  };
}

function packages(tree: Tree, folder: string): Table {
  const place = posix.join(folder, 'node_modules');
  const names = readdirSync(tree.path(place)).flatMap((name) =>
    name.startsWith('@') ? readdirSync(tree.path(place, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  const weighed = names
    .map((name) => ({ name, bytes: tree.bytes(posix.join(place, name)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const others = weighed.slice(NAMED_PACKAGES).reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = [...weighed.slice(0, NAMED_PACKAGES), { name: 'others', bytes: others }];
  return {
    title: 'Its packages',
    columns: ['package', 'MB'],
    rows: rows.map(({ name, bytes }) => [name, megabytes(bytes)]),
  };
}

/** A process's CPU seconds so far, and its current and peak memory in MB. */
function used(pid: number): { cpu: number; holds: number; held: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The format is "pid (name) state ppid …". User and system time are fields 14 and 15, in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
  return {
    cpu: (Number(fields[11]) + Number(fields[12])) / 100,
    holds: megabytes(kilobytes('VmRSS') * 1024),
    held: megabytes(kilobytes('VmHWM') * 1024),
  };
}

/** Starts the server as the image does, on a given number of cores, has it analyse a call, and stops it. */
async function live(
  tree: Tree,
  { command, env, folder, user }: Dockerfile,
  cores: number,
): Promise<(string | number)[]> {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10;
  const variables = { ...env, PORT: '0', HOST: '127.0.0.1' };
  const container = tree.start(command, { folder, user, env: variables, cores });
  const ended = once(container, 'exit');
  try {
    let port: string | undefined;
    for await (const line of createInterface({ input: container.stdout! })) {
      port = /listening on port (\d+)/.exec(line)?.[1];
      if (port) break;
    }
    if (!port) throw new Error('the server ended before it listened');
    const startS = seconds();
    const pid = Number(readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim());
    const start = used(pid);
    const { result } = await readFileOutput(await postMedia(`http://127.0.0.1:${port}`, CALL));
    if (result.speakers.count !== 2 || !/send me the contract/i.test(JSON.stringify(result.timeline)))
      throw new Error('the analysis is not that of the call');
    const analysisS = Math.round((seconds() - startS) * 10) / 10;
    const { held } = used(pid);
    process.kill(pid, 'SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`asked to end, it ended with ${code}`);
    return [cores, startS, start.cpu, start.holds, start.held, analysisS, held];
  } finally {
    container.kill('SIGKILL');
  }
}

/** Media other than WAV: the tree's decoder reads the output of the tree's encoder. */
function decodes(tree: Tree): void {
  for (const suffix of LIVE_EXTENSIONS.filter((extension) => extension !== '.pcm'))
    tree.run(
      `ffmpeg -v error -f lavfi -i sine=duration=1 -y /tmp/sound${suffix} && ffmpeg -v error -i /tmp/sound${suffix} -f s16le - | grep -q . && rm /tmp/sound${suffix}`,
    );
}

async function main(): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Error('npm run bench -- image-tree needs root: programs run with a folder as their root');
  const dockerfile = parseDockerfile(readFileSync(join(ROOT, 'containers/pipeline/Dockerfile'), 'utf8'));
  const work = mkdtempSync(join(tmpdir(), 'undertone-image-'));
  try {
    const { tree, parts } = follow(dockerfile, work);
    const { table, total } = sizes(tree, parts);
    const weighed = packages(tree, dockerfile.folder);
    const foreign = tree.foreign(dockerfile.folder);
    if (foreign.length > 0) throw new Error(`binaries of other systems: ${foreign.join(', ')}`);
    decodes(tree);
    say(`${dockerfile.command.join(' ')}`);
    const rows = [await live(tree, dockerfile, 1), await live(tree, dockerfile, 2)];
    report('image-tree', [
      table,
      weighed,
      {
        title: 'The server in it, and one analysis of a call of 37 s',
        columns: ['cores', 'start s', 'start CPU s', 'idle MB', 'peak MB', 'analysis s', 'peak with it MB'],
        rows,
      },
    ]);
    if (total > LIMIT_MB) throw new Error(`the image weighs ${total} MB, more than ${LIMIT_MB}`);
  } finally {
    if (process.argv.includes('--keep')) say(`kept in ${work}`);
    else rmSync(work, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
