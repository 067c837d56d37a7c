import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Quality } from '../src/contract/options.ts';
import { freePort, pipelineProcess, type RestartableProcess, workerProcess } from './processes.ts';
import { say, type Table } from './report.ts';
import { treeCpuMs } from './workerd.ts';

// A file's path through the whole service, from the request's first byte to the answer's last. Worker, storage and
// pipeline are separate processes.

const KEY = 'whole-way-key';
const ROOT = join(import.meta.dirname, '..');

interface Cost {
  /** Seconds. */
  wall: number;
  /** CPU time of all processes of the service together, seconds. */
  cpu: number;
}

/** The service of a checkout, whose packages are installed. */
class Service {
  readonly #root: string;
  readonly #folder: string;
  readonly #processes: RestartableProcess[] = [];
  #url = '';

  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = folder;
  }

  async start(): Promise<void> {
    const [pipelinePort, workerPort] = [await freePort(), await freePort()];
    const vars = { RUNTIME_URL: `http://127.0.0.1:${pipelinePort}`, API_KEYS: KEY };
    this.#processes.push(
      pipelineProcess(pipelinePort, {}, undefined, this.#root),
      workerProcess(workerPort, this.#folder, vars, undefined, this.#root),
    );
    for (const process of this.#processes) await process.start();
    this.#url = `http://127.0.0.1:${workerPort}`;
  }

  /** @param quality absent for the service's default, since an older service does not know the field */
  async analyse(media: Uint8Array<ArrayBuffer>, quality?: Quality): Promise<Cost> {
    const cpu = this.#cpuMs();
    const began = performance.now();
    const body = new FormData();
    if (quality) body.set('quality', quality);
    body.set('file', new File([media], 'call.wav'));
    const answer = await fetch(`${this.#url}/analyze`, { method: 'POST', headers: { 'X-API-Key': KEY }, body });
    if (!answer.ok) throw new Error(`${this.#root} answered ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    const wall = (performance.now() - began) / 1000;
    return { wall, cpu: (this.#cpuMs() - cpu) / 1000 };
  }

  async stop(): Promise<void> {
    for (const process of this.#processes) await process.kill();
  }

  #cpuMs(): number {
    return this.#processes.reduce((sum, { pid }) => sum + treeCpuMs(pid), 0);
  }
}

/** One way to request an analysis of a file, and the cost of each run. */
interface Way {
  name: string;
  service: Service;
  quality?: Quality;
  costs: Cost[];
}

const least = (values: number[]): number => Math.min(...values);

/**
 * @param path a recording with the given duration
 * @param against folder of another checkout, whose service alternates with this one's, run by run
 */
export async function wholeWay(
  path: string,
  seconds: number,
  { folder, against, runs }: { folder: string; against: string | undefined; runs: number },
): Promise<Table> {
  const mine = new Service(ROOT, join(folder, 'this'));
  const other = against === undefined ? undefined : new Service(against, join(folder, 'against'));
  const ways: Way[] = [
    { name: 'this checkout, best', service: mine, quality: 'best', costs: [] },
    { name: 'this checkout, fast', service: mine, quality: 'fast', costs: [] },
  ];
  if (other) ways.push({ name: String(against), service: other, costs: [] });
  const media = new Uint8Array(readFileSync(path));
  try {
    await mine.start();
    await other?.start();
    // The first file runs into uncompiled code.
    for (let run = 0; run <= runs; run++)
      for (const { name, service, quality, costs } of ways) {
        const cost = await service.analyse(media, quality);
        if (run > 0) costs.push(cost);
        say(`${name}, run ${run}: ${cost.wall.toFixed(1)} s, CPU ${cost.cpu.toFixed(1)} s`);
      }
  } finally {
    await mine.stop();
    await other?.stop();
  }
  const leasts = ways.map(({ name, service, costs }) => ({
    name,
    service,
    wall: least(costs.map(({ wall }) => wall)),
    cpu: least(costs.map(({ cpu }) => cpu)),
  }));
  const theirs = leasts.find(({ service }) => service === other);
  return {
    title: `A file of ${seconds / 60} minutes through the whole service, request to answer, least of ${runs}`,
    columns: ['service', 'wall s', 'audio s per s', 'CPU ms per audio s'],
    rows: [
      ...leasts.map(({ name, wall, cpu }) => [name, wall, seconds / wall, (1000 * cpu) / seconds]),
      ...leasts.flatMap(({ name, service, wall, cpu }) =>
        theirs && service === mine ? [[`${name} / ${theirs.name}`, wall / theirs.wall, null, cpu / theirs.cpu]] : [],
      ),
    ],
    note: 'CPU of all processes together: wrangler dev, workerd, pipeline, ffmpeg. Bar: fast at most 1.0 x a checkout that hears once, in one run (--against <its folder>).',
  };
}
