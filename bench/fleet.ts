import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { LiveSessionBody } from '../src/contract/live.ts';
import { startEchoPipeline } from '../support/echo-pipeline.ts';
import type { LiveReader } from '../support/live-client.ts';
import { type LiveStack, startLiveStack } from '../support/live-service.ts';
import { report, say } from './report.ts';

// The pool of pipelines in the real Worker: live sessions that all begin at once with no container running, some of
// whose containers then die, and whose pool loses its memory. A stand-in for the container class needs a time to start
// and forwards to a pipeline without recognition. Figures include this machine, which runs everything.

const { values } = parseArgs({
  strict: false,
  options: {
    instances: { type: 'string', default: '10' },
    slots: { type: 'string', default: '6' },
    share: { type: 'string', default: '60' },
    kill: { type: 'string', default: '30' },
    'start-ms': { type: 'string', default: '3000' },
  },
});
const INSTANCES = Number(values.instances);
const SLOTS = Number(values.slots);
const SESSIONS = Math.round((INSTANCES * SLOTS * Number(values.share)) / 100);
const KILLED = Math.round((INSTANCES * Number(values.kill)) / 100);
/** Interval of a session's chunks, and the length of each phase, ms. */
const CHUNK_MS = 1_000;
const PHASE_MS = 20_000;

const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(share * numbers.length) - 1] ?? Number.NaN;
const seconds = (ms: number): number => Math.round(ms / 10) / 100;

/** A client that sends a chunk each second, and notes when the utterance of each arrives. */
class FleetClient {
  session!: LiveSessionBody;
  /** Time from the first request to the answer that has a session, and the number of refusals before it. */
  waitMs = 0;
  refusals = 0;
  /** When each chunk was sent and when its utterance arrived, `performance.now()`. */
  readonly sent: number[] = [];
  readonly told: number[] = [];
  /** Chunks that were not acknowledged. */
  faults = 0;
  readonly #stack: LiveStack;
  #reader!: LiveReader;
  #reading!: Promise<void>;

  constructor(stack: LiveStack) {
    this.#stack = stack;
  }

  async start(): Promise<void> {
    const begun = performance.now();
    for (;;) {
      const response = await this.#stack.client.json('/analyze/live/start', { suffix: '.pcm' });
      if (response.ok) {
        this.session = (await response.json()) as LiveSessionBody;
        break;
      }
      if (response.status !== 503) throw new Error(await response.text());
      this.refusals++;
      await response.body?.cancel();
      await pause(Number(response.headers.get('Retry-After')) * 1000);
    }
    this.waitMs = performance.now() - begun;
    this.#reader = await this.#stack.client.attach(this.session);
    this.#reading = this.#read();
  }

  async #read(): Promise<void> {
    await this.#reader.until(({ event, data }) => {
      if (event === 'final_transcript') this.told[Number(/^chunk (\d+) /.exec(data.text)?.[1])] = performance.now();
      return event === 'done' || event === 'error';
    });
  }

  async send(until: number): Promise<void> {
    while (performance.now() < until) {
      const seq = this.sent.push(performance.now()) - 1;
      const response = await this.#stack.client.chunk(this.session, seq);
      if (!response.ok) this.faults++;
      await response.body?.cancel();
      await pause(Math.max(0, this.sent[seq]! + CHUNK_MS - performance.now()));
    }
  }

  async end(): Promise<void> {
    await this.#stack.client.control(this.session, 'finalize');
    await this.#reading;
  }

  /** Delays of the utterances of chunks sent in a period, ms; infinite for one that never arrived. */
  delays(from: number, to: number): number[] {
    return this.sent.flatMap((at, seq) =>
      at < from || at >= to ? [] : [(this.told[seq] ?? Number.POSITIVE_INFINITY) - at],
    );
  }

  /** Utterances that are missing, and those that came twice. */
  get wrong(): { lost: number; twice: number } {
    const texts = this.#reader.received.flatMap(({ event, data }) =>
      event === 'final_transcript' ? [data.text as string] : [],
    );
    return { lost: this.sent.length - new Set(texts).size, twice: texts.length - new Set(texts).size };
  }

  phases(phase: string): number {
    return this.#reader.received.filter(({ event, data }) => event === 'status' && data.phase === phase).length;
  }
}

const pipelines = await Promise.all(Array.from({ length: INSTANCES }, () => startEchoPipeline({ slots: SLOTS })));
const stack = await startLiveStack({
  RUNTIME_URL: '',
  POOL_MAX: String(INSTANCES),
  CONTAINERS: pipelines.map(({ url }) => url).join(),
  CONTAINER_START_MS: String(values['start-ms']),
});
const clients = Array.from({ length: SESSIONS }, () => new FleetClient(stack));
const holderOf = (id: string): number => pipelines.findIndex(({ sessions }) => sessions.has(id));
/** The most sessions that a pipeline had at a time, sampled each second. */
let mostHeld = 0;
const sampler = setInterval(() => {
  mostHeld = Math.max(mostHeld, ...pipelines.map(({ sessions }) => sessions.size));
}, 1_000);

say(`${SESSIONS} sessions start, with no container running`);
await Promise.all(clients.map((client) => client.start()));
const phase = async (): Promise<{ from: number; to: number }> => {
  const from = performance.now();
  await Promise.all(clients.map((client) => client.send(from + PHASE_MS)));
  return { from, to: performance.now() };
};
say('all have a place');
const calm = await phase();

const dead = new Set(pipelines.filter(({ sessions }) => sessions.size > 0).slice(0, KILLED));
const displaced = clients.filter(({ session }) => dead.has(pipelines[holderOf(session.session_id)]!));
say(`${dead.size} containers with ${displaced.length} sessions die`);
const killedAt = performance.now();
await Promise.all(
  [...dead].map(async (pipeline) => {
    await pipeline.close();
    pipeline.sessions.clear();
  }),
);
await phase();
/** Time until each displaced session heard an utterance of a chunk that it sent after its container had died, ms. */
const awayMs = displaced.map(({ sent, told }) => {
  const next = sent.findIndex((at) => at >= killedAt);
  return (told[next] ?? Number.POSITIVE_INFINITY) - killedAt;
});

say('the pool loses its memory');
const before = clients.map(({ session }) => holderOf(session.session_id));
await stack.crashPool();
const reset = await phase();
const moved = clients.filter(({ session }, n) => holderOf(session.session_id) !== before[n]).length;

say('all sessions are finalized');
await Promise.all(clients.map((client) => client.end()));
clearInterval(sampler);

const delays = ({ from, to }: { from: number; to: number }) => clients.flatMap((client) => client.delays(from, to));
const sum = (of: (client: FleetClient) => number): number => clients.reduce((all, client) => all + of(client), 0);
report('fleet', [
  {
    title: `${SESSIONS} live sessions on at most ${INSTANCES} containers with ${SLOTS} slots each, in the real Worker`,
    columns: ['measure', 'value'],
    rows: [
      [
        'wait for a place at the start, 95 %, s',
        seconds(
          quantile(
            clients.map(({ waitMs }) => waitMs),
            0.95,
          ),
        ),
      ],
      ['starts refused with 503', sum(({ refusals }) => refusals)],
      ['from a chunk to its utterance, 95 %, s', seconds(quantile(delays(calm), 0.95))],
      [`${dead.size} containers die: sessions displaced`, displaced.length],
      ['until their next words, 95 %, s', seconds(quantile(awayMs, 0.95))],
      ['until their next words, most, s', seconds(Math.max(0, ...awayMs))],
      ['sessions that had to wait for a place', sum((client) => Number(client.phases('waiting_capacity') > 0))],
      ['the pool is reset: sessions that moved', moved],
      ['from a chunk to its utterance after it, 95 %, s', seconds(quantile(delays(reset), 0.95))],
      ['most sessions of a container at once', mostHeld],
      ['chunks sent', sum(({ sent }) => sent.length)],
      ['chunks not acknowledged', sum(({ faults }) => faults)],
      ['utterances lost', sum(({ wrong }) => wrong.lost)],
      ['utterances twice', sum(({ wrong }) => wrong.twice)],
    ],
    note: `A container needs ${values['start-ms']} ms to start. Pipelines recognise nothing, so there is no service time.`,
  },
]);
await stack.stop();
await Promise.all(pipelines.filter((pipeline) => !dead.has(pipeline)).map((pipeline) => pipeline.close()));
process.exit();
