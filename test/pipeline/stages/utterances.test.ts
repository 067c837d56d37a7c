import { expect, it } from 'vitest';
import type { Diarization } from '../../../containers/pipeline/diarization/turns.ts';
import type { RecognitionSegment } from '../../../containers/pipeline/recognition/segments.ts';
import type { Layout, RecordingStages } from '../../../containers/pipeline/stages/recording.ts';
import { TranscriptionCache } from '../../../containers/pipeline/stages/transcription-cache.ts';
import { spokenUtterances } from '../../../containers/pipeline/stages/utterances.ts';

const RATE = 16_000;
const segment = (start: number, end: number, channel: 0 | 1): RecognitionSegment => {
  return { start, end, speech: [{ start, end }], channel, speaker: channel };
};
const turn = (start: number, end: number, speaker: number) => ({ start, end, speaker, confidence: 1 });

/** A recording with one word at the start of each segment. */
function recording(): Pick<RecordingStages, 'read' | 'run'> & { reads: string[] } {
  const reads: string[] = [];
  const run = async (_: string, { segment: { start } }: { segment: RecognitionSegment }) => {
    const word = { word: `at ${start}`, t_start: start, t_end: start + 0.5, confidence: 0.9 };
    return { words: [{ ...word, logProbability: -0.1, tokens: 1 }], workMs: 7 };
  };
  return {
    reads,
    read: async ({ start, end }, channel) => {
      reads.push(`${channel}: ${start}-${end}`);
      return new Float32Array((end - start) * RATE);
    },
    run: run as RecordingStages['run'],
  };
}

it('gives utterances in order of their start, from sound that is read once', async () => {
  const segments = [
    segment(0, 4, 0),
    segment(1, 3, 1),
    segment(5, 6, 0),
    ...[7, 9, 11, 13, 15].map((at) => segment(at, at + 1, 0)),
  ];
  const diarization: Diarization = {
    turns: segments.map(({ start, end, speaker }) => turn(start, end, speaker ?? 0)),
    speakers: { count: 2, confidence: 1, source: 'channels' },
  };
  const layout: Layout = { segments, diarization, speakerPerChannel: true };
  const one = recording();
  const starts: number[] = [];
  let share = 0;
  for await (const transcription of spokenUtterances(
    one,
    layout,
    { id: 'a test', options: {} },
    new TranscriptionCache(),
  )) {
    expect(transcription.share).toBeGreaterThan(share);
    share = transcription.share;
    for (const { start, workMs, samples } of transcription.utterances) {
      starts.push(start);
      expect([workMs, samples.length > 0]).toEqual([7, true]);
    }
  }
  expect(share).toBe(1);
  expect(starts).toEqual(segments.map(({ start }) => start).toSorted((a, b) => a - b));
  expect(one.reads.toSorted()).toEqual(
    segments.map(({ channel, start, end }) => `${channel}: ${start}-${end}`).toSorted(),
  );
});
