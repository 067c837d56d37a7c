/**
 * Joins two blind readings of the same dialogues, writes one dialogue per line, and prints how far the readings agree:
 *
 *   node scripts/train/moments/join-readings.ts POOL OUT READING,.. READING,.. [--judge]
 * [--without-text=dialogsum,swda]
 *
 * POOL is a list of {id, turns: [{speaker, text}]}. A reading consists of JSON lines {k: index in the pool, m: [{t:
 * turn, c: category, labels?, answers?}]}, in one or more files. A moment is `sure` if both readings have it. A moment
 * in only one reading is kept with `sure: false`.
 *
 * Before OUT is added to data/moments/fit.jsonl (or to judge.jsonl with `--judge`, without folds), each line needs
 * `source`, `writer` and `licence`. `--without-text` omits the text of dialogues whose ids start with these names,
 * because it may not be shipped.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { MOMENT_CATEGORY_NAMES, type MomentCategory } from '../../../src/contract/findings.ts';
import type { MarkedDialogue, MarkedMoment } from '../../../support/own-data.ts';
import { foldOf } from './corpus.ts';

interface Mark {
  t: number;
  c: MomentCategory;
  labels?: string[];
  answers?: number[];
}

type Reading = ReadonlyMap<number, Mark[]>;

function readingOf(paths: string): Reading {
  const lines = paths.split(',').flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean));
  return new Map(
    lines.map((line) => {
      const { k, m } = JSON.parse(line) as { k: number; m: Mark[] };
      return [k, m];
    }),
  );
}

const union = <T extends number | string>(a: T[] = [], b: T[] = []): T[] => [...new Set([...a, ...b])].sort();

/** The moments of one dialogue by turn. */
function joined(one: Mark[], other: Mark[], turns: number): MarkedMoment[][] {
  const marks = Array.from({ length: turns }, (): MarkedMoment[] => []);
  for (const category of MOMENT_CATEGORY_NAMES)
    for (let t = 0; t < turns; t++) {
      const [a, b] = [one, other].map((reading) => reading.find((m) => m.t === t && m.c === category));
      if (!a && !b) continue;
      const labels = union(a?.labels, b?.labels);
      const answers = union(a?.answers, b?.answers).map(Number);
      marks[t]!.push({
        category,
        ...(labels.length > 0 && { labels }),
        ...(answers.length > 0 && { answers_any: answers.toSorted((x, y) => x - y) }),
        sure: a !== undefined && b !== undefined,
      });
    }
  return marks;
}

const [pool, out, ...paths] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (!pool || !out || paths.length !== 2) throw new Error('Usage: join-readings.ts POOL OUT READING,.. READING,..');
const dialogues = JSON.parse(readFileSync(pool, 'utf8')) as MarkedDialogue[];
const [one, other] = paths.map(readingOf) as [Reading, Reading];
const withheld = process.argv.flatMap((argument) => /^--without-text=(.+)$/.exec(argument)?.[1]?.split(',') ?? []);
const both = [...one.keys()].filter((k) => other.has(k)).sort((a, b) => a - b);
const told = both.map((k) => {
  const { id, turns } = dialogues[k]!;
  const isWithheld = withheld.some((corpus) => id.startsWith(`${corpus}-`));
  const marks = joined(one.get(k)!, other.get(k)!, turns.length);
  return {
    id,
    kind: 'dialogue',
    reviewer: 'two blind readings, joined',
    fold: process.argv.includes('--judge') ? null : foldOf(id),
    turns: turns.map((turn, t) => ({
      ...(isWithheld ? {} : { speaker: turn.speaker, text: turn.text }),
      ...(marks[t]!.length > 0 && { moments: marks[t] }),
    })),
  };
});
writeFileSync(out, told.map((dialogue) => `${JSON.stringify(dialogue)}\n`).join(''));

console.log(`${told.length} dialogues, ${told.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
const found = told.flatMap(({ turns }) => turns.flatMap(({ moments = [] }) => moments ?? []));
for (const category of MOMENT_CATEGORY_NAMES) {
  const all = found.filter((m) => m.category === category);
  const sure = all.filter((m) => m.sure).length;
  // F1 of one reading scored against the other. Each reading consists of the shared moments and its own.
  console.log(
    `${category}: ${all.length}, both readers ${sure}, agreement ${((2 * sure) / (all.length + sure)).toFixed(3)}`,
  );
}
