import { setTimeout as pause } from 'node:timers/promises';
import { type BackupAnswer, BackupAnswerSchema } from '../../src/contract/backup.ts';
import { DeployFault } from './platform.ts';

/** Attempts for one step, and the wait before the next one, ms. A step can be repeated. */
const ATTEMPTS = 5;
const AGAIN_MS = 2_000;

export interface BackupTotals extends Omit<BackupAnswer, 'next_cursor'> {
  steps: number;
}

interface BackupTarget {
  url: string;
  adminToken: string;
  /** Called after each step. */
  onStep?: (totals: BackupTotals, cursor: string | null) => void;
}

/**
 * Makes a backup, or brings back what is missing from it, step by step.
 * @throws DeployFault when a step keeps failing; another run begins anew, and copies only what is left
 */
export async function runBackup(
  route: 'backup' | 'restore',
  { url, adminToken, onStep }: BackupTarget,
): Promise<BackupTotals> {
  const totals: BackupTotals = { steps: 0, tenants: 0, objects: 0, bytes: 0, removed: 0 };
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { next_cursor, ...done } = await step(
      new URL(`/${route}?cursor=${encodeURIComponent(cursor)}`, url),
      adminToken,
    );
    totals.steps++;
    for (const name of ['tenants', 'objects', 'bytes', 'removed'] as const) totals[name] += done[name];
    cursor = next_cursor;
    onStep?.(totals, cursor);
  }
  return totals;
}

async function step(address: URL, adminToken: string): Promise<BackupAnswer> {
  for (let attempt = 1; ; attempt++) {
    const fault = await ask(address, adminToken);
    if (typeof fault !== 'string') return fault;
    if (attempt === ATTEMPTS) throw new DeployFault(fault);
    await pause(AGAIN_MS * attempt);
  }
}

/** @returns the answer, or the fault of an attempt that may be repeated @throws DeployFault for a refusal */
async function ask(address: URL, adminToken: string): Promise<BackupAnswer | string> {
  const init = { method: 'POST', headers: { Authorization: `Bearer ${adminToken}` } };
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(address, init);
    text = await answer.text();
  } catch (error) {
    return `${address} cannot be reached: ${error}`;
  }
  if (answer.ok) return BackupAnswerSchema.parse(JSON.parse(text));
  const fault = `${address} answered ${answer.status}: ${text.slice(0, 200)}`;
  if (answer.status < 500) throw new DeployFault(fault);
  return fault;
}
