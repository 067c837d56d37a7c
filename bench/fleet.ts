import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type EchoPipeline, startEchoPipeline } from '../support/echo-pipeline.ts';
import { startLiveStack } from '../support/live-service.ts';
import { FleetClient, type Period } from './fleet/client.ts';
import { quantileOf, SERVICE_TIMES } from './fleet/service-times.ts';
import { report, say } from './report.ts';
import { randomNumbers } from './simulation/inputs.ts';

// The pool of pipelines in the real Worker: live sessions that all begin at once with no container running, containers
// that die or are replaced by those of a new image, and a pool that loses its memory. A stand-in for the container class
// needs a time to start and forwards to pipelines with a model of their service times. Figures include this machine,
// which runs everything. `--real` measures two real pipelines instead and compares them with the model.

const { values } = parseArgs({
  strict: false,
  options: {
    instances: { type: 'string', default: '10' },
    slots: { type: 'string', default: '6' },
    share: { type: 'string', default: '60' },
    kill: { type: 'string', default: '30' },
    'start-ms': { type: 'string', default: '5000' },
    real: { type: 'boolean', default: false },
    loads: { type: 'string', default: '1,2,3,4' },
    seconds: { type: 'string', default: '60' },
  },
});
if (values.real) {
  const { compareWithReal } = await import('./fleet/real.ts');
  report('fleet', await compareWithReal(String(values.loads).split(',').map(Number), Number(values.seconds)));
  process.exit();
}

const INSTANCES = Number(values.instances);
const SLOTS = Number(values.slots);
const SHARE = Number(values.share);
/** Share of the slots in use in the loaded phase, before the faults, per cent. */
const BUSY_SHARE = 80;
const sessionsAt = (share: number): number => Math.round((INSTANCES * SLOTS * share) / 100);
const KILLED = Math.round((INSTANCES * Number(values.kill)) / 100);
const PHASE_MS = 15_000;
/** A session whose utterances come sooner has caught up, ms. */
const CAUGHT_UP_MS = 2_000;
/** How long a container may drain, ms; 14 minutes by default in production. */
const DRAIN_MS = 60_000;
/** Interval of the starts during the deployment, ms. */
const PROBE_MS = 2_000;

const seconds = (ms: number): number => Math.round(ms / 10) / 100;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** One line of the acceptance list. `bar`: the most that is accepted. */
const lines: [line: string, bar: number, unit: string, value: number][] = [];
const accept = (line: string, bar: number, unit: string, value: number) => lines.push([line, bar, unit, value]);

const random = randomNumbers(31);
/** A container with one thread, which has one utterance after the other. */
const instance = async (port = 0): Promise<EchoPipeline> => {
  let thread: Promise<unknown> = Promise.resolve();
  const { workMs, besideShare, recalledShare } = SERVICE_TIMES;
  const work = (isRecalled: boolean): Promise<unknown> => {
    const left = 1 - Math.min(SLOTS, pipeline.sessions.size) * besideShare;
    const alone = (workMs[Math.floor(random() * workMs.length)]! * (isRecalled ? recalledShare : 1)) / left;
    thread = thread.then(() => pause(alone));
    return thread;
  };
  const pipeline = await startEchoPipeline({ port, slots: SLOTS, service: { work } });
  return pipeline;
};
const pipelines = await Promise.all(Array.from({ length: INSTANCES }, () => instance()));
const stack = await startLiveStack({
  RUNTIME_URL: '',
  POOL_MAX: String(INSTANCES),
  CONTAINERS: pipelines.map(({ url }) => url).join(),
  CONTAINER_START_MS: String(values['start-ms']),
});
const holderOf = (id: string): number => pipelines.findIndex(({ sessions }) => sessions.has(id));
/** Since when each pipeline has had more sessions than slots, and the longest time, ms. */
const overSince = new Map<number, number>();
let overMs = 0;
const sampler = setInterval(() => {
  for (const [i, { sessions }] of pipelines.entries())
    if ([...sessions.values()].filter(({ finalized }) => !finalized).length <= SLOTS) overSince.delete(i);
    else {
      if (!overSince.has(i)) overSince.set(i, performance.now());
      overMs = Math.max(overMs, performance.now() - overSince.get(i)!);
    }
}, 250);
const replace = async (i: number): Promise<void> => {
  pipelines[i] = await instance(Number(new URL(pipelines[i]!.url).port));
};
const phase = async (of: readonly FleetClient[], ms = PHASE_MS): Promise<Period> => {
  const from = performance.now();
  await Promise.all(of.map((client) => client.send(from + ms)));
  return { from, to: performance.now() };
};
const delaysOf = (of: readonly FleetClient[], period: Period): number[] =>
  of.flatMap((client) => client.delays(period));

const newClient = (): FleetClient => new FleetClient(stack, random);

say('one session alone');
const alone = await newClient().start();
const calm = await phase([alone]);

const clients = Array.from({ length: sessionsAt(SHARE) }, () => newClient());
say(`${clients.length} sessions start at once`);
await Promise.all(clients.map((client) => client.start()));
const waitMs = quantileOf(
  clients.map((client) => client.waitMs),
  0.95,
);
accept('all sessions start at once: a place, 95 %', 15, 's', seconds(waitMs));

const others = Array.from({ length: sessionsAt(BUSY_SHARE) - clients.length - 1 }, () => newClient());
await Promise.all(others.map((client) => client.start()));
say(`${BUSY_SHARE} % of the slots`);
const busy = [...clients, ...others];
const loaded = await phase(busy);
await Promise.all([alone, ...others].map((client) => client.end()));

const dead = new Set([...pipelines.keys()].filter((i) => pipelines[i]!.sessions.size > 0).slice(0, KILLED));
const displaced = clients.filter(({ session }) => dead.has(holderOf(session.session_id)));
say(`${dead.size} containers with ${displaced.length} sessions die`);
const killedAt = performance.now();
await Promise.all(
  [...dead].map(async (i) => {
    await pipelines[i]!.close();
    pipelines[i]!.sessions.clear();
  }),
);
const killed = await phase(clients);
say('a new image: one container after the other is replaced');
await Promise.all([...dead].map(replace));
const over = new AbortController();
const deployedAt = performance.now();
const sending = Promise.all(clients.map((client) => client.send(Number.POSITIVE_INFINITY, over.signal)));
let refused = 0;
const probing = (async () => {
  while (!over.signal.aborted) {
    const probe = await newClient().start();
    refused += probe.refusals;
    await stack.client.control(probe.session, 'cancel');
    await pause(PROBE_MS);
  }
})();
for (const i of pipelines.keys()) {
  await pipelines[i]!.drain(DRAIN_MS);
  await replace(i);
}
const deployed = { from: deployedAt, to: performance.now() };
over.abort();
await Promise.all([sending, probing]);
const settled = await phase(clients, 5_000);
say('the pool loses its memory');
const before = clients.map(({ session }) => holderOf(session.session_id));
await stack.crashPool();
const reset = await phase(clients);
const moved = clients.filter(({ session }, n) => holderOf(session.session_id) !== before[n]).length;
say('all sessions are finalized');
await Promise.all(clients.map((client) => client.end()));
clearInterval(sampler);

// An utterance may come after its phase, so delays are known only at the end.
const baseMs = quantileOf(alone.delays(calm), 0.95);
const busyMs = quantileOf(delaysOf(busy, loaded), 0.95);
accept(`${BUSY_SHARE} % load: final texts, 95 %, above one session alone`, 1, 's', seconds(busyMs - baseMs));

/** Time until each displaced session heard an utterance of a chunk that it sent after its container had died, ms. */
const awayMs = displaced.map(({ sent, told }) => {
  const next = sent.findIndex((at) => at >= killedAt);
  return (told[next] ?? Number.POSITIVE_INFINITY) - killedAt;
});
/** Time until the last utterance of each displaced session that came late was sent, ms. */
const behindMs = displaced.map(({ sent, told }) => {
  const late = sent.findLastIndex((at, seq) => at >= killedAt && (told[seq] ?? Infinity) - at > CAUGHT_UP_MS);
  return late < 0 ? 0 : sent[late]! + 1_000 - killedAt;
});
accept(`${dead.size} containers die at ${SHARE} % load: the next words, all`, 15, 's', seconds(Math.max(0, ...awayMs)));
accept('the same: under 2 s of lag again, 95 %', 240, 's', seconds(quantileOf(behindMs, 0.95)));

accept(`new image at ${SHARE} % load: starts refused`, 0, '', refused);
accept('the same: the longest delay of a text', 5, 's', seconds(Math.max(...delaysOf(clients, deployed))));
accept('the same: every container replaced', 20, 'min', Math.round((deployed.to - deployed.from) / 600) / 100);

accept('the pool is reset: sessions that moved', 0, '', moved);
accept('the same: the longest silence', 10, 's', seconds(Math.max(...clients.map((client) => client.silence(reset)))));

const all = [alone, ...busy];
accept('a container above its slots', 10, 's', seconds(overMs));
accept('chunks not acknowledged, in all phases', 0, '', sum(all.map(({ faults }) => faults)));
accept('utterances lost, in all phases', 0, '', sum(all.map(({ wrong }) => wrong.lost)));
accept('utterances twice, in all phases', 0, '', sum(all.map(({ wrong }) => wrong.twice)));

const texts95 = (period: Period): number => seconds(quantileOf(delaysOf(clients, period), 0.95));
report('fleet', [
  {
    title: `Live sessions on at most ${INSTANCES} containers with ${SLOTS} slots each, in the real Worker`,
    columns: ['measure', 'at most', 'measured', 'met'],
    rows: lines.map(([line, bar, unit, value]) => [
      unit ? `${line}, ${unit}` : line,
      bar,
      value,
      value <= bar ? 'yes' : 'NO',
    ]),
    note: `A container needs ${values['start-ms']} ms to start. Load of this machine: ${loadavg()[0]!.toFixed(0)}. Service times are a model (--real compares it with two pipelines).`,
  },
  {
    title: 'Beside that',
    columns: ['measure', 'value'],
    rows: [
      ['sessions at 60 % and 80 % load'.replace('60', String(SHARE)), `${clients.length}, ${busy.length}`],
      ['one session alone: final texts, 95 %, s', seconds(baseMs)],
      [`${BUSY_SHARE} % load: final texts, 95 %, s`, seconds(busyMs)],
      ['containers die: sessions displaced', displaced.length],
      ['the same: final texts of all sessions, 95 %, s', texts95(killed)],
      ['sessions that had to wait for a place', all.filter((client) => client.phases('waiting_capacity') > 0).length],
      ['starts refused with 503 outside the new image', sum(all.map(({ refusals }) => refusals))],
      ['after the new image: final texts, 95 %, s', texts95(settled)],
      ['the pool is reset: final texts, 95 %, s', texts95(reset)],
      ['chunks sent', sum(all.map(({ sent }) => sent.length))],
    ],
  },
]);
await stack.stop();
await Promise.all(pipelines.map((pipeline) => pipeline.close()));
process.exitCode = lines.every(([, bar, , value]) => value <= bar) ? 0 : 1;
process.exit();
