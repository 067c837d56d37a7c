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

it('a folder is one start’s, until it gives it back', () => {
  const leave = holdState(folder);
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid));
  leave();
  expect(existsSync(file)).toBe(false);
  holdState(folder)();
});

it('another one is told who has it and what to do, and the folder stays whose it is', async () => {
  holdState(folder);
  const other = await running('scripts/start.ts');
  writeFileSync(file, String(other.pid));
  expect(() => holdState(folder)).toThrow(`Another npm start (process ${other.pid}) keeps its data in ${folder}`);
  expect(readFileSync(file, 'utf8')).toBe(String(other.pid));
  await other.end();
  holdState(folder)();
});

it('what a crash left hinders nobody, also where its number is another program’s', async () => {
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
