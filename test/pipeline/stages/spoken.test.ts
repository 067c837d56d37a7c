import { describe, expect, it } from 'vitest';
import type { Recognition } from '../../../containers/pipeline/recognition/recogniser.ts';
import type { RecognitionSegment } from '../../../containers/pipeline/recognition/segments.ts';
import { type Recognise, timedWords } from '../../../containers/pipeline/recognition/timed-words.ts';
import { spokenInSegment, spokenInSpan } from '../../../containers/pipeline/stages/spoken.ts';

const RATE = 16_000;
const TALK = Float32Array.from({ length: 10 * RATE }, (_, i) => 0.15 * Math.sin((2 * Math.PI * 150 * i) / RATE));
const soundOf = ({ start, end }: { start: number; end: number }) =>
  TALK.slice(Math.round(start * RATE), Math.round(end * RATE));

/** A recognition of words at [start, end] seconds of the samples. */
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
const transcribe = async (part: RecognitionSegment, recognise: Recognise, turns = [turn(0, 10, 0)]) => {
  const samples = soundOf(part);
  return spokenInSegment(await timedWords(samples, part, recognise), part, turns, samples);
};

describe('the utterances of a segment', () => {
  it('have word times in the recording, trimmed to the speech', async () => {
    const read = reading(['Good', 0, 0.7], ['day.', 0.7, 2.4]);
    const [utterance] = await transcribe(segment([[2, 4]]), async () => read);
    expect(utterance).toMatchObject({ speaker: 0, text: 'Good day.', start: 2, end: 4 });
    expect(utterance!.words.map(({ t_start, t_end }) => [t_start, t_end])).toEqual([
      [2, 2.5],
      [2.5, 4],
    ]);
    expect(utterance!.asrConfidence).toBeCloseTo(0.9, 5);
    expect(utterance!.samples).toEqual(soundOf({ start: 1.95, end: 4.05 }));
  });

  it('keep a word that spans a pause whole, and do not extend one into the next region of speech', async () => {
    const speech: [number, number][] = [
      [1, 2],
      [3, 4],
    ];
    const spelled = await transcribe(segment(speech), async () => reading(['S-i-t', 0.2, 3.2]));
    expect([spelled[0]!.start, spelled[0]!.end]).toEqual([1, 4]);
    const stretched = await transcribe(segment(speech), async () => reading(['yes', 0.2, 2.3]));
    expect([stretched[0]!.start, stretched[0]!.end]).toEqual([1, 2]);
  });

  it('give each person their own words', async () => {
    const read = reading(['Are', 0.2, 0.6], ['you?', 0.6, 1.2], ['Yes,', 1.8, 2.2], ['I', 2.2, 2.4], ['am.', 2.4, 3.2]);
    const turns = [turn(1, 2.3, 0), turn(2.5, 4, 1)];
    const utterances = await transcribe(segment([[1, 4]], null), async () => read, turns);
    expect(utterances.map(({ speaker, text }) => [speaker, text])).toEqual([
      [0, 'Are you?'],
      [1, 'Yes, I am.'],
    ]);
  });

  it('come from its pieces one by one when the whole gave nothing', async () => {
    let readings = 0;
    const read = async () => (readings++ === 0 ? reading() : reading(['word', 0.2, 0.8]));
    const speech: [number, number][] = [
      [1, 2],
      [2.6, 3.6],
    ];
    const [utterance] = await transcribe(segment(speech), read);
    expect(utterance!.text).toBe('word word');
    expect(readings).toBe(3);
  });

  it('are empty without words', async () => {
    expect(await transcribe(segment([[1, 1.5]]), async () => reading())).toEqual([]);
    expect(await transcribe(segment([[1, 1.5]]), async () => reading(['...', 0, 0.5]))).toEqual([]);
  });
});

describe('the utterances of a span of a running session', () => {
  const word = (text: string, t_start: number, t_end: number) => {
    return { word: text, t_start, t_end, confidence: 0.9, logProbability: Math.log(0.9), tokens: 1 };
  };
  const span = { start: 1, end: 5 };

  it('cover the whole span when one person speaks', () => {
    const [only, ...more] = spokenInSpan([word('Yes.', 1.4, 2)], [turn(1, 5, 1)], span, soundOf(span));
    expect(more).toEqual([]);
    expect(only).toMatchObject({ speaker: 1, start: 1, end: 5, text: 'Yes.' });
    expect(only!.samples).toEqual(soundOf(span));
  });

  it('last from the first word to the next one’s when several people speak', () => {
    const words = [word('Are', 1.2, 1.6), word('you?', 1.6, 2.2), word('Yes.', 3.1, 4)];
    const spoken = spokenInSpan(words, [turn(1, 2.5, 0), turn(3, 5, 1)], span, soundOf(span));
    expect(spoken.map(({ speaker, start, end }) => [speaker, start, end])).toEqual([
      [0, 1, 3.1],
      [1, 3.1, 5],
    ]);
    expect(spoken.map(({ samples }) => samples.length)).toEqual([2.1 * RATE, 1.9 * RATE]);
  });

  it('are empty without words', () => {
    expect(spokenInSpan([], [turn(1, 5, 0)], span, soundOf(span))).toEqual([]);
  });
});
