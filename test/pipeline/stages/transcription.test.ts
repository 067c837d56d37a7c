import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PcmSpool } from '../../../containers/pipeline/audio/pcm-spool.ts';
import type { Recognition } from '../../../containers/pipeline/recognition/recogniser.ts';
import type { RecognitionSegment } from '../../../containers/pipeline/recognition/segments.ts';
import { transcribe } from '../../../containers/pipeline/stages/transcription.ts';

let spool: PcmSpool;
beforeEach(async () => {
  spool = await PcmSpool.open(1);
  await spool.append(
    Int16Array.from({ length: 10 * 16_000 }, (_, i) => 5000 * Math.sin((2 * Math.PI * 150 * i) / 16_000)),
  );
});
afterEach(() => spool.close());

/** A reading of words at [start, end] seconds of the samples. */
const reading = (...words: [string, number, number][]): Recognition => ({
  text: words.map(([word]) => word).join(' '),
  confidence: 0.9,
  cut: false,
  words: words.map(([word, start, end]) => ({ word, start, end, confidence: 0.81, tokens: 2 })),
});
const segment = (speech: [number, number][], speaker: number | null = 0): RecognitionSegment => ({
  start: speech[0]![0] - 0.2,
  end: speech.at(-1)![1] + 0.2,
  channel: 'mix',
  speaker,
  speech: speech.map(([start, end]) => ({ start, end })),
});
const turn = (start: number, end: number, speaker: number) => ({ start, end, speaker, confidence: 0.9 });
const task = (part: RecognitionSegment, turns = [turn(0, 10, 0)]) => ({
  place: spool.place,
  segment: part,
  turns,
  pitchBounds: [],
  recogniser: 'a test',
});

describe('transcription', () => {
  it('places the words in the recording, trimmed to the speech', async () => {
    const read = reading(['Good', 0, 0.7], ['day.', 0.7, 2.4]);
    const [utterance] = await transcribe(task(segment([[2, 4]])), async () => read);
    expect(utterance).toMatchObject({ speaker: 0, text: 'Good day.', start: 2, end: 4 });
    expect(utterance!.words.map(({ t_start, t_end }) => [t_start, t_end])).toEqual([
      [2, 2.5],
      [2.5, 4],
    ]);
    expect(utterance!.asrConfidence).toBeCloseTo(0.9, 5);
    expect(utterance!.delivery?.pitchMedianHz).toBeCloseTo(150, -1);
  });

  it('keeps a word that goes on over a pause whole, and does not stretch one into the next stretch of speech', async () => {
    const speech: [number, number][] = [
      [1, 2],
      [3, 4],
    ];
    const spelled = await transcribe(task(segment(speech)), async () => reading(['S-i-t', 0.2, 3.2]));
    expect([spelled[0]!.start, spelled[0]!.end]).toEqual([1, 4]);
    const stretched = await transcribe(task(segment(speech)), async () => reading(['yes', 0.2, 2.3]));
    expect([stretched[0]!.start, stretched[0]!.end]).toEqual([1, 2]);
  });

  it('gives each person their own words', async () => {
    const read = reading(['Are', 0.2, 0.6], ['you?', 0.6, 1.2], ['Yes,', 1.8, 2.2], ['I', 2.2, 2.4], ['am.', 2.4, 3.2]);
    const turns = [turn(1, 2.3, 0), turn(2.5, 4, 1)];
    const utterances = await transcribe(task(segment([[1, 4]], null), turns), async () => read);
    expect(utterances.map(({ speaker, text }) => [speaker, text])).toEqual([
      [0, 'Are you?'],
      [1, 'Yes, I am.'],
    ]);
  });

  it('reads the pieces of a segment on their own when together they gave nothing', async () => {
    let readings = 0;
    const read = async () => (readings++ === 0 ? reading() : reading(['word', 0.2, 0.8]));
    const speech: [number, number][] = [
      [1, 2],
      [2.6, 3.6],
    ];
    const [utterance] = await transcribe(task(segment(speech)), read);
    expect(utterance!.text).toBe('word word');
    expect(readings).toBe(3);
  });

  it('has no utterance without words', async () => {
    expect(await transcribe(task(segment([[1, 1.5]])), async () => reading())).toEqual([]);
    expect(await transcribe(task(segment([[1, 1.5]])), async () => reading(['...', 0, 0.5]))).toEqual([]);
  });
});
