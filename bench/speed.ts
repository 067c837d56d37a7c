import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SAMPLE_RATE_HZ } from '../containers/pipeline/audio/interval.ts';
import { nameTagger } from '../containers/pipeline/conversation-weights.ts';
import { decodeStream } from '../containers/pipeline/media/decode.ts';
import { analyse } from '../containers/pipeline/pipeline.ts';
import { engineOf } from '../containers/pipeline/recognition/engines.ts';
import type { StageOptions } from '../containers/pipeline/stage-lines.ts';
import { encodeText } from '../containers/pipeline/stages/encoding.ts';
import { RecordingStages } from '../containers/pipeline/stages/recording.ts';
import { type Job, WorkerPool } from '../containers/pipeline/workers/pool.ts';
import { evalPath } from '../scripts/eval-data.ts';
import type { Quality } from '../src/contract/options.ts';
import { REDACTION_KINDS, type Redaction, type RedactionKind } from '../src/contract/redaction.ts';
import { Redactor } from '../src/conversation/redaction/redactor.ts';
import { OPTIONS, postMedia, readFileOutput, startServer } from '../support/pipeline-server.ts';
import { fixturePath } from '../support/recordings.ts';
import { report, say, type Table } from './report.ts';
import { wholeWay } from './whole-way.ts';

// Speed and memory of the pipeline on ten minutes of a telephone call, the memory of an hour (`--short` leaves the hour
// out), and then the whole service. With `--against <folder>`, both are compared with another checkout whose packages
// are installed. `--service` runs only the whole service, `--redaction` only the cost of redaction, and `--first` only
// the way to the first utterance, with the CPU time that it takes, which depends less on a busy machine.

const { values } = parseArgs({
  strict: false,
  options: {
    short: { type: 'boolean' },
    service: { type: 'boolean' },
    redaction: { type: 'boolean' },
    first: { type: 'boolean' },
    against: { type: 'string' },
  },
});

const SOURCE = ['diarization', 'audio', 'aws_call40_mono.flac'];
const MINUTES = 10;
const LONG_MINUTES = 60;
const RUNS = 2;
const BATCH: Job = { priority: 'batch' };
const ENGINE = engineOf();
const QUALITIES: Quality[] = ['best', 'fast'];
/** Finds the row in another checkout's bench. */
const ALONE = 'recognition alone';

/** The call as 16 kHz WAV, repeated. */
function looped(folder: string, minutes: number): string {
  const path = join(folder, `${minutes}.wav`);
  const loop = ['-v', 'error', '-stream_loop', '-1', '-i', evalPath(...SOURCE), '-t', String(60 * minutes)];
  execFileSync('ffmpeg', [...loop, '-ar', String(SAMPLE_RATE_HZ), '-ac', '1', path]);
  return path;
}

/** Seconds of wall time and of CPU time of this process, with the CPU time of its decoder listed separately. */
interface Cost {
  wall: number;
  cpu: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const started = performance.now();
  const cpuBefore = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
}

/** @param texts receives the transcribed texts */
const wholePipeline = (path: string, pool: WorkerPool, quality: Quality, texts: string[] = []): Promise<Cost> =>
  costOf(async () => {
    for await (const line of analyse(createReadStream(path), { options: { ...OPTIONS, quality } }, pool))
      if (line.type === 'utterance') texts.push(line.entry.text);
  });

/**
 * Only the recogniser, on the pipeline's own segments (including second passes of doubtful ones), with both workers
 * busy.
 */
async function recognitionAlone(path: string, pool: WorkerPool, quality: Quality): Promise<Cost> {
  const recording = new RecordingStages(pool, BATCH);
  try {
    for await (const block of decodeStream(createReadStream(path), '.wav')) await recording.push(block);
    const { segments } = await recording.layOut(ENGINE.longestS);
    return await costOf(() =>
      Promise.all(
        segments.map(async (segment) => {
          const samples = await recording.read(segment, segment.channel);
          return pool.run(BATCH, 'transcribe', { samples, segment, recogniser: ENGINE.id, options: { quality } });
        }),
      ),
    );
  } finally {
    await recording.close();
  }
}

interface ServerRun {
  /** Peak memory of the server's process, MB. */
  peakMb: number;
  /** Seconds of wall time and of CPU time of the server, with the CPU time of its decoder listed separately. */
  wall: number;
  cpu: number;
  /** Time from the last byte sent to the first utterance line, s. */
  firstUtterance: number;
}

const peakOf = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Seconds of CPU time of a process; the kernel counts it in hundredths. */
const cpuOf = (pid: number): number => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
};

/** A separate server, fed over HTTP. */
async function serverRun(path: string): Promise<ServerRun> {
  const { server, port } = await startServer();
  try {
    let lastByte = 0;
    const began = performance.now();
    const cpuBefore = cpuOf(server.pid!);
    const body = async function* () {
      for await (const chunk of createReadStream(path)) yield chunk as Uint8Array;
      lastByte = performance.now();
    };
    let firstUtterance = Number.NaN;
    await readFileOutput(await postMedia(`http://127.0.0.1:${port}`, body()), (line) => {
      if (line.type === 'event' && line.event === 'final_transcript' && Number.isNaN(firstUtterance))
        firstUtterance = (performance.now() - lastByte) / 1000;
    });
    const wall = (performance.now() - began) / 1000;
    return { peakMb: peakOf(server.pid!), wall, cpu: cpuOf(server.pid!) - cpuBefore, firstUtterance };
  } finally {
    server.kill();
  }
}

/** The way to the first utterance of a file that a separate server receives as fast as it takes it. */
async function firstUtterance(minutes: number, file: string): Promise<Table['rows'][number]> {
  const { server, port } = await startServer();
  try {
    const began = performance.now();
    const idle = cpuOf(server.pid!);
    let last = { at: began, cpu: idle };
    const body = async function* () {
      for await (const chunk of createReadStream(file)) yield chunk as Uint8Array;
      last = { at: performance.now(), cpu: cpuOf(server.pid!) };
    };
    const first = Promise.withResolvers<{ at: number; cpu: number }>();
    readFileOutput(await postMedia(`http://127.0.0.1:${port}`, body()), (line) => {
      if (line.type === 'event' && line.event === 'final_transcript')
        first.resolve({ at: performance.now(), cpu: cpuOf(server.pid!) });
    }).then(() => first.reject(new Error('the file has no utterance')), first.reject);
    const { at, cpu } = await first.promise;
    return [minutes, (last.at - began) / 1000, (at - last.at) / 1000, last.cpu - idle, cpu - last.cpu, cpu - idle];
  } finally {
    server.kill();
  }
}

/** @param path recording of ten minutes */
async function firstUtteranceTable(path: string): Promise<Table> {
  const rows = [await firstUtterance(MINUTES, path)];
  if (!values.short) rows.push(await firstUtterance(LONG_MINUTES, looped(folder, LONG_MINUTES)));
  return {
    title: 'The way to the first utterance',
    columns: ['minutes', 'last byte, s', 'first utterance after it, s', 'CPU s before it', 'CPU s after it', 'CPU s'],
    rows,
    note: 'Bars: 4 s after the last byte for ten minutes, and 6 s for an hour. CPU of the server without ffmpeg.',
  };
}

type Row = Table['rows'][number];
const row = (what: string, { wall, cpu }: Cost): Row => {
  const seconds = 60 * MINUTES;
  return [what, wall, seconds / wall, (1000 * cpu) / seconds];
};
const ratio = (what: string, a: Cost, b: Cost): Row => [what, a.wall / b.wall, null, a.cpu / b.cpu];
const least = (costs: Cost[]): Cost => costs.reduce((a, b) => (a.wall <= b.wall ? a : b));

/**
 * Cost of recognition alone in another checkout, according to its own bench. The last of its rows with that name is the
 * cheapest.
 */
function recognitionOf(root: string): Cost {
  say(`recognition of ${root}`);
  const own = execFileSync(process.execPath, ['bench/speed.ts', '--short', '--json'], { cwd: root, encoding: 'utf8' });
  const { tables } = JSON.parse(own) as { tables: Table[] };
  const found = tables[0]!.rows.findLast(([what]) => String(what).startsWith(ALONE));
  if (!found) throw new Error(`the bench of ${root} has no row "${ALONE}"`);
  return { wall: Number(found[1]), cpu: (Number(found[3]) * 60 * MINUTES) / 1000 };
}

/** @param path recording of ten minutes */
async function pipelineTables(path: string, against: string | undefined): Promise<Table[]> {
  const other = against === undefined ? undefined : recognitionOf(against);
  const pool = await WorkerPool.start();
  const texts: string[] = [];
  await wholePipeline(evalPath(...SOURCE), pool, 'best', texts);
  const costs = QUALITIES.map((quality) => ({ quality, whole: [] as Cost[], alone: [] as Cost[] }));
  for (let run = 1; run <= RUNS; run++)
    for (const { quality, whole, alone } of costs) {
      whole.push(await wholePipeline(path, pool, quality));
      alone.push(await recognitionAlone(path, pool, quality));
      const [a, b] = [whole.at(-1)!.wall.toFixed(1), alone.at(-1)!.wall.toFixed(1)];
      say(`${quality}, run ${run}: whole ${a} s, recognition alone ${b} s`);
    }
  await pool.close();
  const encoding = await costOf(async () => {
    for (const text of texts) await encodeText(text);
  });
  const servers: [number, ServerRun][] = [[MINUTES, await serverRun(path)]];
  if (!values.short) servers.push([LONG_MINUTES, await serverRun(looped(folder, LONG_MINUTES))]);
  return [
    {
      title: `Speed on ${MINUTES} minutes of a telephone call, least of ${RUNS}`,
      columns: ['what', 'wall s', 'audio s per s', 'CPU ms per audio s'],
      rows: [
        ...costs.flatMap(({ quality, whole, alone }) => [
          row(`whole pipeline, ${quality}`, least(whole)),
          row(`${ALONE}, ${quality}`, least(alone)),
          ratio(`ratio, ${quality}`, least(whole), least(alone)),
        ]),
        ...(other ? [row(`recognition of ${against}`, other)] : []),
        ...costs.flatMap(({ quality, alone }) =>
          other ? [ratio(`${quality} / recognition of ${against}`, least(alone), other)] : [],
        ),
      ],
      note: `Bars, on two idle cores: whole pipeline at least 45 audio s/s with fast, ratio at most 1.9. Against a checkout that heard once (before qualities): fast at most 1, CPU of best at most 2.2. CPU without ffmpeg.`,
    },
    {
      title: 'The server as a separate process',
      columns: [
        'minutes',
        'peak memory MB',
        'audio s per s',
        'CPU ms per audio s',
        'first utterance after the last byte, s',
      ],
      rows: [
        ...servers.map(([minutes, { peakMb, wall, cpu, firstUtterance }]) => [
          minutes,
          peakMb,
          (60 * minutes) / wall,
          (1000 * cpu) / (60 * minutes),
          firstUtterance,
        ]),
        ...(servers.length > 1
          ? [['ratio', null, null, null, servers.at(-1)![1].firstUtterance / servers[0]![1].firstUtterance]]
          : []),
      ],
      note: 'Bars: under 900 MB and flat; first utterance of ten minutes within 4 s, and of an hour within 6 s.',
    },
    {
      title: 'What reads the words (part of the whole pipeline)',
      columns: ['what', 'texts', 'CPU ms a text'],
      rows: [['the sentence encoder', texts.length, (1000 * encoding.cpu) / texts.length]],
    },
  ];
}

/** Kinds with a form of their own, and any digits, so that something is found. */
const NUMBERED = REDACTION_KINDS.filter((kind) => kind !== 'name' && kind !== 'address');
/** Analyses, with as many readings of their words after each; the middle of the shares counts. */
const REDACTION_RUNS = 5;
const READINGS = 5;
const middle = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1]!;

/** The cost of redaction on a call: reading its words, and transcribing its muted places again. */
async function redactionTable(): Promise<Table> {
  const pool = await WorkerPool.start();
  const run = pool.run.bind(pool);
  let transcribed = 0;
  pool.run = ((job, name, input, ...rest) => {
    if (name === 'transcribe') {
      const { segment } = input as { segment: { start: number; end: number } };
      transcribed += segment.end - segment.start;
    }
    return run(job, name, input, ...rest);
  }) as typeof pool.run;
  const analysed = async (path: string, redact?: StageOptions['redact']) => {
    const before = transcribed;
    const utterances: { speaker: string; words: string[] }[] = [];
    let muted: Redaction['muted'] = [];
    let seconds = 0;
    const options = { ...OPTIONS, quality: 'fast' as const, ...(redact && { redact }) };
    const cost = await costOf(async () => {
      for await (const line of analyse(createReadStream(path), { options }, pool)) {
        if (line.type === 'utterance')
          utterances.push({ speaker: line.entry.speaker, words: line.entry.text.split(' ') });
        if (line.type === 'end') {
          muted = line.redaction?.report.muted ?? [];
          seconds = line.media.duration_s;
        }
      }
    });
    return { cost, utterances, muted, seconds, transcribed: transcribed - before };
  };
  /** CPU seconds of reading the words of a call once, with a redactor for these kinds. */
  const read = async (kinds: readonly RedactionKind[], { utterances }: Awaited<ReturnType<typeof analysed>>) => {
    const { cpu } = await costOf(async () => {
      for (let n = 0; n < READINGS; n++) {
        const redactor = new Redactor<null>(kinds, { tagger: nameTagger() });
        for (const utterance of utterances) redactor.add(null, utterance);
        redactor.end();
      }
    });
    return cpu / READINGS;
  };
  const loading = await costOf(async () => {
    nameTagger();
  });
  await analysed(fixturePath('number-given.wav'));
  const runs: { plain: number; numbers: number; all: number }[] = [];
  let seconds = 0;
  for (let n = 1; n <= REDACTION_RUNS; n++) {
    const plain = await analysed(evalPath(...SOURCE));
    const [numbers, all] = [await read(NUMBERED, plain), await read(REDACTION_KINDS, plain)];
    seconds = plain.seconds;
    runs.push({ plain: plain.cost.cpu, numbers, all });
    say(`redaction, run ${n}: ${plain.cost.cpu.toFixed(1)} s of CPU, ${numbers.toFixed(3)} and ${all.toFixed(3)} s`);
  }
  const number = fixturePath('number-given.wav');
  const unredacted = await analysed(number);
  const redacted = await analysed(number, NUMBERED);
  await pool.close();
  const again = redacted.transcribed - unredacted.transcribed;
  const beside = redacted.muted.reduce((sum, { t_start, t_end }) => sum + t_end - t_start + 2, 0);
  return {
    title: `Redaction, on ${Math.round(seconds)} s of a telephone call, fast`,
    columns: ['what', 'value'],
    rows: [
      ['CPU ms per audio s of an analysis', (1000 * middle(runs.map(({ plain }) => plain))) / seconds],
      [
        'CPU ms per audio s of reading its words, kinds of numbers',
        (1000 * middle(runs.map((one) => one.numbers))) / seconds,
      ],
      ['CPU ms per audio s of reading its words, all kinds', (1000 * middle(runs.map(({ all }) => all))) / seconds],
      ['share of the analysis, kinds of numbers', middle(runs.map(({ plain, numbers }) => numbers / plain))],
      ['share of the analysis, all kinds', middle(runs.map(({ plain, all }) => all / plain))],
      ['CPU ms of loading the tagger, once in a process', 1000 * loading.cpu],
      ['muted places of a number that is given and read back', redacted.muted.length],
      ['seconds of them, with a second on either side', beside],
      ['seconds transcribed again', again],
    ],
    note: `Bars: at most .05 of an analysis without findings, and one hearing of the muted places otherwise. Shares are the middle of ${REDACTION_RUNS}, each of an analysis and of reading its words ${READINGS} times right after it. A place where a value is heard again is heard once more, with its whole utterance.`,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'undertone-bench-'));
try {
  const path = looped(folder, MINUTES);
  const against = values.against === undefined ? undefined : resolve(String(values.against));
  const isPart = values.service || values.redaction || values.first;
  const tables = isPart ? [] : await pipelineTables(path, against);
  if (values.first) tables.push(await firstUtteranceTable(path));
  if (!values.service && !values.first) tables.push(await redactionTable());
  if (!values.redaction && !values.first)
    tables.push(await wholeWay(path, 60 * MINUTES, { folder, against, runs: RUNS }));
  report('speed', tables);
} finally {
  rmSync(folder, { recursive: true });
}
