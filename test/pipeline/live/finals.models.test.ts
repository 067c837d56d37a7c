import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BoundedQueue } from '../../../containers/pipeline/admission.ts';
import type { Documents } from '../../../containers/pipeline/analysis-documents.ts';
import { AnalysisOutput } from '../../../containers/pipeline/analysis-output.ts';
import { PipelineSession } from '../../../containers/pipeline/live/session.ts';
import { type LiveStages, liveStages } from '../../../containers/pipeline/live/stages.ts';
import { SpeechDetector } from '../../../containers/pipeline/models/silero.ts';
import { analyse } from '../../../containers/pipeline/pipeline.ts';
import { type Priority, WorkerPool } from '../../../containers/pipeline/workers/pool.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type { PipelineLine, PipelineOptions, TranscriptionLine } from '../../../src/contract/pipeline.ts';
import type { FinalTranscript } from '../../../src/sdk/wire.ts';
import { inCommon, wordsOf } from '../../../support/common-words.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';
import { fixtureBytes, inPieces } from '../../../support/recordings.ts';

const CHUNK_BYTES = 65_536;

let pool: WorkerPool;
let stages: LiveStages;
beforeAll(async () => {
  pool = await WorkerPool.start();
  stages = liveStages(pool, await SpeechDetector.load(), new BoundedQueue());
}, 60_000);
afterAll(() => pool.close());

/** Compares where the sound is cut; by default finals are recognised with `fast` and the whole with `best`. */
const SAME_QUALITY = { ...OPTIONS, quality: 'fast' } as const;

const resultOf = (documents: Documents | undefined): AnalysisResponse => {
  const { parts } = documents!.find(({ name }) => name === 'result.json')!;
  return JSON.parse(Buffer.concat(parts.map(({ bytes }) => bytes)).toString());
};

/**
 * @param beforeEnd called when all bytes are sent
 * @param recalled transcriptions of another process
 */
async function sessionOf(
  name: string,
  options: PipelineOptions,
  beforeEnd = async () => {},
  recalled: TranscriptionLine[] = [],
) {
  const bytes = fixtureBytes(name);
  const session = await PipelineSession.open(options, stages, () => undefined);
  const live: FinalTranscript[] = [];
  /** The estimates of the time to the end, s. */
  const expected: number[] = [];
  const events = new Set<string>();
  const lines: PipelineLine[] = [];
  session.recall(recalled);
  const ended = new Promise<AnalysisResponse>((resolve) =>
    session.listen({
      line: (line) => {
        lines.push(JSON.parse(JSON.stringify(line)));
        if (line.type !== 'event') return;
        if (line.event === 'status' && line.data.expected_s !== undefined) expected.push(line.data.expected_s);
        events.add(line.event);
        if (line.event === 'final_transcript') live.push(line.data as FinalTranscript);
      },
      end: (documents) => resolve(resultOf(documents)),
    }),
  );
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    await session.take(at / CHUNK_BYTES, bytes.subarray(at, at + CHUNK_BYTES), new AbortController().signal);
  await beforeEnd();
  session.finalize();
  const result = await ended;
  await session.close();
  return { live, expected, events, lines, result };
}

type Session = Awaited<ReturnType<typeof sessionOf>>;

const transcribed = (run: { mock: { calls: Parameters<WorkerPool['run']>[] } }, priority: Priority) =>
  run.mock.calls.filter(([job, task]) => task === 'transcribe' && job.priority === priority).length;

/** The sessions at one quality, each made once, with the numbers of segments that they transcribed. */
const sessions = new Map<string, Promise<Session & { again: number; prepared: number }>>();
function sharedSessionOf(name: string) {
  const made = sessions.get(name) ?? countedSessionOf(name);
  sessions.set(name, made);
  return made;
}
async function countedSessionOf(name: string) {
  const run = vi.spyOn(pool, 'run');
  const session = await sessionOf(name, SAME_QUALITY);
  const counts = { again: transcribed(run, 'batch'), prepared: transcribed(run, 'idle') };
  run.mockRestore();
  return { ...session, ...counts };
}

/** The result of the same bytes as a file. */
async function resultOfFile(name: string, options: PipelineOptions): Promise<AnalysisResponse> {
  const output = new AnalysisOutput({ ...options, live: false });
  const fresh = { options, isStreamed: true };
  for await (const line of analyse(inPieces(fixtureBytes(name)), fresh, pool)) output.take(line);
  return resultOf(output.documents);
}

// Latencies depend on the load, and a file has no live session.
const withoutLiveIds = <T extends { heard_as?: string[] | undefined }>({ heard_as: _, ...rest }: T) => rest;
const comparable = ({ agent_results, timeline, moments, transitions, ...rest }: AnalysisResponse) => ({
  ...rest,
  timeline: timeline.map(withoutLiveIds),
  moments: moments.map(withoutLiveIds),
  transitions: transitions.map(withoutLiveIds),
  agent_results: agent_results.map(({ latency_ms: _, ...result }) => result),
});

/** The events that every process sends alike. */
const permanent = (lines: PipelineLine[]) =>
  lines.flatMap((line) => {
    if (line.type !== 'event' || line.n === undefined) return [];
    const { partial_id: _, ...data } = line.data as { partial_id?: string };
    return [[line.n, line.event, data]];
  });

it.each(['call.wav', 'call-stereo.wav'])(
  'of %s match those of the whole file',
  async (name) => {
    const { live: utterances, result } = await sharedSessionOf(name);
    const [live, whole] = [utterances, result.timeline].map((spoken) =>
      wordsOf(spoken.map(({ text }) => text).join(' ')),
    ) as [string[], string[]];
    expect(whole.length).toBeGreaterThan(50);
    expect(inCommon(whole, live) / whole.length).toBeGreaterThanOrEqual(0.93);
  },
  60_000,
);

it('estimates its time to the end, and names what was live by ids of its own, which the stored ones repeat', async () => {
  const { live, expected, result } = await sharedSessionOf('call.wav');
  expect(expected).toEqual([expect.closeTo(2 + 0.03 * result.media.duration_s, 2)]);
  const heard = result.timeline.flatMap(({ heard_as }) => heard_as!);
  expect(live.map(({ utterance_id }) => utterance_id)).toEqual(live.map((_, n) => `c_live_utt_${n}`));
  expect(new Set(heard)).toEqual(new Set(live.map(({ utterance_id }) => utterance_id)));
  const stored = new Map(result.timeline.map((entry) => [entry.utterance_id, entry]));
  const evidence = result.summary.evidence.flatMap(({ utterance_ids }) => utterance_ids);
  expect(evidence.length).toBeGreaterThan(0);
  for (const id of evidence) expect(stored.get(id)?.heard_as).not.toEqual([]);
  for (const finding of [...result.moments, ...result.transitions]) expect(finding.heard_as).toBeDefined();
}, 60_000);

describe('the final analysis', () => {
  it.each(['call.wav', 'call-stereo.wav'])(
    'of %s gives what the file gives, and transcribes little of what was transcribed before',
    async (name) => {
      const { result, again, prepared } = await sharedSessionOf(name);
      expect(prepared).toBe(0);
      const run = vi.spyOn(pool, 'run');
      expect(comparable(result)).toEqual(comparable(await resultOfFile(name, SAME_QUALITY)));
      expect(again).toBeLessThan(transcribed(run, 'batch') / 2);
      run.mockRestore();
    },
    120_000,
  );

  it('at its own quality is prepared while the session runs, and gives what the file gives', async () => {
    const run = vi.spyOn(pool, 'run');
    const prepared = async () => {
      await vi.waitFor(() => expect(transcribed(run, 'idle')).toBeGreaterThan(4), 60_000);
      await Promise.all(run.mock.results.map(({ value }) => value));
    };
    const { result } = await sessionOf('call.wav', OPTIONS, prepared);
    const again = transcribed(run, 'batch');
    run.mockClear();
    expect(comparable(result)).toEqual(comparable(await resultOfFile('call.wav', OPTIONS)));
    expect(result.options.quality).toBe('best');
    expect(again).toBeLessThan(transcribed(run, 'batch') / 2);
    run.mockRestore();
  }, 120_000);
});

it.each(['call-stereo.wav', 'foreign.wav'])(
  'a session of %s that moves sends the same, and transcribes and measures nothing again but its end',
  async (name) => {
    const before = await sharedSessionOf(name);
    const recalled = before.lines.filter((line) => line.type === 'transcription');
    const run = vi.spyOn(pool, 'run');
    const after = await sessionOf(name, SAME_QUALITY, undefined, recalled);
    const tasks = run.mock.calls.map(([{ priority }, task]) => `${priority} ${task}`);
    run.mockRestore();
    expect(tasks.filter((task) => /transcribe|(live|interim) interim/.test(task))).toEqual([]);
    // The voice after the last transcription has gone nowhere.
    expect(tasks.filter((task) => task === 'live voice').length).toBeLessThanOrEqual(1);
    expect(after.lines.filter((line) => line.type === 'transcription')).toEqual([]);
    expect(permanent(after.lines)).toEqual(permanent(before.lines));
    expect(comparable(after.result)).toEqual(comparable(before.result));
  },
  120_000,
);

it('nothing is concluded from German while a session runs', async () => {
  const { live, result, events } = await sharedSessionOf('foreign.wav');
  expect(live.length).toBeGreaterThan(0);
  expect(result.language).toBe('unknown');
  expect([...events].filter((event) => ['emotion', 'cognitive', 'transition', 'moment'].includes(event))).toEqual([]);
});
