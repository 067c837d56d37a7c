import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, pipelineProcess, type RestartableProcess } from '../../bench/processes.ts';
import { EVAL_DATA } from '../../scripts/eval-data.ts';
import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import { type LiveExtension, Undertone } from '../../src/sdk/index.ts';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { paced } from '../../support/recording-chunks.ts';

const CALL = join(EVAL_DATA, 'diarization/audio/aws_call40_mono.flac');
const STEREO = join(EVAL_DATA, 'diarization/audio/aws_call40_stereo.flac');
const CHUNK_BYTES = 65_536;
const TIME_TOLERANCE_S = 0.05;

/**
 * Formats of a live client: suffix, source, ffmpeg's arguments, and the suffix under which batch accepts the same
 * bytes.
 */
const FORMATS = [
  ['.wav', CALL, [], '.wav'],
  ['.mp3', CALL, ['-b:a', '64k'], '.mp3'],
  ['.ogg', CALL, ['-c:a', 'libopus', '-b:a', '32k'], '.webm'],
  ['.webm', CALL, ['-c:a', 'libopus', '-b:a', '32k'], '.webm'],
  ['.mp4', CALL, ['-c:a', 'aac', '-b:a', '64k'], '.mp4'],
  ['.wav', STEREO, [], '.wav'],
] as const;

describe.skipIf(!existsSync(CALL))('the four-minute call', () => {
  let pipeline: RestartableProcess | undefined;
  let stack: LiveStack;
  let folder: string;
  beforeAll(async () => {
    const port = await freePort();
    pipeline = pipelineProcess(port);
    await pipeline.start();
    stack = await startLiveStack({ RUNTIME_URL: `http://127.0.0.1:${port}` });
    folder = mkdtempSync(join(tmpdir(), 'undertone-parity-'));
  });
  afterAll(async () => {
    await stack?.stop();
    await pipeline?.kill();
    rmSync(folder, { recursive: true });
  });

  const undertone = () => new Undertone({ url: stack.url, key: KEY });

  async function live(
    bytes: Uint8Array<ArrayBuffer>,
    suffix: LiveExtension,
  ): Promise<{ result: AnalysisResponse; words: string }> {
    const capture = await undertone().live.start({ suffix });
    const finals: string[] = [];
    const reading = (async () => {
      for await (const { event, data } of capture) if (event === 'final_transcript') finals.push(data.text);
    })();
    for await (const chunk of paced(bytes, CHUNK_BYTES, Number.POSITIVE_INFINITY)) await capture.send(chunk);
    await capture.finalize();
    await reading;
    const result = await stack.artifact(capture.session.conversation_id, 'result.json');
    return { result: JSON.parse(result!) as AnalysisResponse, words: finals.join(' ') };
  }

  const batch = (bytes: Uint8Array<ArrayBuffer>, suffix: string): Promise<AnalysisResponse> =>
    undertone().analyze(bytes, { filename: `call${suffix}` });

  it.each(FORMATS)(
    'as %s of %s in 64 kB chunks comes to what batch makes of the same bytes',
    async (suffix, source, options, as) => {
      const path = join(folder, `call${suffix}`);
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', source, ...options, path]);
      const bytes = new Uint8Array(readFileSync(path));
      const expected = await batch(bytes, as);
      const { result } = await live(bytes, suffix);
      expect(result.timeline.map(({ speaker, text }) => `${speaker}: ${text}`)).toEqual(
        expected.timeline.map(({ speaker, text }) => `${speaker}: ${text}`),
      );
      for (const [i, entry] of result.timeline.entries()) {
        expect(Math.abs(entry.t_start - expected.timeline[i]!.t_start)).toBeLessThan(TIME_TOLERANCE_S);
        expect(Math.abs(entry.t_end - expected.timeline[i]!.t_end)).toBeLessThan(TIME_TOLERANCE_S);
      }
      const anonymous = (value: unknown, id: string) => JSON.parse(JSON.stringify(value).replaceAll(id, 'c'));
      expect(anonymous(result.summary, result.conversation_id)).toEqual(
        anonymous(expected.summary, expected.conversation_id),
      );
      expect(anonymous(result.segmentation, result.conversation_id)).toEqual(
        anonymous(expected.segmentation, expected.conversation_id),
      );
    },
  );
});
