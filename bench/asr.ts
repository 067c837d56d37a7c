import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadRuntime } from '../containers/pipeline/models/runtime.ts';
import { Moonshine } from '../containers/pipeline/recognition/moonshine/moonshine.ts';
import { confidenceOf } from '../containers/pipeline/recognition/timed-words.ts';
import { WorkerPool } from '../containers/pipeline/workers/pool.ts';
import { evalPath, readEvalJson } from '../scripts/eval-data.ts';
import { uniform } from '../support/synthetic-voice.ts';
import { rareWords } from './asr/rare-words.ts';
import { RECIPES, segmentsOf, textOf, wordsOf } from './asr/recipes.ts';
import { callerSentences, type SentenceScore, scoreSentence, telephoneTable, total } from './asr/telephone.ts';
import { VERSIONS, type Version, versionOf } from './asr/versions.ts';
import { report, say, type Table } from './report.ts';
import { type EditCounts, editCounts, errorsOf, normalise, wordErrorRate } from './wer.ts';

// Word errors of the recogniser on the pipeline's own segments, clean and over two telephone codecs, compared with
// greedy decoding with a second pass (the earlier method) and pocketsphinx if it is installed. `--clips N` takes every
// Nth clip, `--versions clean,gsm` some versions, `--lists` transcribes with word lists, and `--moved` measures how
// much of a call stays the same when its audio is shifted by 6 ms. `--telephone` scores only the sentences of real
// telephone callers, `--sentences N` of them (all: 426).

const { values } = parseArgs({
  strict: false,
  options: {
    clips: { type: 'string', default: '63' },
    versions: { type: 'string', default: VERSIONS.join(',') },
    lists: { type: 'boolean' },
    moved: { type: 'boolean' },
    telephone: { type: 'boolean' },
    sentences: { type: 'string', default: '60' },
    quick: { type: 'boolean' },
  },
});
const BEFORE = 'greedy, second reading';
const DRAWS = 2000;

interface Clip {
  file: string;
  text: string;
  corpus: string;
}
/** The score of a recipe for a clip in one version. */
interface Score {
  clip: Clip;
  version: Version;
  counts: EditCounts;
  confidence: number;
  said: string;
  heard: string;
  /** CPU time of the recogniser, ms. */
  cpuMs: number;
}

const all = readEvalJson<Clip[]>('asr', 'manifest.json');
const wanted = Number(values.clips);
const clips = all.filter(
  (_, i) => Math.floor((i * wanted) / all.length) !== Math.floor(((i - 1) * wanted) / all.length),
);
const versions = VERSIONS.filter((version) => String(values.versions).split(',').includes(version));
const folder = mkdtempSync(join(tmpdir(), 'undertone-bench-'));
const pool = await WorkerPool.start(1);
const recogniser = await Moonshine.load(await loadRuntime());
const random = uniform(20_260_711);

const percent = (scores: Score[]): number => 100 * wordErrorRate(total(scores));
const telephone = (scores: Score[]): Score[] => scores.filter(({ version }) => version !== 'clean');
const clean = (scores: Score[]): Score[] => scores.filter(({ version }) => version === 'clean');

/**
 * Difference in points of WER with its 95 % interval. Clips are resampled together with all their versions, and for
 * both recipes at once.
 */
function difference(ours: Score[], theirs: Score[]): string {
  const clusters = [...Map.groupBy(ours, ({ clip }) => clip.file)].map(([file, own]) => ({
    errors: errorsOf(total(own)) - errorsOf(total(theirs.filter(({ clip }) => clip.file === file))),
    words: total(own).words,
  }));
  if (clusters.length === 0) return '-';
  const share = (drawn: typeof clusters) =>
    (100 * drawn.reduce((sum, { errors }) => sum + errors, 0)) / drawn.reduce((sum, { words }) => sum + words, 0);
  const drawn = Array.from({ length: DRAWS }, () =>
    share(
      clusters.map(() => clusters[Math.min(clusters.length - 1, Math.floor(((random() + 1) / 2) * clusters.length))]!),
    ),
  ).sort((a, b) => a - b);
  const at = (q: number) => drawn[Math.floor(q * DRAWS)]!.toFixed(2);
  return `${share(clusters).toFixed(2)} [${at(0.025)}, ${at(0.975)}]`;
}

/** The clip's text by pocketsphinx with its default English model; null when it is not installed. */
function pocketsphinx(path: string): string | null {
  try {
    const options = { stdio: ['ignore', 'pipe', 'ignore'] as ('ignore' | 'pipe')[], encoding: 'utf8' as const };
    return execFileSync('pocketsphinx_continuous', ['-infile', path, '-logfn', '/dev/null'], options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Transcribes the clips with each recipe. */
async function heardBy(recipes: Readonly<Record<string, (typeof RECIPES)[string]>>, baseline: boolean) {
  const scores = new Map<string, Score[]>();
  const add = (name: string, score: Score) => scores.set(name, [...(scores.get(name) ?? []), score]);
  for (const version of versions) {
    for (const clip of clips) {
      const path = versionOf(evalPath('asr', clip.file), version, folder);
      const said = normalise(clip.text);
      const stretches = await segmentsOf(path, pool);
      for (const [name, recipe] of Object.entries(recipes)) {
        const began = process.cpuUsage();
        const words = await wordsOf(stretches, recipe(recogniser));
        const { user, system } = process.cpuUsage(began);
        const cpuMs = (user + system) / 1000;
        const heard = normalise(textOf(words));
        const confidence = words.length > 0 ? confidenceOf(words) : 0;
        add(name, { clip, version, counts: editCounts(said, heard), confidence, said, heard, cpuMs });
      }
      const other = baseline ? pocketsphinx(path) : null;
      if (other !== null) {
        const heard = normalise(other);
        const counts = editCounts(said, heard);
        add('pocketsphinx', { clip, version, counts, confidence: 0, said, heard, cpuMs: Number.NaN });
      }
    }
    say(`${version}: heard`);
  }
  return scores;
}

const cpuOf = (scores: Score[]): number => scores.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
const ofLibriSpeech = (scores: Score[]): Score[] =>
  clean(scores).filter(({ clip }) => clip.corpus.startsWith('LibriSpeech'));

function recipeTable(scores: ReadonlyMap<string, Score[]>): Table {
  const before = scores.get(BEFORE)!;
  const fast = scores.get('fast')!;
  return {
    title: `Word error rate (%) on ${clips.length} clips`,
    columns: [
      'recipe',
      ...versions,
      'telephone / before',
      'telephone, points',
      'clean, points',
      'LibriSpeech clean',
      'CPU / before',
      'LibriSpeech CPU / fast',
    ],
    rows: [...scores].map(([name, own]) => [
      name,
      ...versions.map((version) => percent(own.filter((score) => score.version === version))),
      percent(telephone(own)) / percent(telephone(before)),
      difference(telephone(own), telephone(before)),
      difference(clean(own), clean(before)),
      percent(ofLibriSpeech(own)),
      cpuOf(own) / cpuOf(before),
      cpuOf(ofLibriSpeech(own)) / cpuOf(ofLibriSpeech(fast)),
    ]),
    note: 'bars: best at most .86 x before on telephone and not above it on clean; fast not above it; LibriSpeech 12 %, at 1.5 x the CPU of fast. Paired bootstrap over clips. Nearly all read speech: optimistic for calls.',
  };
}

function bandTable(scores: Score[]): Table {
  const band = (confidence: number) =>
    confidence >= 0.95 ? '.95 and over' : confidence >= 0.9 ? '.90-.95' : confidence >= 0.8 ? '.80-.90' : 'below .80';
  const bands = [...Map.groupBy(scores, ({ confidence }) => band(confidence))].sort(([a], [b]) => a.localeCompare(b));
  return {
    title: 'Word error rate of `best` by asr_confidence (%)',
    columns: ['asr_confidence', 'words', 'WER'],
    rows: bands.map(([name, own]) => [name, total(own).words, percent(own)]),
  };
}

function corpusTable(scores: Score[]): Table {
  return {
    title: 'Word error rate of `best` per corpus, clean (%), substitutions / deletions / insertions',
    columns: ['corpus', 'words', 'WER', 'S', 'D', 'I'],
    rows: [...Map.groupBy(clean(scores), ({ clip }) => clip.corpus), ['all', clean(scores)] as const].map(
      ([name, own]) => {
        const counts = total(own);
        return [name, counts.words, percent(own), counts.substitutions, counts.deletions, counts.insertions];
      },
    ),
    note: 'The speechbrain and cards references are rough (data README).',
  };
}

/**
 * With word lists: the fraction of spoken rare words that are transcribed, and the number of listed words in the
 * transcripts that nobody said.
 */
async function listTable(): Promise<Table> {
  const { said, list, irrelevant } = rareWords(all.map(({ text }) => text));
  const lists: Record<string, string[]> = {
    none: [],
    '1,000 with the rare ones': list,
    '1,000 irrelevant': irrelevant,
  };
  const recipes = Object.fromEntries(
    Object.entries(lists).map(([name, words]) => [
      name,
      (one: Moonshine) => (samples: Float32Array) => one.recognise(samples, { quality: 'best', words }),
    ]),
  );
  const scores = await heardBy(recipes, false);
  const count = (text: string, word: string) => text.split(' ').filter((one) => one === word).length;
  return {
    title: `Lists of words: ${said.length} rare words are said`,
    columns: ['list', 'version', 'WER', 'against none, points', 'recall of rare words (%)', 'false listed words'],
    rows: [...scores].flatMap(([name, own]) =>
      versions.map((version) => {
        const here = own.filter((score) => score.version === version);
        const sum = (of: (score: Score) => number) => here.reduce((total, score) => total + of(score), 0);
        const spoken = sum((score) => said.reduce((n, word) => n + count(score.said, word), 0));
        const caught = sum((score) =>
          said.reduce((n, word) => n + Math.min(count(score.said, word), count(score.heard, word)), 0),
        );
        const invented = sum((score) =>
          lists[name]!.reduce((n, word) => n + Math.max(0, count(score.heard, word) - count(score.said, word)), 0),
        );
        const none = scores.get('none')!.filter((score) => score.version === version);
        return [name, version, percent(here), difference(here, none), (100 * caught) / spoken, invented];
      }),
    ),
    note: 'bars: recall 1.25 x on telephone sound, at most two false words, an irrelevant list changes WER by .3 at most',
  };
}

/** Fraction of the words of real calls that stay the same when the audio is shifted by 6 ms. */
async function movedTable(): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const file of ['gcp_commercial_mono.flac', 'aws_call40_mono.flac']) {
    const path = versionOf(evalPath('diarization', 'audio', file), 'clean', folder);
    const [still, moved] = [await segmentsOf(path, pool), await segmentsOf(path, pool, 0.006)];
    for (const [name, recipe] of Object.entries(RECIPES)) {
      const [one, other] = [await wordsOf(still, recipe(recogniser)), await wordsOf(moved, recipe(recogniser))];
      const counts = editCounts(normalise(textOf(one)), normalise(textOf(other)));
      rows.push([file, name, counts.words, 100 * (1 - wordErrorRate(counts))]);
    }
    say(file);
  }
  return {
    title: 'Words that stay when the sound is heard 6 ms later (%)',
    columns: ['recording', 'recipe', 'words', 'stay'],
    rows,
    note: 'bar: 86 % together',
  };
}

/** The sentences of real callers, by each recipe. */
async function callerTable(): Promise<Table> {
  const scores = new Map<string, SentenceScore[]>(Object.keys(RECIPES).map((name) => [name, []]));
  const cpuMs = new Map<string, number>();
  const sentences = callerSentences(Number(values.sentences));
  for (const [i, sentence] of sentences.entries()) {
    const path = versionOf(evalPath('telephone', sentence.file), 'clean', folder);
    const stretches = await segmentsOf(path, pool);
    for (const [name, recipe] of Object.entries(RECIPES)) {
      const began = process.cpuUsage();
      const words = await wordsOf(stretches, recipe(recogniser));
      const { user, system } = process.cpuUsage(began);
      cpuMs.set(name, (cpuMs.get(name) ?? 0) + (user + system) / 1000);
      scores.get(name)!.push(scoreSentence(sentence, textOf(words)));
    }
    if ((i + 1) % 50 === 0) say(`telephone: ${i + 1} of ${sentences.length} sentences`);
  }
  return telephoneTable(scores, cpuMs);
}

const tables: Table[] = [];
if (values.lists) tables.push(await listTable());
else if (values.moved) tables.push(await movedTable());
else if (values.telephone) tables.push(await callerTable());
else {
  const heard = await heardBy(RECIPES, !values.quick);
  const best = heard.get('best')!;
  tables.push(recipeTable(heard), corpusTable(best), bandTable(best), await callerTable());
  const worst = best.toSorted((a, b) => errorsOf(b.counts) - errorsOf(a.counts)).slice(0, 6);
  tables.push({
    title: 'Clips with most errors',
    columns: ['clip', 'version', 'errors', 'said', 'heard'],
    rows: worst.map(({ clip, version, counts, said, heard: text }) => [
      clip.file,
      version,
      errorsOf(counts),
      said,
      text,
    ]),
  });
}
await pool.close();
rmSync(folder, { recursive: true });
report('asr', tables);
