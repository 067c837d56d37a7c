import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BoundedQueue } from '../../containers/pipeline/admission.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { type LiveStages, liveStages, type StreamRecogniser } from '../../containers/pipeline/live/stages.ts';
import { LiveTranscriber } from '../../containers/pipeline/live/transcriber.ts';
import { decodeStream } from '../../containers/pipeline/media/decode.ts';
import { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import type { StageLine } from '../../containers/pipeline/stage-lines.ts';
import { TranscriptionCache } from '../../containers/pipeline/stages/transcription-cache.ts';
import { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { REDACTION_KINDS, type RedactionKind } from '../../src/contract/redaction.ts';
import { type StreamEvent, Undertone } from '../../src/sdk/index.ts';
import { type MadeUtterance, madeDialogue } from '../../support/made-personal-data.ts';
import { OPTIONS } from '../../support/pipeline-server.ts';
import { seeded } from '../../support/random.ts';
import { isInstalled, spokenDialogue, VOICE_PAIRS } from '../../support/spoken-dialogue.ts';
import { KEY, type Stack, startStack } from '../../support/whole-service.ts';
import { TRIES } from './table.ts';

// Card numbers that are read aloud by synthetic voices, really recognised, while they are said: no interim text and no
// utterance shows a digit. Nothing else in these dialogues is a number, so any digit that is shown belongs to a card.
// One call alone: npm run test:faults -- live-redaction -t "call 10,"

const CUT_S = 0.1;
/** Cuts a second: interim text is recognised at most once a second, so each pass shows every tenth cut. */
const PHASES = 10;
/** The call whose interim text is recognised at every cut. The others share the cuts of a second. */
const AT_EVERY_CUT = 5;
const DIGIT =
  /\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|(?:four|fif|six|seven|eigh|nin|ten)th|double|triple)\b/iu;

/** Longest wait for the recognition of a segment, ms. */
const SETTLE_MS = 120_000;

interface Call {
  n: number;
  name: string;
  wav: Uint8Array<ArrayBuffer>;
  redact: RedactionKind[];
}

type Final = Extract<StageLine, { type: 'utterance' }>['entry'];

const textOf = (utterances: readonly MadeUtterance[], test: (kind: unknown) => boolean) =>
  utterances.flatMap(({ words }) => words.flatMap(({ text, kind }) => (test(kind) ? [text] : []))).join(' ');

/** Ten calls, or as many as each fault is tried: in all voices and both bands, with `card` alone and with every kind. */
function madeCalls(): Call[] {
  const pairs = VOICE_PAIRS.filter(({ by }) => isInstalled(by));
  if (pairs.length === 0) throw new Error('these tests need espeak-ng or flite');
  const random = seeded(41);
  return Array.from({ length: TRIES }, (_, n) => {
    let { utterances } = madeDialogue(random, 'card');
    while (DIGIT.test(textOf(utterances, (kind) => kind === undefined)))
      ({ utterances } = madeDialogue(random, 'card'));
    const spoken = utterances.map((one) => ({ speaker: one.speaker, text: textOf([one], () => true) }));
    const pair = pairs[n % pairs.length]!;
    const isTelephone = Math.floor(n / pairs.length) % 2 === 1;
    return {
      n,
      name: `${n + 1}, ${pair.by} ${pair.voices[1]}${isTelephone ? ', telephone' : ''}`,
      wav: new Uint8Array(spokenDialogue(spoken, pair, isTelephone)),
      redact: n % 2 === 0 ? ['card'] : REDACTION_KINDS.filter((kind) => kind !== 'digits'),
    };
  });
}
const calls = madeCalls();

/** Least share of the calls in which a number must be recognised, and hidden: without them nothing is proved. */
const LEAST_HIDDEN = 0.5;
const LABEL = /\[(?:card|phone|ssn|iban|account|dob|postcode|password)\]/u;

/** The share of the calls with a label, of those that were tried. */
const hiddenIn = (texts: readonly (readonly string[])[]): number => {
  const tried = texts.filter((own) => own !== undefined);
  return tried.filter((own) => own.some((text) => LABEL.test(text))).length / tried.length;
};

/** The texts that show a digit. */
const shown = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => DIGIT.test(text)))];

describe('through the whole service, in chunks of 100 ms', () => {
  let stack: Stack;
  let undertone: Undertone;
  beforeAll(async () => {
    stack = await startStack();
    undertone = new Undertone({ url: stack.url, key: KEY });
  });
  afterAll(() => stack.stop());

  const told: string[][] = [];
  const stored: string[][] = [];

  it.each(calls)('no event and no stored text of call $name shows a digit of its card', async ({ n, wav, redact }) => {
    const bytesPerSecond = Buffer.from(wav.buffer).readUInt32LE(28);
    const capture = await undertone.live.start({ suffix: '.wav', redact });
    const events: StreamEvent[] = [];
    const reading = (async () => {
      for await (const event of capture) events.push(event);
    })();
    const step = bytesPerSecond * CUT_S;
    for (let at = 0; at < wav.length; at += step) await capture.send(new Blob([wav.subarray(at, at + step)]));
    await capture.finalize();
    await reading;
    told[n] = events.flatMap(({ event, data }) => {
      const { text = '', stable_text = '' } = data as { text?: string; stable_text?: string };
      return event === 'partial_transcript' || event === 'final_transcript' ? [text, stable_text] : [];
    });
    const { conversation_id } = events.findLast(({ event }) => event === 'done')!.data as { conversation_id: string };
    const { timeline } = await undertone.conversations.get(conversation_id);
    stored[n] = timeline.map(({ text }) => text);
    expect.soft(shown(told[n]!)).toEqual([]);
    expect(shown(stored[n]!)).toEqual([]);
  });

  it('recognises and hides numbers in most calls', () => {
    expect(hiddenIn(told)).toBeGreaterThanOrEqual(LEAST_HIDDEN);
    expect(hiddenIn(stored)).toBeGreaterThanOrEqual(LEAST_HIDDEN);
  });
});

describe('in the pipeline, with a cut every 100 ms', () => {
  let pool: WorkerPool;
  let stages: LiveStages;
  beforeAll(async () => {
    pool = await WorkerPool.start();
    stages = liveStages(pool, await SpeechDetector.load(), new BoundedQueue());
  });
  afterAll(() => pool.close());

  async function samplesOf({ wav }: Call): Promise<Int16Array> {
    const bytes = (async function* () {
      yield wav;
    })();
    const all: number[] = [];
    for await (const { samples } of decodeStream(bytes, '.wav')) for (const sample of samples) all.push(sample);
    return Int16Array.from(all);
  }

  /** The texts of a stream, with interim text at the chosen numbers of cuts as soon as a second of speech allows it. */
  async function textsOf(
    samples: Int16Array,
    { redact }: Call,
    transcriptions: TranscriptionCache,
    isDue: (cuts: number) => boolean,
  ): Promise<{ interim: string[]; finals: Final[] }> {
    let cuts = 0;
    const running = new Set<Promise<unknown>>();
    const track = <T>(work: Promise<T>): Promise<T> => {
      const ended: Promise<unknown> = work.catch(() => undefined).finally(() => running.delete(ended));
      running.add(ended);
      return work;
    };
    const options = { ...OPTIONS, redact };
    const recogniser = stages.openRecogniser(options, transcriptions, AbortSignal.abort());
    const tracked: StreamRecogniser = {
      ...recogniser,
      transcribe: (...task) => track(recogniser.transcribe(...task)),
      interim: (heard) => track(recogniser.interim(heard)),
    };
    const lines: StageLine[] = [];
    const cutting: LiveStages = { ...stages, hasTimeForInterim: () => isDue(cuts) };
    const transcriber = new LiveTranscriber(cutting, options, tracked, (line) => lines.push(line));
    try {
      const step = SAMPLE_RATE_HZ * CUT_S;
      for (let at = 0; at < samples.length; at += step) {
        cuts++;
        const block = samples.subarray(at, at + step);
        await transcriber.push({ channels: 1, samples: block });
        // Interim text is recognised only once every segment that has ended is.
        const taken = at + block.length;
        const isDone = () =>
          running.size === 0 && Math.round(transcriber.transcribedSeconds * SAMPLE_RATE_HZ) === taken;
        await vi.waitUntil(isDone, { interval: 2, timeout: SETTLE_MS });
      }
      await transcriber.end();
    } finally {
      transcriber.close();
    }
    return {
      interim: lines.flatMap((line) => (line.type === 'partial' ? [line.text, line.stable_text] : [])),
      finals: lines.flatMap((line) => (line.type === 'utterance' ? [line.entry] : [])),
    };
  }

  const openedOf: Interval[] = [];
  const interimOf: string[][] = [];
  const finalsOf: string[][] = [];

  it.each(calls)('no interim text of call $name shows a digit, wherever it is recognised', async (call) => {
    const samples = await samplesOf(call);
    const transcriptions = new TranscriptionCache();
    const phases = call.n === AT_EVERY_CUT ? Array.from({ length: PHASES }, (_, phase) => phase) : [call.n % PHASES];
    const interim: string[] = [];
    const finals: Final[] = [];
    for (const phase of phases) {
      const texts = await textsOf(samples, call, transcriptions, (cuts) => cuts % PHASES === phase);
      interim.push(...texts.interim);
      finals.push(...texts.finals);
    }
    openedOf[call.n] = cardOf(finals);
    interimOf[call.n] = interim;
    finalsOf[call.n] = finals.map(({ text }) => text);
    // A third of a call is open speech of more than a second.
    expect(interim.length / 2).toBeGreaterThan((0.3 * phases.length * samples.length) / SAMPLE_RATE_HZ);
    expect(shown(interim)).toEqual([]);
    expect(shown(finalsOf[call.n]!)).toEqual([]);
  });

  it.each(calls)('no utterance of call $name shows a digit, wherever its stream ends', async (call) => {
    const samples = await samplesOf(call);
    const transcriptions = new TranscriptionCache();
    const { start, end } = openedOf[call.n] ?? { start: 0, end: samples.length / SAMPLE_RATE_HZ };
    const finals: string[] = [];
    const step = SAMPLE_RATE_HZ * CUT_S;
    // The cuts of a second are divided among the calls.
    for (let cut = 1 + (call.n % PHASES); cut * CUT_S < end; cut += PHASES) {
      if (cut * CUT_S <= start) continue;
      const texts = await textsOf(samples.subarray(0, cut * step), call, transcriptions, () => false);
      finals.push(...texts.finals.map(({ text }) => text));
    }
    expect(finals).not.toEqual([]);
    expect(shown(finals)).toEqual([]);
  });

  it('recognises and hides numbers in most calls', () => {
    expect(hiddenIn(interimOf)).toBeGreaterThanOrEqual(LEAST_HIDDEN);
    expect(hiddenIn(finalsOf)).toBeGreaterThanOrEqual(LEAST_HIDDEN);
  });
});

/** From the first to the last utterance with a label, s; all of them if the recogniser misheard every digit. */
function cardOf(finals: readonly Final[]): Interval {
  const labelled = finals.filter(({ text }) => LABEL.test(text));
  const own = labelled.length > 0 ? labelled : finals;
  return { start: Math.min(...own.map((one) => one.t_start)), end: Math.max(...own.map((one) => one.t_end)) };
}
