import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart, parentPids } from '../../tools/machine.ts';

/**
 * Locks a folder of data for this process, because a second process would treat work in progress there as left over
 * from a crash.
 * @returns the function that releases the lock
 * @throws CannotStart when a running process has locked it
 */
export function holdState(folder: string): () => void {
  const file = join(folder, 'npm-start.pid');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const holder = holderOf(file);
  if (holder !== null && isRunning(holder))
    throw new CannotStart(
      `Another npm start (process ${holder}) is using ${folder}. Stop it, or use another folder: STATE_DIR=${folder}-2 npm start`,
    );
  closeToOthers(folder);
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

/**
 * Versions before 1.0 left their files readable by everyone. A folder that also contains other files is left as it is.
 */
function closeToOthers(folder: string): void {
  if (existsSync(join(folder, 'key-pepper'))) chmodSync(folder, 0o700);
  const stored = join(folder, 'v3');
  if (existsSync(stored)) chmodSync(stored, 0o700);
}

function holderOf(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Whether the holder is a running `npm start`. After a crash, its process id can belong to another program, or to the
 * shell that started this one.
 */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1 || [process.pid, ...parentPids()].includes(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('scripts/start.ts');
  } catch {
    // The system has no /proc.
    return true;
  }
}
