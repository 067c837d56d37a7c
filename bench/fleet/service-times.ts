import { randomNumbers } from '../simulation/inputs.ts';

/** Pipelines of a measurement. */
export const PIPELINES = 2;

/** How long a pipeline with one thread of recognition takes for the final texts of live sessions. */
export interface ServiceTimes {
  /** Part of every latency that no other session makes longer, ms: the network, the chunk that is not full, waits. */
  fixedMs: number;
  /** Times of recognition of final texts when nothing else runs, ms, as a sample. */
  workMs: readonly number[];
  /** Share of the thread that a session takes all the time: interim texts, prosody, affect. Nobody waits for it. */
  besideShare: number;
  /** Mean time between two final texts of a session, ms. */
  everyMs: number;
}

/**
 * Simulated latencies of the final texts of sessions that share a thread, ms. The thread has one text after the other, in
 * the order in which their speech ends, as a worker of the pipeline does.
 */
export function modelledLatencies(times: ServiceTimes, sessions: number, seconds = 1_800): number[] {
  const random = randomNumbers(7);
  const { fixedMs, workMs, besideShare, everyMs } = times;
  const left = Math.max(0.02, 1 - sessions * besideShare);
  const ends: number[] = [];
  for (let session = 0; session < sessions; session++)
    for (let at = random() * everyMs; at < seconds * 1000; at += everyMs * (0.4 + 1.2 * random())) ends.push(at);
  let freeAt = 0;
  return ends
    .sort((a, b) => a - b)
    .map((at) => {
      freeAt = Math.max(freeAt, at) + workMs[Math.floor(random() * workMs.length)]! / left;
      return fixedMs + freeAt - at;
    });
}

export const quantileOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN;
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Measured latencies of final texts with a number of sessions on each pipeline, ms. */
export interface MeasuredLoad {
  sessions: number;
  latencies: readonly number[];
  /** Seconds that each session was sent. */
  seconds: number;
}

/**
 * The times that explain two measurements: the latencies with one session give the fixed part and the recognition, and
 * the mean with the most sessions gives the work beside it.
 */
export function fittedTimes(alone: MeasuredLoad, most: MeasuredLoad): ServiceTimes {
  const sorted = alone.latencies.toSorted((a, b) => a - b);
  const fixedMs = 0.9 * sorted[0]!;
  const everyMs = (1000 * alone.seconds * alone.sessions * PIPELINES) / alone.latencies.length;
  const times = (besideShare: number): ServiceTimes => ({
    fixedMs,
    // The session's own work beside its texts is in what was measured.
    workMs: sorted.map((latency) => (latency - fixedMs) * (1 - alone.sessions * besideShare)),
    besideShare,
    everyMs,
  });
  const wanted = meanOf(most.latencies);
  let [low, high] = [0, 1 / most.sessions];
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2;
    if (meanOf(modelledLatencies(times(middle), most.sessions, 600)) < wanted) low = middle;
    else high = middle;
  }
  return times((low + high) / 2);
}

/**
 * Assumed for the thread of a container: with the rates of `npm run bench -- live`, in which two threads carry
 * twelve sessions, each has a sixth of one. One utterance a second, as the bench sends them.
 */
export const SERVICE_TIMES: ServiceTimes & {
  /** Part of the work on an utterance whose transcription the session has brought along (`npm run bench -- replay`). */
  recalledShare: number;
} = {
  recalledShare: 6.89 / 60.48,
  fixedMs: 300,
  workMs: [40, 70, 100, 130, 160],
  besideShare: 0.05,
  everyMs: 1_000,
};
