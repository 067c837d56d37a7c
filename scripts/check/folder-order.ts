import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT, type SourceFile } from './sources.ts';

/** One file that imports another. Paths are relative to the root of the repository. */
export interface Import {
  from: string;
  to: string;
}

/** For each ordered folder, its children, lowest first. A child may import only from children of earlier lines. */
export type FolderOrder = Readonly<Record<string, readonly string[]>>;

const IMPORT = /\b(?:from|import\(|import|module) ?'(\.[^']+)'/g;

/** The order declared in `folder-order.json`. */
export const declaredOrder = (): FolderOrder =>
  JSON.parse(readFileSync(join(ROOT, 'scripts/check/folder-order.json'), 'utf8')) as FolderOrder;

export const importsOf = (files: readonly SourceFile[]): Import[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(IMPORT)]
      .filter(([, target = '']) => /\.tsx?$/.test(target))
      .map(([, target = '']) => ({ from: path, to: posix.normalize(posix.join(posix.dirname(path), target)) })),
  );

/** The child of `folder` that contains a file. Undefined for a file outside the folder. */
function childOf(folder: string, path: string): string | undefined {
  const prefix = folder === '.' ? '' : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length).split('/')[0] : undefined;
}

function foldersOf(imports: readonly Import[]): string[] {
  const folders = new Set(['.']);
  for (const { from } of imports)
    for (let folder = posix.dirname(from); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder);
  return [...folders].sort();
}

/**
 * Imports between the children of one folder, with one example for each pair. The linter checks imports between files
 * of one folder.
 */
function arrowsIn(
  folder: string,
  imports: readonly Import[],
  folders: ReadonlySet<string>,
): Map<string, Map<string, Import>> {
  const arrows = new Map<string, Map<string, Import>>();
  const isFolder = (child: string): boolean => folders.has(posix.join(folder, child));
  for (const one of imports) {
    const [a, b] = [childOf(folder, one.from), childOf(folder, one.to)];
    if (!a || !b || a === b || (!isFolder(a) && !isFolder(b))) continue;
    const to = arrows.get(a) ?? new Map<string, Import>();
    arrows.set(a, to);
    if (!to.has(b)) to.set(b, one);
  }
  return arrows;
}

/** The children along an import cycle. Undefined if there is none. */
function cycleIn(arrows: ReadonlyMap<string, ReadonlyMap<string, Import>>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (child: string): string[] | undefined => {
    const at = path.indexOf(child);
    if (at >= 0) return [...path.slice(at), child];
    if (done.has(child)) return undefined;
    path.push(child);
    for (const next of arrows.get(child)?.keys() ?? []) {
      const found = visit(next);
      if (found) return found;
    }
    path.pop();
    done.add(child);
    return undefined;
  };
  for (const child of arrows.keys()) {
    const found = visit(child);
    if (found) return found;
  }
  return undefined;
}

/** Folders, imports between their children, cycles, and imports that violate the declared order. */
export interface FolderReport {
  folders: number;
  arrows: number;
  cycles: string[];
  upward: string[];
  /** Children missing from a declared order, and declared names without a child. */
  unnamed: string[];
}

export function folderReport(imports: readonly Import[], order: FolderOrder): FolderReport {
  const folders = foldersOf(imports);
  const known = new Set(folders);
  const report: FolderReport = { folders: folders.length, arrows: 0, cycles: [], upward: [], unnamed: [] };
  for (const folder of folders) {
    const arrows = arrowsIn(folder, imports, known);
    for (const to of arrows.values()) report.arrows += to.size;
    const cycle = cycleIn(arrows);
    if (cycle) report.cycles.push(`${folder}: ${cycle.join(' -> ')}`);
    const names = order[folder];
    if (!names) continue;
    const rank = new Map(names.map((name, i) => [name, i]));
    const children = new Set(
      imports.flatMap(({ from }) => childOf(folder, from) ?? []).filter((child) => folder !== '.' || known.has(child)),
    );
    for (const child of children)
      if (!rank.has(child)) report.unnamed.push(`${folder}: the order does not name ${child}`);
    for (const name of names)
      if (!children.has(name))
        report.unnamed.push(`${folder}: the order names ${name}, which imports nothing or no longer exists`);
    for (const [a, to] of arrows)
      for (const [b, { from, to: target }] of to)
        if ((rank.get(b) ?? -1) > (rank.get(a) ?? Infinity))
          report.upward.push(`${from}: imports ${target}, which is above it`);
  }
  return report;
}

/** Cycles and upward imports between folders. */
export function folderOrder(files: readonly SourceFile[]): string[] {
  const { cycles, upward, unnamed } = folderReport(importsOf(files), declaredOrder());
  return [...cycles.map((cycle) => `import cycle in ${cycle}`), ...upward, ...unnamed];
}
