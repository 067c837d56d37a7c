import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holdState } from '../../scripts/start/state-lock.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'undertone-lock-')), 'state');
  file = join(folder, 'npm-start.pid');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

/** A running process, named like a start or like something else. */
async function running(name: string): Promise<{ pid: number; end: () => Promise<unknown> }> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)', name], { stdio: 'ignore' });
  await once(child, 'spawn');
  const end = () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    return ended;
  };
  return { pid: child.pid!, end };
}

it('a folder belongs to one start until that releases it', () => {
  const leave = holdState(folder);
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid));
  leave();
  expect(existsSync(file)).toBe(false);
  holdState(folder)();
});

it('a second start is refused with the holder and the remedy, and the folder keeps its holder', async () => {
  holdState(folder);
  const other = await running('scripts/start.ts');
  writeFileSync(file, String(other.pid));
  expect(() => holdState(folder)).toThrow(`Another npm start (process ${other.pid}) is using ${folder}`);
  expect(readFileSync(file, 'utf8')).toBe(String(other.pid));
  await other.end();
  holdState(folder)();
});

it('the lock of a crashed start blocks nobody, also if its number now belongs to another program', async () => {
  const leave = holdState(folder);
  const other = await running('another-program');
  for (const left of [String(other.pid), '', 'x', '-1']) {
    writeFileSync(file, left);
    holdState(folder);
    expect(readFileSync(file, 'utf8')).toBe(String(process.pid));
  }
  await other.end();
  leave();
});
