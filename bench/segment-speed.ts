/**
 * CPU time and memory of POST /segment/conversation in workerd for the whole request: parsing, validation,
 * segmentation, answer. CPU time is utime + stime of the workerd processes in /proc (Linux), over repeated requests.
 * The first call is also measured in the processes' first threads alone, which run the Worker, since V8 compiles and
 * collects garbage in others. Then the largest accepted bodies, with every limit reached at once: time to the answer,
 * time of /health in the meantime, and memory.
 */
import { writeFileSync } from 'node:fs';
import { createTestHarness } from 'wrangler';
import { buildDashboard } from '../scripts/start/dashboard.ts';
import '../support/quiet-runtime.ts';
import { report, say, type Table } from './report.ts';
import { atEveryLimit, atTheBytes, SHAPES, TEXTS, talkOf } from './segment-bodies.ts';
import { cpuMs, residentMb, TICK_MS, workerdPids, workerMs } from './workerd.ts';

const KEY = 'segment-speed-key';
/** Requests measured per row. One tick of /proc is 10 ms, so single requests are too short to measure. */
const REPEATS = 10;
/**
 * The long one comes first, so that its first call is the first in a fresh isolate, with uncompiled code and packed
 * weights.
 */
const SIZES = [5000, 500] as const;

// The Worker does not start without its pages.
await buildDashboard();
const harness = createTestHarness({
  workers: [{ configPath: new URL('../wrangler.toml', import.meta.url), vars: { API_KEYS: KEY } }],
});
const { url } = await harness.listen();

/** The longest time of /health during some work. */
async function healthDuring(work: () => Promise<unknown>): Promise<number> {
  let [worst, isOver] = [0, false];
  const watch = (async () => {
    while (!isOver) {
      const begin = performance.now();
      await (await fetch(new URL('/health', url))).text();
      worst = Math.max(worst, performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  await work();
  isOver = true;
  await watch;
  return worst;
}

/** The largest possible bodies, each sent once, after the warm measurements. */
async function atTheLimits(pids: number[]): Promise<Table> {
  const bodies: [string, () => string][] = [
    ...Object.entries(TEXTS).flatMap(([name, words]): [string, () => string][] => [
      [`every limit: ${name}`, () => atEveryLimit(words())],
      [`every limit, 50 utterances: ${name}`, () => atEveryLimit(words(), 50)],
    ]),
    ['every limit: 10,000 speakers', () => atEveryLimit(TEXTS.plain(), undefined, 10_000)],
    ...SHAPES.map((shape): [string, () => string] => [`64 MiB unread: ${shape}`, () => atTheBytes(shape)]),
  ];
  const rows: (string | number)[][] = [];
  for (const [name, make] of bodies) {
    const body = make();
    // Resets the peak.
    for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const resident = residentMb(pids, 'VmRSS');
    const cpu = cpuMs(pids);
    const begin = performance.now();
    let took = 0;
    const health = await healthDuring(async () => {
      await ask(body);
      took = performance.now() - begin;
    });
    const peak = residentMb(pids, 'VmHWM');
    rows.push([name, body.length / 1024 ** 2, took, health, cpuMs(pids) - cpu, peak - resident, peak]);
    say(`${name} done`);
  }
  return {
    title: 'POST /segment/conversation at its limits',
    columns: ['body', 'MB', 'ms', '/health ms at worst', 'CPU ms', 'peak MB over before', 'peak MB'],
    rows,
    note: 'Memory of all processes of workerd, the proxy of wrangler dev among them. Other work on the machine counts into ms.',
  };
}
const ask = async (body: string): Promise<number> => {
  const answer = await fetch(new URL('/segment/conversation', url), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': KEY },
    body,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  const { segmentation } = (await answer.json()) as { segmentation: { total_phases: number } };
  return segmentation.total_phases;
};
try {
  const pids = workerdPids();
  const rows: (string | number | null)[][] = [];
  const measured: number[] = [];
  for (const size of SIZES) {
    const body = JSON.stringify({ timeline: talkOf(size) });
    const before = cpuMs(pids);
    const workerBefore = workerMs(pids);
    const resident = residentMb(pids, 'VmRSS');
    const phases = await ask(body);
    const first = cpuMs(pids) - before;
    const firstWorker = workerMs(pids) - workerBefore;
    const grown = residentMb(pids, 'VmHWM') - resident;
    // Two more requests until the compiler has settled, and then the measured ones.
    await ask(body);
    await ask(body);
    const warm = cpuMs(pids);
    for (let i = 0; i < REPEATS; i++) await ask(body);
    const each = (cpuMs(pids) - warm) / REPEATS;
    measured.push(each);
    rows.push([size, body.length / 1024, first, firstWorker, each, grown, phases]);
    say(`${size} utterances done`);
  }
  report('segment-speed', [
    {
      title: 'POST /segment/conversation in workerd',
      columns: [
        'utterances',
        'body kB',
        'CPU ms first call',
        'of it the Worker',
        'CPU ms warm',
        'peak MB over idle',
        'phases',
      ],
      rows,
      note: `growth ${(measured[0]! / measured[1]!).toFixed(1)} x from ${SIZES[1]} to ${SIZES[0]}; CPU of the whole workerd process, ticks of ${TICK_MS} ms over ${REPEATS} requests.`,
    },
    await atTheLimits(pids),
  ]);
} finally {
  await harness.close();
}
