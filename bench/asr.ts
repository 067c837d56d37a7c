import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyse } from '../containers/pipeline/pipeline.ts';
import { WorkerPool } from '../containers/pipeline/workers/pool.ts';
import { evalPath, readEvalJson } from '../scripts/eval-data.ts';
import { OPTIONS } from './pipeline-server.ts';
import { report, say } from './report.ts';
import { addEdits, type EditCounts, editCounts, errorsOf, NO_EDITS, normalise, wordErrorRate } from './wer.ts';

// Word error rate of the whole pipeline (default settings, the number of speakers not given) per corpus, beside
// pocketsphinx where it is installed. `--quick` leaves the baseline out.

interface Clip {
  file: string;
  text: string;
  corpus: string;
  duration: number;
}

interface Heard {
  text: string;
  confidence: number;
}

async function heard(file: string, pool: WorkerPool): Promise<Heard> {
  const texts: string[] = [];
  const confidences: number[] = [];
  for await (const line of analyse(createReadStream(file), { options: OPTIONS }, pool)) {
    if (line.type !== 'utterance') continue;
    texts.push(line.entry.text);
    confidences.push(line.entry.asr_confidence);
  }
  return { text: texts.join(' '), confidence: confidences.length > 0 ? Math.min(...confidences) : 0 };
}

/** The clip's text by pocketsphinx with its default English model; null when it is not installed. */
function pocketsphinx(file: string, folder: string): string | null {
  const raw = join(folder, 'clip.wav');
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', file, '-ar', '16000', '-ac', '1', raw]);
  try {
    const options = { stdio: ['ignore', 'pipe', 'ignore'] as ('ignore' | 'pipe')[], encoding: 'utf8' as const };
    return execFileSync('pocketsphinx_continuous', ['-infile', raw, '-logfn', '/dev/null'], options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const clips = readEvalJson<Clip[]>('asr', 'manifest.json');
const folder = mkdtempSync(join(tmpdir(), 'undertone-bench-'));
const pool = await WorkerPool.start();
const ours = new Map<string, EditCounts>();
const theirs = new Map<string, EditCounts>();
const byConfidence = new Map<string, EditCounts>();
const worst: { file: string; errors: number; said: string; heard: string }[] = [];
let baseline = !process.argv.includes('--quick');
const add = (table: Map<string, EditCounts>, key: string, counts: EditCounts) =>
  table.set(key, addEdits(table.get(key) ?? NO_EDITS, counts));
const band = (confidence: number) =>
  confidence >= 0.95 ? '.95 and over' : confidence >= 0.9 ? '.90-.95' : confidence >= 0.8 ? '.80-.90' : 'below .80';

for (const clip of clips) {
  const file = evalPath('asr', clip.file);
  const said = normalise(clip.text);
  const { text, confidence } = await heard(file, pool);
  const counts = editCounts(said, normalise(text));
  add(ours, clip.corpus, counts);
  add(ours, 'all', counts);
  add(byConfidence, band(confidence), counts);
  worst.push({ file: clip.file, errors: errorsOf(counts), said, heard: normalise(text) });
  const other = baseline ? pocketsphinx(file, folder) : null;
  baseline &&= other !== null;
  if (other === null) continue;
  const otherCounts = editCounts(said, normalise(other));
  add(theirs, clip.corpus, otherCounts);
  add(theirs, 'all', otherCounts);
}
await pool.close();
rmSync(folder, { recursive: true });
if (!baseline) say('pocketsphinx is not installed or was left out: no baseline column.');

report('asr', [
  {
    title: 'Word error rate per corpus (%), substitutions / deletions / insertions',
    columns: ['corpus', 'words', 'WER', 'S', 'D', 'I', 'pocketsphinx WER'],
    rows: [...ours].map(([corpus, counts]) => {
      const other = theirs.get(corpus);
      return [
        corpus,
        counts.words,
        100 * wordErrorRate(counts),
        counts.substitutions,
        counts.deletions,
        counts.insertions,
        other ? 100 * wordErrorRate(other) : null,
      ];
    }),
    note: 'Nearly all read speech: optimistic for calls. The speechbrain and cards references are rough (data README).',
  },
  {
    title: 'Word error rate by the lowest asr_confidence of a clip (%)',
    columns: ['asr_confidence', 'words', 'WER'],
    rows: [...byConfidence].sort().map(([key, counts]) => [key, counts.words, 100 * wordErrorRate(counts)]),
    note: 'exp(mean token log-probability): it tells good text from bad at the ends and little between.',
  },
  {
    title: 'Clips with most errors',
    columns: ['clip', 'errors', 'said', 'heard'],
    rows: worst
      .sort((a, b) => b.errors - a.errors)
      .slice(0, 6)
      .map(({ file, errors, said, heard: text }) => [file, errors, said, text]),
  },
]);
