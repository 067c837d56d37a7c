import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyse } from '../../containers/pipeline/pipeline.ts';
import { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { EVAL_DATA, evalPath } from '../../scripts/eval-data.ts';
import { OPTIONS } from '../../support/pipeline-server.ts';
import { bestAssignment } from '../der.ts';
import type { Table } from '../report.ts';
import { addEdits, type EditCounts, editCounts, errorsOf, NO_EDITS, normalise, wordErrorRate } from '../wer.ts';
import { type Entry, entries, nameOf } from './recordings.ts';

async function heardBySpeaker(file: string, pool: WorkerPool, speakers?: number): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  for await (const line of analyse(createReadStream(file), { options: { ...OPTIONS, speakers } }, pool)) {
    if (line.type === 'error') throw new Error(line.message);
    if (line.type !== 'utterance') continue;
    const { speaker, text } = line.entry;
    said.set(speaker, `${said.get(speaker) ?? ''} ${text}`);
  }
  return said;
}

/**
 * Concatenated minimum-permutation word errors (CHiME-6). Each speaker's words form one string, and speakers are mapped
 * so that errors are minimal. All words of a speaker without a partner count as errors.
 */
function concatenatedErrors(reference: Map<string, string>, heard: Map<string, string>): EditCounts {
  const refs = [...reference.values()].map(normalise);
  const hyps = [...heard.values()].map(normalise);
  while (hyps.length < refs.length) hyps.push('');
  while (refs.length < hyps.length) refs.push('');
  const counts = refs.map((ref) => hyps.map((hyp) => editCounts(ref, hyp)));
  const most = Math.max(...counts.flat().map(errorsOf)) + 1;
  const pairs = bestAssignment(counts.map((row) => row.map((edits) => most - errorsOf(edits))));
  return pairs.reduce((sum, [r, h]) => addEdits(sum, counts[r]![h]!), NO_EDITS);
}

/** The dialogue's clips, each recognised separately by the same pipeline. */
async function alone(entry: Entry, pool: WorkerPool, folder: string): Promise<EditCounts> {
  let sum = NO_EDITS;
  for (const { start, end, text, clip } of entry.transcript ?? []) {
    const original = clip ? join(EVAL_DATA, 'asr', clip) : null;
    let file = original && existsSync(original) ? original : null;
    if (!file) {
      file = join(folder, 'clip.wav');
      const source = evalPath('diarization', entry.file);
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-ss', `${start}`, '-t', `${end - start}`, '-i', source, file]);
    }
    const heard = [...(await heardBySpeaker(file, pool, 1)).values()].join(' ');
    sum = addEdits(sum, editCounts(normalise(text), normalise(heard)));
  }
  return sum;
}

/** Word errors by speaker of the whole pipeline on the assembled dialogues. */
export async function wordsTable(): Promise<Table> {
  const pool = await WorkerPool.start();
  const folder = mkdtempSync(join(tmpdir(), 'undertone-bench-'));
  const rows: Table['rows'] = [];
  let [all, separate] = [NO_EDITS, NO_EDITS];
  for (const entry of entries().filter(({ transcript, file }) => transcript && nameOf(file).startsWith('asm'))) {
    const reference = new Map<string, string>();
    for (const { speaker, text } of entry.transcript!) {
      reference.set(speaker, `${reference.get(speaker) ?? ''} ${text}`);
    }
    const heard = await heardBySpeaker(evalPath('diarization', entry.file), pool);
    const counts = concatenatedErrors(reference, heard);
    const clips = await alone(entry, pool, folder);
    all = addEdits(all, counts);
    separate = addEdits(separate, clips);
    rows.push([nameOf(entry.file), heard.size, ...rates(counts, clips)]);
  }
  await pool.close();
  rmSync(folder, { recursive: true });
  rows.push(['all', null, ...rates(all, separate)]);
  return {
    title: 'Words by speaker, whole pipeline, count found (%)',
    columns: ['dialogue', 'speakers heard', 'words', 'cpWER', 'WER of the clips alone', 'ratio', 'bar'],
    rows,
    note: 'cpWER: words of each speaker in one string, best mapping of speakers.',
  };
}

function rates(dialogue: EditCounts, clips: EditCounts): number[] {
  const [together, separate] = [wordErrorRate(dialogue), wordErrorRate(clips)];
  return [dialogue.words, 100 * together, 100 * separate, together / separate, 1.15];
}
