import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { ndjsonLine, readNdjson } from '../src/contract/ndjson.ts';
import { type PipelineLine, TRANSCRIPTIONS_TOGETHER_CHARS, type TranscriptionLine } from '../src/contract/pipeline.ts';
import { OPTIONS, SPOKEN } from '../support/pipeline-server.ts';
import { paced } from '../support/recording-chunks.ts';
import { BYTES_PER_SECOND, speech } from './live-stream.ts';
import { freePort, pipelineProcess, type RestartableProcess } from './processes.ts';
import { report, say } from './report.ts';
import { treeCpuMs } from './workerd.ts';

// A pipeline dies in the middle of a live session, and another one is fed the stored chunks: what it costs to catch up
// and to finalize, with and without the transcriptions of the first. This program stands for the Worker.

const { values } = parseArgs({
  strict: false,
  options: { seconds: { type: 'string', default: '600' }, speed: { type: 'string', default: '1' } },
});
const SECONDS = Number(values.seconds);
/** Speed of the first pipeline's session, as a multiple of real time. */
const SPEED = Number(values.speed);
/** A quarter of a second from a client, and what the Worker sends together when it catches up. */
const LIVE_BYTES = BYTES_PER_SECOND / 4;
const TOGETHER_BYTES = 1024 * 1024;
/** A pipeline that has sent this many signs of life in a row without being behind or sending events has caught up. */
const QUIET_SIGNS = 5;
/** Less is the rounding of seconds. */
const LEAST_LAG_S = 0.01;

const audio = speech(SECONDS);

/** A pipeline process. */
class Pipeline {
  readonly #process: RestartableProcess;
  readonly port: number;

  private constructor(process: RestartableProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  static async start(): Promise<Pipeline> {
    const port = await freePort();
    const process = pipelineProcess(port);
    await process.start();
    return new Pipeline(process, port);
  }

  /** CPU time of the process so far, s. */
  get cpuS(): number {
    return treeCpuMs(this.#process.pid) / 1000;
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }
}

/** One live session of a pipeline, from the view of the Worker. */
class Session {
  readonly #base: string;
  readonly lines: PipelineLine[] = [];
  #quietSigns = 0;
  #chunks = 0;
  #waiting: { until: () => boolean; resolve: () => void }[] = [];

  private constructor(base: string) {
    this.#base = base;
  }

  static async open({ port }: Pipeline, id: string): Promise<Session> {
    const session = new Session(`http://127.0.0.1:${port}/sessions/${id}`);
    await session.#call('PUT', '', JSON.stringify({ ...OPTIONS, quality: undefined, suffix: '.pcm' }));
    const { body } = await session.#call('GET', '/lines');
    // It breaks off when the process is killed.
    void session.#read(body!).catch(() => undefined);
    return session;
  }

  get transcriptions(): TranscriptionLine[] {
    return this.lines.filter((line) => line.type === 'transcription');
  }

  /** The events that every process sends alike. */
  get permanent(): string[] {
    return this.lines.flatMap((line) => {
      if (line.type !== 'event' || line.n === undefined) return [];
      const { partial_id: _, ...data } = line.data as { partial_id?: string };
      return [JSON.stringify([line.event, data])];
    });
  }

  async recall(transcriptions: readonly TranscriptionLine[]): Promise<void> {
    let body = '';
    for (const line of [...transcriptions.map(ndjsonLine), null]) {
      if (body !== '' && (line === null || body.length + line.length > TRANSCRIPTIONS_TOGETHER_CHARS)) {
        await this.#call('POST', '/transcriptions', body);
        body = '';
      }
      body += line ?? '';
    }
  }

  async send(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#call('POST', `/chunks/${this.#chunks++}?sizes=${bytes.length}`, bytes);
  }

  /** Waits until the session has this many permanent events, or, without a number, until nothing more comes. */
  async caughtUp(events?: number): Promise<void> {
    this.#quietSigns = 0;
    await this.#until(() => (events === undefined ? this.#quietSigns >= QUIET_SIGNS : this.permanent.length >= events));
  }

  async finalize(): Promise<void> {
    await this.#call('POST', '/finalize');
    await this.#until(() => this.lines.at(-1)?.type === 'result');
  }

  #until(until: () => boolean): Promise<void> {
    if (until()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ until, resolve }));
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    for await (const value of readNdjson(body, new TextDecoder())) {
      const line = value as PipelineLine;
      if (line.type === 'alive') this.#quietSigns = (line.behind_s ?? 1) < LEAST_LAG_S ? this.#quietSigns + 1 : 0;
      else {
        this.#quietSigns = 0;
        this.lines.push(line);
      }
      for (const waiting of this.#waiting.filter(({ until }) => until())) {
        waiting.resolve();
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
      }
      // The bytes of the documents follow.
      if (line.type === 'result') return;
    }
  }

  async #call(method: string, path: string, body?: string | Uint8Array<ArrayBuffer>): Promise<Response> {
    const response = await fetch(`${this.#base}${path}`, { method, headers: SPOKEN, body });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}

/** Feeds a session on another pipeline until it has the events of the one before. */
async function replay(
  pipeline: Pipeline,
  id: string,
  before: Session,
  recalled: readonly TranscriptionLine[],
): Promise<Session> {
  const session = await Session.open(pipeline, id);
  await session.recall(recalled);
  for (let at = 0; at < audio.length; at += TOGETHER_BYTES) await session.send(audio.subarray(at, at + TOGETHER_BYTES));
  await session.caughtUp(before.permanent.length);
  return session;
}

interface ReplayCase {
  name: string;
  recalled: readonly TranscriptionLine[];
  /** Whether the pipeline has served a session already, as those have that a session moves to. */
  isWarm?: boolean;
}

/** Runs the session on another pipeline. @returns a row of the table */
async function replayed({ name, recalled, isWarm = false }: ReplayCase, before: Session) {
  say(name);
  const pipeline = await Pipeline.start();
  try {
    if (isWarm) await (await replay(pipeline, 'earlier', before, recalled)).finalize();
    const [begun, cpu] = [performance.now(), pipeline.cpuS];
    const session = await replay(pipeline, 's', before, recalled);
    const [caughtUp, cpuCaughtUp] = [performance.now(), pipeline.cpuS];
    const isEqual = session.permanent.join() === before.permanent.join();
    await session.finalize();
    return [
      name,
      (caughtUp - begun) / 1000,
      cpuCaughtUp - cpu,
      SECONDS / (cpuCaughtUp - cpu),
      (performance.now() - caughtUp) / 1000,
      pipeline.cpuS - cpuCaughtUp,
      session.transcriptions.length,
      isEqual ? 'yes' : 'no',
      Number(loadavg()[0]?.toFixed(1)),
    ];
  } finally {
    await pipeline.kill();
  }
}

say(`a session of ${SECONDS} s at ${SPEED} times real time`);
const pipeline = await Pipeline.start();
const first = await Session.open(pipeline, 's');
for await (const chunk of paced(audio, LIVE_BYTES, SPEED * BYTES_PER_SECOND)) await first.send(chunk);
await first.caughtUp();
await pipeline.kill();
const told = first.transcriptions;
const chars = told.reduce((sum, line) => sum + ndjsonLine(line).length, 0);
report('replay', [
  {
    title: `A session of ${SECONDS} s continues on another pipeline`,
    columns: [
      'replay',
      'until it has caught up, s',
      'processor, s',
      'seconds of audio in one of them',
      'from `finalize` to the result, s',
      'processor, s',
      'transcribed again',
      'events equal',
      'load of the machine',
    ],
    rows: [
      await replayed({ name: 'without transcriptions', recalled: [] }, first),
      await replayed({ name: 'with transcriptions', recalled: told }, first),
      await replayed({ name: 'with transcriptions, to a pipeline in use', recalled: told, isWarm: true }, first),
    ],
    note: `The first pipeline reported ${told.length} transcriptions in ${Math.round(chars / 1000)} kB; ${first.permanent.length} permanent events. Times depend on the load of the machine, processor time hardly does.`,
  },
]);
