import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AnalysisOutput } from '../../../containers/pipeline/analysis-output.ts';
import { LevelMeter } from '../../../containers/pipeline/audio/levels.ts';
import { PcmSpool } from '../../../containers/pipeline/audio/pcm-spool.ts';
import { analyse } from '../../../containers/pipeline/pipeline.ts';
import type { RecordedWord } from '../../../containers/pipeline/recognition/timed-words.ts';
import { WorkerPool } from '../../../containers/pipeline/workers/pool.ts';
import { type AnalysisResponse, AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import type { PipelineOptions } from '../../../src/contract/pipeline.ts';
import { Redactor } from '../../../src/conversation/redaction/redactor.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';
import { fixturePath } from '../../../support/recordings.ts';

/** The words of the first segments of the recording, in place of its words. The others stay empty. */
const SAID = [
  'My name is Ottoline Quist. The card number is 4929 double one, seven three',
  'oh two nine six four four one five, and my phone is four one five, five five five, oh one three two.',
  'Write to ottoline dot quist at brightfield dot com, I promise to send the form by Friday.',
];
const CANARIES = ['4929', '0296', '4415', '0132', 'double', 'ottoline', 'quist', 'brightfield'];
const REDACT: PipelineOptions['redact'] = ['card', 'phone', 'email', 'name'];

/** Seconds of the recording that are analysed. */
const SECONDS = 14;
const folder = mkdtempSync(join(tmpdir(), 'redacted-'));
const call = join(folder, 'call.wav');

let pool: WorkerPool;
beforeAll(async () => {
  execFileSync('ffmpeg', ['-v', 'error', '-i', fixturePath('call.wav'), '-t', String(SECONDS), call]);
  pool = await WorkerPool.start(1);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

/** Gives the words of SAID for segments of the recording, spread over each, and nothing when one is heard again. */
function speakMadeWords(again: () => string = () => ''): void {
  const run = pool.run.bind(pool);
  let heard = 0;
  vi.spyOn(pool, 'run').mockImplementation((async (job, name, input, ...rest) => {
    if (name !== 'transcribe') return run(job, name, input, ...rest);
    const { segment } = input as { segment: { start: number; end: number; speech: unknown[] } };
    const isAgain =
      heard >= SAID.length &&
      segment.speech[0] !== undefined &&
      (segment.speech[0] as { start: number }).start === segment.start;
    const text = isAgain ? again() : (SAID[heard++] ?? '');
    const spoken = text.split(' ').filter((word) => word !== '');
    const step = (segment.end - segment.start) / Math.max(1, spoken.length);
    const words = spoken.map(
      (word, i): RecordedWord => ({
        ...{ word, t_start: segment.start + i * step, t_end: segment.start + (i + 0.9) * step },
        ...{ confidence: 0.9, logProbability: -0.1, tokens: 1 },
      }),
    );
    return { words, workMs: 1, transcribedBy: 'moonshine-tiny' };
  }) as typeof pool.run);
}

/** An analysis that has not begun, and the lines that it will have sent. */
function started(more: Partial<PipelineOptions> = {}) {
  const options = { ...OPTIONS, quality: 'fast' as const, redact: REDACT, ...more };
  const output = new AnalysisOutput({ ...options, live: false });
  const lines: string[] = output.open().map((line) => JSON.stringify(line));
  const run = async () => {
    for await (const line of analyse(createReadStream(call), { options }, pool))
      for (const told of output.take(line)) lines.push(JSON.stringify(told));
  };
  return { output, lines, run };
}

async function analysed(more: Partial<PipelineOptions> = {}) {
  const { output, lines, run } = started(more);
  await run();
  const documents = new Map(
    output.documents!.map(({ name, parts }) => [name, Buffer.concat(parts.map(({ bytes }) => bytes))]),
  );
  const result: AnalysisResponse = AnalysisResponseSchema.parse(JSON.parse(String(documents.get('result.json'))));
  return { lines, documents, result };
}

it('leaves no trace of what was redacted in any line or document, and a tone in the recording', async () => {
  speakMadeWords();
  const { lines, documents, result } = await analysed({ material: true });
  const everything = [
    ...lines,
    ...[...documents].flatMap(([name, bytes]) => (/json/.test(name) ? [String(bytes)] : [])),
  ];
  // Numbers without a word around them are measures.
  const texts = everything.join('\n').replace(/[:,[]-?\d+(?:\.\d+)?(?:e-?\d+)?(?=[,\]}])/gi, '');
  for (const canary of CANARIES) expect(texts.toLowerCase()).not.toContain(canary);
  expect(result.redaction).toMatchObject({ kinds: REDACT, verified: true, notes: [] });
  expect(Object.keys(result.redaction!.counts).sort()).toEqual(['card', 'email', 'name', 'phone']);
  expect(result.options.redact).toEqual(REDACT);
  expect(result.timeline.some(({ text }) => text.includes('[card]'))).toBe(true);

  const path = join(folder, 'recording.wav');
  writeFileSync(path, documents.get('recording')!);
  const raw = ['-ac', '1', '-ar', '16000', '-f', 's16le'];
  const pcm = execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...raw, '-'], { maxBuffer: 2 ** 26 });
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
  expect(samples.length / 16_000).toBeCloseTo(result.media.duration_s, 1);
  for (const { t_start, t_end } of result.redaction!.muted) {
    const tone = samples.subarray(Math.round((t_start + 0.02) * 16_000), Math.round((t_end - 0.02) * 16_000));
    expect(Math.max(...tone)).toBe(3277);
    // 1,000 Hz at 16 kHz repeats every 16 samples.
    expect(tone.subarray(16)).toEqual(tone.subarray(0, tone.length - 16));
  }
}, 120_000);

/** Runs something at the first tone, when the words have been read. */
function atFirstTone(act: () => void): void {
  const overwrite = PcmSpool.prototype.overwrite;
  vi.spyOn(PcmSpool.prototype, 'overwrite').mockImplementation(function (this: PcmSpool, ...args) {
    act();
    return overwrite.apply(this, args);
  });
}
const fault = (): never => {
  throw new Error('a fault');
};

describe('a fault', () => {
  it.each<[string, inject: () => void, again?: () => string]>([
    ['in the reading of the words', () => vi.spyOn(Redactor.prototype, 'add').mockImplementation(fault)],
    ['in the tone', () => atFirstTone(fault)],
    ['in the hearing of the muted recording', () => undefined, fault],
    ['in the encoding of the muted recording', () => atFirstTone(() => vi.stubEnv('PATH', ''))],
    [
      'in the levels of the muted recording',
      () => atFirstTone(() => vi.spyOn(LevelMeter.prototype, 'push').mockImplementation(fault)),
    ],
  ])(
    '%s fails the analysis, and no line shows a value',
    async (_, inject, again) => {
      speakMadeWords(again);
      inject();
      const { output, lines, run } = started();
      await expect(run()).rejects.toThrow(/a fault|ENOENT/u);
      expect(output.documents).toBeFalsy();
      const texts = lines.join('\n').toLowerCase();
      for (const canary of CANARIES) expect(texts).not.toContain(canary);
    },
    120_000,
  );
});
