import { AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { type AnalysisResponse, type StreamEvent, Undertone, UndertoneError } from '../../src/sdk/index.ts';
import { smokeRecording, storedResult, wordErrorRate } from './smoke-recording.ts';

/** Largest share of words that may differ from the stored result. Another processor can round differently. */
const MAX_WORD_ERRORS = 0.1;
/** The same for a deployment whose recogniser is not the one of the stored result. */
const MAX_WORD_ERRORS_ELSEWHERE = 0.3;
/** A container that sleeps needs a few seconds to start, and a new image has to be pulled first. */
const READY_MS = 180_000;
const AGAIN_MS = 2_000;
const CHUNK_BYTES = 64 * 1024;
/** Time limit of the whole test. */
const TOTAL_MS = 600_000;

/** One line of the report. */
export interface SmokeCheck {
  name: string;
  isOk: boolean;
  seconds: number;
  /** A finding, or the reason of a failure. */
  finding: string;
}

export interface SmokeOptions {
  url: string;
  key: string;
  /** Called after each check. */
  onCheck?: (check: SmokeCheck) => void;
}

/**
 * Tries a running service in all three modes with one short recording, compares the results with each other and with the
 * stored one, and deletes what it created. A check that needs an earlier, failed one is not made.
 * @returns the checks; the service works if all are ok
 */
export async function smoke({ url, key, onCheck }: SmokeOptions): Promise<SmokeCheck[]> {
  const checks: SmokeCheck[] = [];
  const signal = AbortSignal.timeout(TOTAL_MS);
  const undertone = new Undertone({ url, key });
  const made = new Set<string>();
  let isInVain = false;
  /** Undefined when the check failed. */
  async function check<T>(name: string, run: () => Promise<[finding: string, value: T]>): Promise<T | undefined> {
    if (isInVain) return undefined;
    const begun = performance.now();
    let value: T | undefined;
    const one: SmokeCheck = { name, isOk: false, seconds: 0, finding: '' };
    try {
      [one.finding, value] = await run();
      one.isOk = true;
    } catch (error) {
      one.finding = reasonOf(error);
      isInVain = true;
    }
    one.seconds = (performance.now() - begun) / 1000;
    checks.push(one);
    onCheck?.(one);
    return value;
  }

  await check('health', async () => [(await undertone.health({ signal })).status, null]);
  const isBuiltIn = await check('ready', async () => {
    const { recognisers } = await readyWithin(undertone, READY_MS, signal);
    // The default comes first.
    return [recognisers.map(({ id }) => id).join(', '), recognisers[0]?.kind === 'built_in'];
  });
  await check('a wrong key', async () => [await refusalOf(url, signal), null]);
  const batch = await check('batch', async () => {
    const answer = await undertone.analyze(smokeRecording(), { filename: 'smoke.wav', signal });
    made.add(answer.conversation_id);
    return [comparedWithStored(answer, isBuiltIn ?? true), AnalysisResponseSchema.parse(answer)];
  });
  await check('stream', async () => {
    const events = await collected(undertone.replay(smokeRecording(), { filename: 'smoke.wav', signal }));
    const id = conversationOf(events);
    made.add(id);
    return [sameAsBatch(batch!, await undertone.conversations.get(id, { signal }), events), null];
  });
  await check('live', async () => {
    const capture = await undertone.live.start({ suffix: '.wav', signal });
    const id = capture.session.conversation_id;
    made.add(id);
    const reading = collected(capture);
    const bytes = await smokeRecording().bytes();
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await capture.send(bytes.subarray(at, at + CHUNK_BYTES));
    await capture.finalize();
    const events = await reading;
    return [sameAsBatch(batch!, await undertone.conversations.get(id, { signal }), events), null];
  });
  // Also after a failure.
  isInVain = false;
  if (made.size > 0)
    await check('clean up', async () => {
      for (const id of made) await undertone.conversations.delete(id, { signal });
      return [`${made.size} conversations deleted`, null];
    });
  return checks;
}

/** A check of a smoke test found something wrong. */
class Wrong extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof UndertoneError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

async function readyWithin(undertone: Undertone, ms: number, signal: AbortSignal) {
  const until = Date.now() + ms;
  for (;;) {
    try {
      return await undertone.ready({ signal });
    } catch (error) {
      if (signal.aborted || Date.now() >= until) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

async function refusalOf(url: string, signal: AbortSignal): Promise<string> {
  const headers = { 'X-API-Key': 'smoke-test-wrong-key' };
  const answer = await fetch(new URL('conversations', url.endsWith('/') ? url : `${url}/`), { headers, signal });
  await answer.body?.cancel();
  if (answer.status !== 401) throw new Wrong(`a wrong key got ${answer.status}, not 401`);
  return 'refused with 401';
}

/** @throws Wrong */
function comparedWithStored({ timeline, speakers, summary }: AnalysisResponse, isBuiltIn: boolean): string {
  const stored = storedResult();
  const rate = wordErrorRate(
    stored.utterances.map(({ text }) => text),
    timeline.map(({ text }) => text),
  );
  const limit = isBuiltIn ? MAX_WORD_ERRORS : MAX_WORD_ERRORS_ELSEWHERE;
  const found = `${timeline.length} utterances, ${percent(rate)} of the words differ from the stored result`;
  if (rate > limit) throw new Wrong(`${found}; the limit is ${percent(limit)}`);
  if (speakers.count !== stored.speakers)
    throw new Wrong(`${speakers.count} speakers instead of the ${stored.speakers} of the stored result`);
  if (summary.overview === '') throw new Wrong('the summary is empty');
  return `${found}, ${speakers.count} speakers`;
}

async function collected(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The conversation that the last event, `done`, names. */
function conversationOf(events: readonly StreamEvent[]): string {
  const last = events.at(-1);
  if (last?.event !== 'done') throw new Wrong('the stream ended without `done`');
  return last.data.conversation_id;
}

/** @throws Wrong when a mode does not find what the batch found */
function sameAsBatch(batch: AnalysisResponse, result: AnalysisResponse, events: readonly StreamEvent[]): string {
  conversationOf(events);
  const texts = events.filter(({ event }) => event === 'final_transcript').length;
  if (texts === 0) throw new Wrong('the stream has no final transcript');
  if (JSON.stringify(comparable(batch)) !== JSON.stringify(comparable(result)))
    throw new Wrong('the stored result differs from that of the batch');
  return `${events.length} events, ${texts} final transcripts, the result equals that of the batch`;
}

/** Everything that was said and concluded, without ids. */
const comparable = ({ timeline, speakers, summary, moments }: AnalysisResponse) => ({
  speakers: speakers.count,
  utterances: timeline.map(({ speaker, t_start, t_end, text }) => ({ speaker, t_start, t_end, text })),
  overview: summary.overview,
  moments: moments.map(({ category, start_ms }) => ({ category, start_ms })),
});

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
