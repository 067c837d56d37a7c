import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, pipelineProcess, type RestartableProcess, workerProcess } from './processes.ts';
import { say, type Table } from './report.ts';
import { treeCpuMs } from './workerd.ts';

// A file's whole way through the service, from the request's first byte to the answer's last: Worker, storage and pipeline
// as processes of their own.

const KEY = 'whole-way-key';
const ROOT = join(import.meta.dirname, '..');

interface Cost {
  /** Seconds. */
  wall: number;
  /** Of all processes of the service together, seconds. */
  cpu: number;
}

/** The service of a checkout, whose packages are installed. */
class Service {
  readonly name: string;
  readonly #root: string;
  readonly #folder: string;
  readonly #processes: RestartableProcess[] = [];
  #url = '';

  constructor(name: string, root: string, folder: string) {
    this.name = name;
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

  async analyse(media: Uint8Array<ArrayBuffer>): Promise<Cost> {
    const cpu = this.#cpuMs();
    const began = performance.now();
    const body = new FormData();
    body.set('file', new File([media], 'call.wav'));
    const answer = await fetch(`${this.#url}/analyze`, { method: 'POST', headers: { 'X-API-Key': KEY }, body });
    if (!answer.ok) throw new Error(`${this.name} answered ${answer.status} ${await answer.text()}`);
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

const least = (values: number[]): number => Math.min(...values);

/**
 * @param path a recording of so many seconds
 * @param against another checkout's folder, whose service has its turn beside this one's, run by run
 */
export async function wholeWay(
  path: string,
  seconds: number,
  { folder, against, runs }: { folder: string; against: string | undefined; runs: number },
): Promise<Table> {
  const services = [new Service('this checkout', ROOT, join(folder, 'this'))];
  if (against !== undefined) services.push(new Service(against, against, join(folder, 'against')));
  const media = new Uint8Array(readFileSync(path));
  const costs = new Map<Service, Cost[]>(services.map((service) => [service, []]));
  try {
    for (const service of services) await service.start();
    // The first file finds code uncompiled.
    for (let run = 0; run <= runs; run++)
      for (const service of services) {
        const cost = await service.analyse(media);
        if (run > 0) costs.get(service)!.push(cost);
        say(`${service.name}, run ${run}: ${cost.wall.toFixed(1)} s, CPU ${cost.cpu.toFixed(1)} s`);
      }
  } finally {
    for (const service of services) await service.stop();
  }
  const bests = services.map((service) => ({
    name: service.name,
    wall: least(costs.get(service)!.map(({ wall }) => wall)),
    cpu: least(costs.get(service)!.map(({ cpu }) => cpu)),
  }));
  const rows: Table['rows'] = bests.map(({ name, wall, cpu }) => [name, wall, seconds / wall, (1000 * cpu) / seconds]);
  const [mine, other] = bests;
  if (mine && other) rows.push(['ratio', mine.wall / other.wall, null, mine.cpu / other.cpu]);
  return {
    title: `A file of ${seconds / 60} minutes through the whole service, request to answer, least of ${runs}`,
    columns: ['service', 'wall s', 'audio s per s', 'CPU ms per audio s'],
    rows,
    note: 'CPU of all processes together: wrangler dev, workerd, pipeline, ffmpeg. Bar: at most 1.0 x the commit before, in one run (--against <its folder>).',
  };
}
