/**
 * CPU and memory of POST /segment/conversation in workerd, the whole request: parsing, validation, segmentation, answer.
 * CPU is utime + stime of the workerd processes in /proc (Linux), over repeated requests; of the first call also that of
 * their first threads alone, which run the Worker: V8 compiles and collects garbage in others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createTestHarness } from 'wrangler';
import { seeded } from '../scripts/train/random.ts';
import { smallTalk } from '../scripts/train/small-talk.ts';
import { report, say } from './report.ts';

const KEY = 'segment-speed-key';
/** Requests measured a row; one tick of /proc is 10 ms, so single requests are too short to measure. */
const REPEATS = 10;
const TICK_MS = 10;
/** The long one first, so that its first call is the first of a fresh isolate: code uncompiled, weights packed. */
const SIZES = [5000, 500] as const;

/** Every process below this one that runs workerd. */
function workerdPids(): number[] {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const [, name = '', rest = ''] = /^\d+ \((.*)\) \S (.*)$/.exec(stat.trim()) ?? [];
      parents.set(Number(entry), { parent: Number(rest.split(' ')[0]), name });
    } catch {
      // The process ended while we looked.
    }
  }
  const below = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent ?? 0;
    return parent === process.pid || (parent > 1 && below(parent));
  };
  return [...parents].filter(([pid, { name }]) => name.startsWith('workerd') && below(pid)).map(([pid]) => pid);
}

/** @param stat the file that counts for a process: all its threads, or one */
const cpuMs = (pids: number[], stat = (pid: number) => `/proc/${pid}/stat`): number =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(stat(pid), 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);

/** A process's first thread has its number. */
const workerMs = (pids: number[]): number => cpuMs(pids, (pid) => `/proc/${pid}/task/${pid}/stat`);

const residentMb = (pids: number[], key: 'VmRSS' | 'VmHWM'): number =>
  pids.reduce((sum, pid) => {
    const kb = new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return sum + Number(kb) / 1024;
  }, 0);

/** A timeline of small talk and calls as long as asked, with the fields a client would send back. */
function timeline(size: number): object[] {
  const random = seeded(size);
  const out: object[] = [];
  let t = 0;
  while (out.length < size) {
    const talk = smallTalk(random, 6);
    for (let i = 0; i < talk.turns.length && out.length < size; i++) {
      const text = talk.turns[i]!;
      const duration = text.split(' ').length / 2.7;
      out.push({
        utterance_id: `bench_utt_${out.length}`,
        speaker: `Speaker_${i % 2}`,
        t_start: t,
        t_end: t + duration,
        text,
        polarity: random() * 2 - 1,
        pad_scores: { valence: random(), arousal: random(), dominance: random() },
        engagement: random(),
      });
      t += duration + random();
    }
  }
  return out;
}

const harness = createTestHarness({
  workers: [{ configPath: new URL('../wrangler.toml', import.meta.url), vars: { DEMO_API_KEY: KEY } }],
});
const { url } = await harness.listen();
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
    const body = JSON.stringify({ timeline: timeline(size) });
    const before = cpuMs(pids);
    const workerBefore = workerMs(pids);
    const resident = residentMb(pids, 'VmRSS');
    const phases = await ask(body);
    const first = cpuMs(pids) - before;
    const firstWorker = workerMs(pids) - workerBefore;
    const grown = residentMb(pids, 'VmHWM') - resident;
    // Two more until the compiler has settled, then the measured ones.
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
  ]);
} finally {
  await harness.close();
}
