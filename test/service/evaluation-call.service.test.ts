import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { Undertone } from '../../src/sdk/index.ts';
import { allOf, payloadsOf } from '../../support/stream-events.ts';
import { KEY, type Stack, startStack } from '../../support/whole-service.ts';

const DATA = process.env.EVAL_DATA ?? join(import.meta.dirname, '../../../shared/data');
const callOf = (channels: string) => join(DATA, `diarization/audio/aws_call40_${channels}.flac`);

/** A part of the call with both speakers, an offer and its answer, s. */
const EXCERPT = { from: 218, seconds: 20 };
/** Its words are not the subject. */
const OPTIONS = { quality: 'fast' } as const;

// A real four-minute telephone call, if the evaluation data is installed.
describe.skipIf(!existsSync(callOf('mono')))('the call of the evaluation data', () => {
  let stack: Stack;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'undertone-call-'));
    stack = await startStack();
  });
  afterAll(async () => {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A part of the call, or all of it, in a format. */
  async function recordingOf(channels: string, extension: string, part?: typeof EXCERPT): Promise<File> {
    const name = `${channels}.${extension}`;
    const cut = part ? ['-ss', String(part.from), '-t', String(part.seconds)] : [];
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...cut, '-i', callOf(channels), join(folder, name)]);
    return new File([await readFile(join(folder, name))], name);
  }

  it('has two speakers as a whole', async () => {
    const undertone = new Undertone({ url: stack.url, key: KEY });
    const { timeline, media } = AnalysisResponseSchema.parse(
      await undertone.analyze(await recordingOf('mono', 'wav'), OPTIONS),
    );
    expect(new Set(timeline.map(({ speaker }) => speaker)).size).toBe(2);
    expect(media.speaker_per_channel).toBe(false);
    expect(media.duration_s).toBeGreaterThan(200);
  }, 240_000);

  it.each([
    ['mono', 'm4a'],
    ['stereo', 'webm'],
  ])(
    'has two speakers in %s as %s, and batch and replay agree',
    async (channels, extension) => {
      const recording = await recordingOf(channels, extension, EXCERPT);
      const undertone = new Undertone({ url: stack.url, key: KEY });

      const batch = AnalysisResponseSchema.parse(await undertone.analyze(recording, OPTIONS));
      expect(new Set(batch.timeline.map(({ speaker }) => speaker)).size).toBe(2);
      expect(batch.media.speaker_per_channel).toBe(channels === 'stereo');
      expect(batch.moments).not.toEqual([]);

      const events = await allOf(undertone.replay(recording, OPTIONS));
      const id = payloadsOf(events, 'done')[0]?.conversation_id ?? '';
      const same = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(id, batch.conversation_id));
      expect(same(payloadsOf(events, 'emotion'))).toEqual(batch.timeline.map(({ emotion }) => emotion));
      expect(same(payloadsOf(events, 'moment'))).toEqual(batch.moments);
      expect(same(payloadsOf(events, 'transition')).map((one: { transition_id: string }) => one.transition_id)).toEqual(
        batch.transitions.map((one) => one.transition_id),
      );
      expect(same(payloadsOf(events, 'summary_update'))).toEqual([batch.summary]);
    },
    240_000,
  );
});
