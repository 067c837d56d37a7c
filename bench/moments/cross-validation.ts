/**
 * Cross-validates the whole detector over the dialogues it is fitted to: `node bench/moments/cross-validation.ts`, after
 * `npm run train:moments`.
 *
 * Every fifth of the files, that is of the hands that wrote them, is read with weights, thresholds and networks fitted
 * without it: the honest estimate for unseen dialogues. `--errors` lists the turns it gets wrong.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { storedReader, UNUSED } from '../../scripts/train/moments/context-rows.ts';
import { DIALOGUE_FILES, foldOf, ownData } from '../../scripts/train/moments/corpus.ts';
import { fitMoments } from '../../scripts/train/moments/fit.ts';
import { isExchange } from '../../scripts/train/moments/heads.ts';
import { trainedReaders } from '../../scripts/train/moments/reader-weights.ts';
import { FOLDS, readJson } from '../../scripts/train/own-data.ts';
import { MomentDetector } from '../../src/conversation/moments/moment-detector.ts';
import { report, say, type Table } from '../report.ts';
import { type Dialogue, macro, noScores, type OwnScores, scoreOwn } from './scoring.ts';

/** Folds at a time, a core each. */
const WORKERS = 2;

/** More than a worker would have by itself. */
const HEAP_MB = 6000;

interface FoldScores {
  /** With encodings, by file. */
  files: Map<string, OwnScores>;
  words: OwnScores;
  errors: string[];
}

/** Fits everything without a fold and reads it. */
function scoreFold(fold: number): FoldScores {
  const data = ownData();
  const weights = fitMoments(
    { ...data, dialogues: data.dialogues.filter((d) => foldOf(d.id) !== fold) },
    trainedReaders(),
  );
  const unseen = data.dialogues.filter((d) => !isExchange(d.id) && foldOf(d.id) === fold);
  // The stored readings take the place of encodings.
  const known = new Map(unseen.flatMap((d) => d.turns.map((t) => [t.text, UNUSED])));
  const make = (id: string): MomentDetector => new MomentDetector('d', weights, storedReader(data.readings[id]!));
  const errors: string[] = [];
  const fileOf = new Map(DIALOGUE_FILES.flatMap((f) => readJson<Dialogue[]>(f).map((d) => [d.id, f.name])));
  const files = new Map<string, OwnScores>();
  for (const [file, dialogues] of Map.groupBy(unseen, (d) => fileOf.get(d.id)!))
    files.set(
      file,
      scoreOwn(dialogues, make, known, noScores(), (error) => errors.push(error)),
    );
  return { files, words: scoreOwn(unseen, make), errors };
}

function addScores(sum: OwnScores, { rows, empty, falseInEmpty }: OwnScores): void {
  for (const [name, { tp, fp, fn }] of rows) {
    const row = sum.rows.get(name)!;
    row.tp += tp;
    row.fp += fp;
    row.fn += fn;
  }
  sum.empty += empty;
  sum.falseInEmpty += falseInEmpty;
}

async function crossValidate(): Promise<void> {
  const encoded = noScores();
  const words = noScores();
  const errors: string[] = [];
  const files = new Map(DIALOGUE_FILES.map(({ name }) => [name, noScores()]));
  const waiting = Array.from({ length: FOLDS }, (_, fold) => fold);
  async function lane(): Promise<void> {
    for (let fold = waiting.shift(); fold !== undefined; fold = waiting.shift()) {
      const worker = new Worker(import.meta.filename, {
        workerData: fold,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      });
      const [scores] = (await once(worker, 'message')) as [FoldScores];
      for (const [file, own] of scores.files) {
        addScores(files.get(file)!, own);
        addScores(encoded, own);
      }
      addScores(words, scores.words);
      errors.push(...scores.errors);
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, lane));
  if (process.argv.includes('--errors')) for (const e of errors.toSorted()) say(e);

  const how = `a fifth of the files read with what the others taught`;
  const table = (which: string, { rows, empty, falseInEmpty }: OwnScores): Table => ({
    title: `${which}: ${how}`,
    columns: ['class', 'n', 'P', 'R', 'F1'],
    rows: [
      ...[...rows].map(([name, s]) => [name, s.tp + s.fn, s.precision, s.recall, s.f1]),
      ['macro-F1 of the five categories', null, null, null, macro({ rows, empty, falseInEmpty })],
      [`false moments in the ${empty} empty dialogues`, null, null, null, falseInEmpty],
    ],
  });

  report('moments-cross-validation', [
    table('All dialogues, with encodings', encoded),
    table('All dialogues, words alone', words),
    {
      title: `By file: ${how}`,
      columns: ['file', 'macro-F1', 'links F1', 'empty dialogues', 'false moments in them'],
      rows: [...files].map(([file, s]) => [file, macro(s), s.rows.get('link')?.f1 ?? 0, s.empty, s.falseInEmpty]),
    },
  ]);
}

if (isMainThread) await crossValidate();
else parentPort!.postMessage(scoreFold(workerData as number));
