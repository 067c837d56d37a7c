import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { EVAL_DATA } from '../scripts/eval-data.ts';
import { type Difference, differencesOf, differenceTables, isOnlyWording } from './answer-differences.ts';
import { batch, dictated, live, media, type Outputs, REQUESTS, replay, segment } from './answer-requests.ts';
import { CheckoutService, commitOf } from './checkout-service.ts';
import { Dictation } from './dictation.ts';
import { report, say, type Table } from './report.ts';

/**
 * Compares what this checkout's service answers with what another's does, byte for byte but for ids, times of day and
 * latencies. Fails when anything but the wording of a sentence differs.
 *
 *   node bench/same-answers.ts --against FOLDER [--cache FOLDER] [--only batch,segment] [--quick] [--data FOLDER] [--json]
 *
 * - `batch`: recordings by POST /analyze; the result segmented again, with names, with an utterance moved, and exported
 * - `replay`: recordings by POST /analyze/stream, its lasting events
 * - `live`: recordings in chunks, the lasting events and the stored result
 * - `media`: odd and broken files by POST /analyze
 * - `segment`: all dialogues, text only, by POST /segment/conversation
 * - `dictated`: the beginning or end of every 100th dialogue (`--every`) as a whole analysis, by POST /analyze of one recording
 *   whose segments a transcription endpoint answers with the turns: HTTP has no other way from text to moments and summary
 *
 * Events that come by the clock are left out (`status`, `partial_transcript`), and what follows from them: the numbers of events
 * and the `partial_id` of finals. Answers are kept under `--cache` by the commit of a checkout without local changes, so a run
 * that was interrupted continues where it stopped, and the other checkout answers once.
 */
const KINDS = ['segment', 'batch', 'media', 'replay', 'live', 'dictated'] as const;
type Kind = (typeof KINDS)[number];

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    data: { type: 'string', default: EVAL_DATA },
    cache: { type: 'string' },
    only: { type: 'string', default: KINDS.join(',') },
    every: { type: 'string', default: '100' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean' },
  },
});
if (!values.against) throw new Error('--against FOLDER: the checkout to compare with');
const ROOT = join(import.meta.dirname, '..');
const AGAINST = resolve(values.against);
const only = values.only.split(',');
const unknown = only.filter((kind) => !(KINDS as readonly string[]).includes(kind));
if (unknown.length > 0) throw new Error(`--only knows ${KINDS.join(', ')}, not ${unknown.join(', ')}`);

/**
 * With `--quick`: the limit on the bytes of a recording (half a minute), and the number of dialogues from each file.
 */
const QUICK = { bytes: 1_000_000, dialogues: 100 };
/** Dialogues of one unit. */
const UNIT_DIALOGUES = 1000;
/** Two people who speak in turns. What they say is replaced by dialogues. */
const VOICES = 'asm_dev_2spk.wav';

/** A group of requests that are sent, stored and timed together. */
interface Unit {
  kind: Kind;
  name: string;
  /** Digest of the request. */
  digest: string;
  run: (service: CheckoutService) => Promise<Outputs>;
}

const digestOf = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256').update(String(REQUESTS));
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 12);
};

// Recordings

const folder = mkdtempSync(join(tmpdir(), 'undertone-same-answers-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
// An exit also ends the service.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** The fixtures and the recordings of the evaluation data. FLAC recordings are converted to WAV. */
function recordings(): File[] {
  const fixtures = join(ROOT, 'test/fixtures');
  const audio = join(values.data, 'diarization/audio');
  const own = listed(fixtures).filter((name) => name.endsWith('.wav'));
  return [
    ...own.map((name) => fileOf(join(fixtures, name))),
    ...listed(audio).map((name) => {
      const path = join(folder, name.replace('.flac', '.wav'));
      execFileSync('ffmpeg', ['-v', 'error', '-i', join(audio, name), '-c:a', 'pcm_s16le', '-bitexact', path]);
      return fileOf(path);
    }),
  ];
}

const listed = (path: string): string[] => (existsSync(path) ? readdirSync(path).sort() : []);
const bytesOf = async (file: File) => new Uint8Array(await file.arrayBuffer());
const fileOf = (path: string): File => new File([readFileSync(path)], basename(path));

async function recordingUnits(all: File[]): Promise<Unit[]> {
  const files = all.filter(({ size }) => !values.quick || size < QUICK.bytes);
  const odd = listed(join(values.data, 'media')).filter((name) => !/\.(json|md)$/.test(name));
  const ways: [Kind, (service: CheckoutService, file: File) => Promise<Outputs>, File[]][] = [
    ['batch', batch, files],
    ['media', media, values.quick ? [] : odd.map((name) => fileOf(join(values.data, 'media', name)))],
    ['replay', replay, files],
    ['live', live, files],
  ];
  const units: Unit[] = [];
  for (const [kind, way, own] of ways)
    for (const file of own) {
      const digest = digestOf(file.name, await bytesOf(file));
      units.push({ kind, name: file.name, digest, run: (service) => way(service, file) });
    }
  return units;
}

// Dialogues

/** Files of dialogues, each by name and line. */
const dialogueFiles = (): [string, string[]][] =>
  listed(join(values.data, 'dialogues'))
    .filter((name) => name.endsWith('.jsonl.gz'))
    .map((name) => {
      const text = gunzipSync(readFileSync(join(values.data, 'dialogues', name))).toString();
      const lines = text.split('\n').filter(Boolean);
      return [name.replace('.jsonl.gz', ''), values.quick ? lines.slice(0, QUICK.dialogues) : lines];
    });

function dialogueUnits(dictation: Dictation, voices: string): Unit[] {
  return dialogueFiles().flatMap(([file, lines]) => {
    const units: Unit[] = [];
    for (let at = 0; at < lines.length; at += UNIT_DIALOGUES) {
      const part = lines.slice(at, at + UNIT_DIALOGUES);
      const name = `${file}-${at}`;
      const sample = part.filter((_, i) => i % Number(values.every) === 0);
      const run = (service: CheckoutService) => segment(service, part);
      const dictate = (service: CheckoutService) => dictated(service, sample, dictation);
      units.push({ kind: 'segment', name, digest: digestOf(...part), run });
      units.push({ kind: 'dictated', name, digest: digestOf(voices, ...sample), run: dictate });
    }
    return units;
  });
}

// Both checkouts

interface Answers {
  seconds: number;
  outputs: Outputs;
}

/** The folder in which a checkout's answers are stored. */
function cacheOf(root: string): string | undefined {
  const commit = commitOf(root);
  if (values.cache === undefined) return undefined;
  if (commit === undefined) {
    say(`${root} has local changes: its answers are not kept`);
    return undefined;
  }
  const path = join(resolve(values.cache), commit);
  mkdirSync(path, { recursive: true });
  return path;
}

/** The answers of a checkout to each unit, from the cache if it has them. */
async function answersOf(
  root: string,
  units: Unit[],
  { settings, cache }: { settings: Record<string, string>; cache: string | undefined },
): Promise<Answers[]> {
  const state = mkdtempSync(join(folder, 'state-'));
  let service: CheckoutService | undefined;
  const all: Answers[] = [];
  try {
    for (const unit of units) {
      const kept = cache && join(cache, `${unit.kind}-${unit.name}-${unit.digest}.json.gz`);
      if (kept && existsSync(kept)) {
        all.push(JSON.parse(gunzipSync(readFileSync(kept)).toString()));
        continue;
      }
      service ??= await CheckoutService.start(root, state, settings);
      const began = performance.now();
      const outputs = await unit.run(service);
      const seconds = (performance.now() - began) / 1000;
      all.push({ seconds, outputs });
      say(`${root}: ${unit.kind} ${unit.name}, ${outputs.length} outputs, ${seconds.toFixed(1)} s`);
      if (!kept) continue;
      writeFileSync(`${kept}.part`, gzipSync(JSON.stringify(all.at(-1))));
      renameSync(`${kept}.part`, kept);
    }
  } finally {
    await service?.stop();
    rmSync(state, { recursive: true, force: true });
  }
  return all;
}

/** The numbers of equal and differing answers by kind, with the differences. */
function compared(units: Unit[], others: Answers[], all: Answers[]): Table[] {
  const differences: Difference[] = [];
  const rows = KINDS.filter((kind) => units.some((unit) => unit.kind === kind)).map((kind) => {
    const row = { outputs: 0, equal: 0, seconds: 0, otherSeconds: 0 };
    for (const [i, unit] of units.entries()) {
      if (unit.kind !== kind) continue;
      const [before, after] = [new Map(others[i]!.outputs), new Map(all[i]!.outputs)];
      for (const name of new Set([...before.keys(), ...after.keys()])) {
        const output = `${kind} ${unit.name}: ${name}`;
        const found = differencesOf(output, before.get(name) ?? 'null', after.get(name) ?? 'null');
        row.outputs++;
        if (found.length === 0) row.equal++;
        for (const one of found) differences.push(one);
      }
      row.seconds += all[i]!.seconds;
      row.otherSeconds += others[i]!.seconds;
    }
    return [kind, row.outputs, row.equal, row.outputs - row.equal, row.seconds, row.otherSeconds];
  });
  if (!isOnlyWording(differences)) {
    say('!!! more than the wording of sentences differs');
    process.exitCode = 1;
  }
  const outputs: Table = {
    title: `Answers of this checkout (${commitOf(ROOT) ?? 'with local changes'}) and of the other (${commitOf(AGAINST) ?? 'with local changes'})`,
    columns: ['kind', 'outputs', 'equal', 'differing', 'seconds', "the other's seconds"],
    rows,
    note: 'Left out: ids, times of day, latencies; of streams status, partials and the numbers of events.',
  };
  return [outputs, ...differenceTables(differences)];
}

let dictation: Dictation | undefined;
try {
  const files = recordings();
  const voices = files.find(({ name }) => name === VOICES) ?? files[0]!;
  dictation = await Dictation.start(voices);
  const units = [...(await recordingUnits(files)), ...dialogueUnits(dictation, digestOf(await bytesOf(voices)))]
    .filter(({ kind }) => only.includes(kind))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  if (listed(values.data).length === 0) say('no evaluation data: the fixtures alone are compared');
  const { settings } = dictation;
  const others = await answersOf(AGAINST, units, { settings, cache: cacheOf(AGAINST) });
  const isOther = commitOf(ROOT) !== commitOf(AGAINST);
  const all = await answersOf(ROOT, units, { settings, cache: isOther ? cacheOf(ROOT) : undefined });
  report('same-answers', compared(units, others, all));
} finally {
  dictation?.close();
}
