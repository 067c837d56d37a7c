import { readdirSync, readFileSync } from 'node:fs';

/** Duration of a /proc tick, ms. */
export const TICK_MS = 10;

interface Process {
  pid: number;
  name: string;
  parent: number;
  /** Fields of its stat after the name. 11 and 12 are its own ticks, 13 and 14 those of children that have ended. */
  fields: number[];
}

function statOf(path: string): { name: string; fields: number[] } {
  const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(path, 'utf8').trim()) ?? [];
  return { name, fields: rest.split(' ').map(Number) };
}

/** A process and all processes below it. */
function tree(root: number): Process[] {
  const all: Process[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const { name, fields } = statOf(`/proc/${entry}/stat`);
      all.push({ pid: Number(entry), name, parent: fields[1]!, fields });
    } catch {
      // The process ended in the meantime.
    }
  }
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((p) => [p, ...below(p.pid)]);
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
}

/** Every process below this one that runs workerd. */
export const workerdPids = (): number[] =>
  tree(process.pid)
    .filter(({ name }) => name.startsWith('workerd'))
    .map(({ pid }) => pid);

/** Every process below one whose command line begins with this title. */
export const titledBelow = (root: number, title: string): number[] =>
  tree(root)
    .map(({ pid }) => pid)
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(title));

/** CPU time of a process and of all processes that it started, including ended ones. */
export const treeCpuMs = (root: number): number =>
  tree(root).reduce((sum, { fields }) => sum + (fields[11]! + fields[12]! + fields[13]! + fields[14]!) * TICK_MS, 0);

export const cpuMs = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    const { fields } = statOf(`/proc/${pid}/stat`);
    return sum + (fields[11]! + fields[12]!) * TICK_MS;
  }, 0);

/** CPU time of the processes' first threads, which run Workers. V8 compiles and collects garbage in other threads. */
export const workerMs = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);

export const residentMb = (pids: number[], key: 'VmRSS' | 'VmHWM'): number =>
  pids.reduce((sum, pid) => {
    const kb = new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return sum + Number(kb) / 1024;
  }, 0);
