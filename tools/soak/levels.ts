import { readFileSync } from 'node:fs';
import type { Role } from '../attack/started-service.ts';

/** The resident memory of one process at one time. */
export interface MemorySample {
  role: Role;
  pid: number;
  at: number;
  bytes: number;
}

/** The life of one process, from its first sample to its last. */
export interface Life {
  role: Role;
  pid: number;
  seconds: number;
  /** Median resident bytes of the window after warm-up, and of the last one. */
  warm: number;
  end: number;
  /** Undefined if the life is too short for two windows. */
  isLevel: boolean | undefined;
}

/** The bar: how much larger the last window may be. */
const FACTOR = 1.1;

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Compares the memory of each process after its warm-up with that at its end. A kill begins a new life.
 * @param warmUpMs time after the start during which heaps and caches fill
 * @param windowMs length of the two windows
 */
export function livesOf(samples: readonly MemorySample[], warmUpMs: number, windowMs: number): Life[] {
  const byProcess = Map.groupBy(samples, ({ role, pid }) => `${role} ${pid}`);
  return [...byProcess.values()].map((own) => {
    const [first, last] = [own[0]!, own.at(-1)!];
    const within = (from: number, to: number) =>
      median(own.filter(({ at }) => at >= from && at <= to).map(({ bytes }) => bytes));
    const warm = within(first.at + warmUpMs, first.at + warmUpMs + windowMs);
    const end = within(last.at - windowMs, last.at);
    const isJudged = last.at - first.at >= warmUpMs + 2 * windowMs;
    const seconds = (last.at - first.at) / 1000;
    const { role, pid } = first;
    return { role, pid, seconds, warm, end, isLevel: isJudged ? end <= warm * FACTOR : undefined };
  });
}

/** Resident bytes of a process. Undefined if it has ended. */
export function residentOf(pid: number): number | undefined {
  try {
    const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
