import { readdirSync, readFileSync } from 'node:fs';

/** A tick of /proc, ms. */
export const TICK_MS = 10;

/** Every process below this one that runs workerd. */
export function workerdPids(): number[] {
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
export const cpuMs = (pids: number[], stat = (pid: number) => `/proc/${pid}/stat`): number =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(stat(pid), 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);

/** A process's first thread has its number. */
export const workerMs = (pids: number[]): number => cpuMs(pids, (pid) => `/proc/${pid}/task/${pid}/stat`);

export const residentMb = (pids: number[], key: 'VmRSS' | 'VmHWM'): number =>
  pids.reduce((sum, pid) => {
    const kb = new RegExp(`${key}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return sum + Number(kb) / 1024;
  }, 0);
