import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BENCHES } from '../../bench/index.ts';
import { GENERATORS } from '../../scripts/generate.ts';
import type { NamedPrograms } from '../../scripts/named-programs.ts';
import { TRAININGS } from '../../scripts/train/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const RUNNERS = ['bench', 'train', 'generate'];

/** Runs the code of `npm run <script> -- ...`. */
function run(script: string, ...options: string[]) {
  const [, file = ''] = /^node (\S+)$/.exec(scripts[script] ?? '') ?? [];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, file), ...options], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const namesOf = (list: string): string[] => [...list.matchAll(/^ {2}(\S+) +\S/gm)].map(([, name = '']) => name);

describe.each(RUNNERS)('npm run %s', (script) => {
  it('lists its programs, one per line', () => {
    const { status, stdout } = run(script);
    expect(status).toBe(0);
    expect(namesOf(stdout).length).toBeGreaterThan(4);
    expect(run(script, '--help').stdout).toBe(stdout);
  });

  it('answers an unknown name with the list and exit status 2', () => {
    const { status, stdout, stderr } = run(script, 'toString');
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('There is no "toString".');
    expect(namesOf(stderr)).toEqual(namesOf(run(script).stdout));
  });
});

it('`npm run bench -- <name>` passes the options on and ends with the status of the bench', () => {
  const { status, stdout } = run('bench', 'sdk', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ bench: 'sdk' });
});

it('the tables name files that exist', () => {
  for (const programs of [BENCHES, TRAININGS, GENERATORS] satisfies NamedPrograms[])
    for (const { files } of Object.values(programs))
      for (const file of files) expect(existsSync(join(ROOT, file)), file).toBe(true);
});

it('package.json has at most 20 scripts', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(20);
});

it('every `npm run` in code and comments names a script, and a program of it', () => {
  const programs = new Map(RUNNERS.map((script) => [script, new Set(namesOf(run(script).stdout))]));
  const found = execFileSync('git', ['grep', '-hoE', 'npm run [a-z][a-z:-]*( -- [a-z][a-z-]*)?', '--', ...CODE], {
    cwd: ROOT,
  });
  const named = [...new Set(found.toString().trim().split('\n'))];
  expect(named.length).toBeGreaterThan(10);
  const wrong = named.filter((command) => {
    const [, script = '', program] = /^npm run (\S+)(?: -- (\S+))?$/.exec(command) ?? [];
    return !(script in scripts) || (program !== undefined && programs.get(script)?.has(program) === false);
  });
  expect(wrong).toEqual([]);
});

/** Everything but the changelog, which has older commands. */
const CODE = ['bench', 'containers', 'data', 'scripts', 'src', 'test', 'tools', '*.toml', ':!*.card.json'];
