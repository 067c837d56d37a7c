import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pipelineSettings } from '../containers/pipeline/settings.ts';
import { pipelineVariables } from '../scripts/start/pipeline-process.ts';
import type { LiveSessionBody } from '../src/contract/live.ts';
import { Undertone } from '../src/sdk/index.ts';
import { paced } from '../support/recording-chunks.ts';
import { startProcess } from '../support/started.ts';
import { freePort } from '../tools/machine.ts';
import { BYTES_PER_SECOND, speech } from './live-stream.ts';
import { report, say } from './report.ts';
import { titledBelow } from './workerd.ts';

// `npm start` with two real pipelines: more live sessions are asked for at once than there are slots, and one pipeline
// is killed while they run. All send the same recording, so each has to get the words of one that runs alone first.

const PIPELINES = 2;
const { values } = parseArgs({
  strict: false,
  options: {
    asked: { type: 'string', default: '30' },
    /** Live sessions of each pipeline; by default what the service gives it on this machine. */
    slots: { type: 'string', default: String(pipelineSettings(pipelineVariables(0, PIPELINES)).maxLiveSessions) },
    seconds: { type: 'string', default: '60' },
  },
});
const ASKED = Number(values.asked);
const SLOTS = Number(values.slots);
const SECONDS = Number(values.seconds);
const TAKEN = Math.min(ASKED, PIPELINES * SLOTS);
/** The share of the recording that has been sent when the pipeline is killed. */
const KILLED_AT = 0.5;
const MOST_AWAY_S = 15;
const CHUNK_BYTES = BYTES_PER_SECOND / 4;

const folder = mkdtempSync(join(tmpdir(), 'undertone-lost-pipeline-'));
const port = await freePort();
const url = `http://localhost:${port}`;
say('starting the service');
const started = startProcess(['scripts/start.ts'], {
  ...{ PORT: String(port), STATE_DIR: folder },
  ...{ POOL_MAX: String(PIPELINES), MAX_LIVE_SESSIONS: String(SLOTS), MAX_SESSIONS_PER_KEY: '1000' },
});
const audio = speech(SECONDS);

/** The final texts and the waits of a session, with their times (`performance.now()`). */
interface Heard {
  texts: { text: string; at: number }[];
  /** From `waiting_capacity` to the next event. */
  waits: { from: number; to: number }[];
}

async function run(service: Undertone, session: LiveSessionBody): Promise<Heard> {
  const capture = service.live.resume({ session, next_chunk_seq: 0 });
  const heard: Heard = { texts: [], waits: [] };
  const reading = (async () => {
    let since: number | null = null;
    for await (const { event, data } of capture) {
      const at = performance.now();
      if (event === 'final_transcript') heard.texts.push({ text: data.text, at });
      const isWaiting = event === 'status' && data.phase === 'waiting_capacity';
      if (since !== null && !isWaiting) heard.waits.push({ from: since, to: at });
      since = isWaiting ? (since ?? at) : null;
    }
  })();
  for await (const chunk of paced(audio, CHUNK_BYTES, BYTES_PER_SECOND)) await capture.send(chunk);
  await capture.flush();
  await capture.finalize();
  await reading;
  return heard;
}

const wordsOf = ({ texts }: Heard): string => texts.map(({ text }) => text).join(' ');
const quantile = (sorted: readonly number[], q: number): number => sorted[Math.floor(q * (sorted.length - 1))] ?? 0;
const seconds = (ms: number): number => Number((ms / 1000).toFixed(1));

try {
  const key = /demo key: ([^;]+);/.exec(await started.line(/demo key: /))?.[1] ?? '';
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const begin = () => fetch(`${url}/analyze/live/start`, { method: 'POST', headers, body: '{"suffix":".pcm"}' });
  const service = new Undertone({ url, key });
  say('one session alone');
  const alone = await run(service, (await (await begin()).json()) as LiveSessionBody);

  say(`${ASKED} sessions at once`);
  const answers = await Promise.all(Array.from({ length: ASKED }, begin));
  const taken = answers.filter(({ ok }) => ok);
  const told = answers.filter(({ status, headers: answered }) => status === 503 && answered.has('Retry-After'));
  const sessions = (await Promise.all(taken.map((answer) => answer.json()))) as LiveSessionBody[];
  const running = Promise.all(sessions.map((session) => run(service, session)));
  await new Promise((resolve) => setTimeout(resolve, 1000 * SECONDS * KILLED_AT));
  const load = loadavg()[0]!;
  say('killing a pipeline');
  const [lost] = titledBelow(started.process.pid!, 'undertone-pipeline');
  if (lost === undefined) throw new Error('the service runs no pipeline');
  process.kill(lost, 'SIGKILL');
  const killedAt = performance.now();
  const restarted = started.line(/the pipeline is ready again/).then(() => performance.now() - killedAt);
  const heard = await running;
  // A session of the other pipeline has no gap but the pauses of the recording.
  const awayMs = heard
    .map(({ texts }) => (texts.find(({ at }) => at > killedAt)?.at ?? Number.POSITIVE_INFINITY) - killedAt)
    .sort((a, b) => a - b);
  const placedMs = heard.flatMap(({ waits }) => waits.filter(({ to }) => to > killedAt).map(({ to }) => to - killedAt));
  const equal = heard.filter((one) => wordsOf(one) === wordsOf(alone)).length;
  const mostAwayS = seconds(awayMs.at(-1) ?? Number.POSITIVE_INFINITY);
  const rows: [what: string, result: number, bar: string, isMet: boolean | null][] = [
    ['sessions asked for at once', ASKED, '', null],
    ['taken', taken.length, `${TAKEN}, the slots`, taken.length === TAKEN],
    ['refused with 503 and `Retry-After`', told.length, `${ASKED - TAKEN}`, told.length === ASKED - TAKEN],
    ['from the kill to the next final text, all sessions, s', mostAwayS, `${MOST_AWAY_S}`, mostAwayS <= MOST_AWAY_S],
    ['the same, half of the sessions, s', seconds(quantile(awayMs, 0.5)), '', null],
    ['sessions told that they have no place', placedMs.length, '', null],
    ['from the kill to the place of the last of them, s', seconds(Math.max(0, ...placedMs)), '', null],
    ['until the killed pipeline was ready again, s', seconds(await restarted), '', null],
    ['sessions with the words of the one alone', equal, 'all taken', equal === taken.length],
    ['final texts of a session', alone.texts.length, '', null],
    ['load of the machine when the pipeline was killed', Number(load.toFixed(1)), '', null],
  ];
  report('lost-pipeline', [
    {
      title: `${PIPELINES} pipelines with ${SLOTS} slots each, one killed after ${SECONDS * KILLED_AT} s of ${SECONDS}`,
      columns: ['what', 'result', 'bar', 'met'],
      rows: rows.map(([what, result, bar, isMet]) => [what, result, bar, isMet === null ? '' : isMet ? 'yes' : 'NO']),
    },
  ]);
  process.exitCode = rows.some(([, , , isMet]) => isMet === false) ? 1 : 0;
} finally {
  started.process.kill('SIGTERM');
  await started.ended;
  rmSync(folder, { recursive: true, force: true });
}
