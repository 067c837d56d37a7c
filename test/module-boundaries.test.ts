import { expect, it } from 'vitest';
import { declaredOrder, folderReport, importsOf } from '../scripts/check/folder-order.ts';
import { sources } from '../scripts/check/sources.ts';

const imports = importsOf(sources('.ts', '.tsx'));

it('no folder has an import cycle between its children', () => {
  const { folders, arrows, cycles } = folderReport(imports, declaredOrder());
  console.log(`${folders} folders, ${arrows} arrows between their children, ${cycles.length} cycles`);
  expect(cycles).toEqual([]);
  for (const top of ['src', 'containers', 'support', 'tools', 'scripts', 'bench', 'test'])
    expect(
      imports.some(({ from }) => from.startsWith(`${top}/`)),
      top,
    ).toBe(true);
});

it('imports follow the declared order of folders, which names every child', () => {
  const { upward, unnamed } = folderReport(imports, declaredOrder());
  expect(upward).toEqual([]);
  expect(unnamed).toEqual([]);
});

it('finds a cycle between folders of any depth, and an upward import', () => {
  const made = [
    { from: 'a/b/one.ts', to: 'a/c/two.ts' },
    { from: 'a/c/two.ts', to: 'a/b/three.ts' },
    { from: 'low/x.ts', to: 'high/y.ts' },
  ];
  const { cycles, upward } = folderReport(made, { '.': ['a', 'low', 'high'] });
  expect(cycles).toEqual(['a: b -> c -> b']);
  expect(upward).toEqual(['low/x.ts: imports high/y.ts, which is above it']);
});

it('a language is one folder and one row: at most three files outside name English, one of them in the service', () => {
  const folder = 'src/conversation/en/';
  const naming = imports.filter(({ from, to }) => to.startsWith(folder) && !from.startsWith(folder));
  const files = [...new Set(naming.map(({ from }) => from))].filter((file) => !file.startsWith('test/'));
  expect(files.filter((file) => !file.startsWith('bench/'))).toEqual(['src/conversation/languages.ts']);
  expect(files.length).toBeLessThanOrEqual(3);
});
