import { readFileSync, writeFileSync } from 'node:fs';
import { diarize } from '../../containers/pipeline/diarization/diarize.ts';
import type { Diarization } from '../../containers/pipeline/diarization/turns.ts';
import type { Table } from '../report.ts';
import type { LabelledRecording } from './recordings.ts';

/** The labels that `--store-labels` wrote. A faster method must give the same. */
const FILE = new URL('labels.json', import.meta.url);
/** Interval at which labels are compared, s. */
const STEP_S = 0.01;
/** Share of the time that another processor's rounding may move between labels. */
const ROUNDING = 0.001;

/** The count, and the start and end of each turn in hundredths of a second, with its speaker. */
interface StoredLabels {
  count: number;
  turns: [number, number, number][];
}

const storedOf = ({ turns, speakers }: Diarization): StoredLabels => ({
  count: speakers.count,
  turns: turns.map(({ start, end, speaker }) => [Math.round(100 * start), Math.round(100 * end), speaker]),
});

/** The speakers of each hundredth of a second as a set of bits. */
function labelsByStep({ turns }: StoredLabels, length: number): Uint16Array {
  const labels = new Uint16Array(length);
  for (const [start, end, speaker] of turns)
    for (let i = start; i < Math.min(end, length); i++) labels[i] = labels[i]! | (1 << speaker);
  return labels;
}

/** Stores the labels of every recording. */
export function storeLabels(all: readonly LabelledRecording[]): void {
  const lines = all.map(
    ({ name, features, speech }) => `${JSON.stringify(name)}: ${JSON.stringify(storedOf(diarize(features, speech)))}`,
  );
  writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
}

/**
 * The labels of every recording against the stored ones.
 * @throws Error when a count differs, or more than rounding may move
 */
export function storedLabelsTable(all: readonly LabelledRecording[]): Table {
  const stored = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, StoredLabels>;
  const rows = all.map(({ name, entry, features, speech }): [string, number, number, number] => {
    const before = stored[name];
    if (!before) throw new Error(`no labels are stored for ${name}`);
    const now = storedOf(diarize(features, speech));
    const length = Math.ceil(entry.duration / STEP_S);
    const [a, b] = [labelsByStep(before, length), labelsByStep(now, length)];
    const moved = a.reduce((sum, labels, i) => sum + Number(labels !== b[i]), 0) / length;
    if (before.count !== now.count || moved > ROUNDING)
      throw new Error(`${name} has ${now.count} speakers, ${before.count} stored; ${100 * moved} % labelled otherwise`);
    return [name, before.count, now.count, 100 * moved];
  });
  return {
    title: 'Labels against the stored ones',
    columns: ['recording', 'speakers stored', 'found', 'labelled otherwise, % of time'],
    rows,
    note: 'The bench fails where they differ by more than the rounding of another processor.',
  };
}
