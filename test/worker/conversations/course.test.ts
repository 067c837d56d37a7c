import { expect, it } from 'vitest';
import { CourseEntrySchema } from '../../../src/contract/course.ts';
import { type CourseUtterance, courseOf } from '../../../src/worker/results/course.ts';

const WINDOW_S = 1;

const utterance = (
  n: number,
  speaker: string,
  t_start: number,
  t_end: number,
  more: Partial<CourseUtterance> = {},
) => ({
  utterance_id: `c_utt_${n}`,
  speaker,
  t_start,
  t_end,
  pad_scores: { valence: 0.6, arousal: 0.4 },
  emotion: { confidence: 0.5 },
  prosody: { pitch_hz: 200, confidence: 0.9 },
  ...more,
});

interface Recorded {
  duration?: number;
  /** The byte of each channel for each second. */
  channels?: number[][];
  speakerPerChannel?: boolean;
}

function course(
  timeline: CourseUtterance[],
  { duration, channels, speakerPerChannel = false }: Recorded = {},
  windowS = WINDOW_S,
) {
  const duration_s = duration ?? Math.max(...timeline.map(({ t_end }) => t_end));
  const levels = channels && {
    rate: 20,
    channels: channels.map((bytes) => Buffer.from(bytes.flatMap((byte) => Array(20).fill(byte))).toString('base64')),
  };
  const media = { duration_s, speaker_per_channel: speakerPerChannel };
  const { notes, entries } = courseOf({ timeline, media }, levels ?? null, windowS);
  return { notes, course: [...entries].map((entry) => CourseEntrySchema.parse(entry)) };
}

it('has one entry for each window and speaker who speaks in it, and none for silence', () => {
  const { course: entries } = course([
    utterance(0, 'A', 0.5, 2.2),
    utterance(1, 'B', 2, 2.5),
    utterance(2, 'A', 3600, 3601.4),
  ]);
  expect(
    entries.map(({ t_start, t_end, speaker, speech_s, overlap_s }) => [t_start, t_end, speaker, speech_s, overlap_s]),
  ).toEqual([
    [0, 1, 'A', 0.5, 0],
    [1, 2, 'A', 1, 0],
    [2, 3, 'A', 0.2, 0.2],
    [2, 3, 'B', 0.5, 0.2],
    [3600, 3601, 'A', 1, 0],
    [3601, 3601.4, 'A', 0.4, 0],
  ]);
});

it('averages the utterances of a speaker in a window by their seconds, and names them', () => {
  const low = {
    pad_scores: { valence: 0.2, arousal: 0.8 },
    emotion: { confidence: 0.9 },
    prosody: { pitch_hz: 100, confidence: 0.5 },
  };
  const {
    course: [entry],
  } = course([utterance(0, 'A', 0, 0.25), utterance(1, 'A', 0.25, 1, low)]);
  expect(entry).toMatchObject({
    utterance_ids: ['c_utt_0', 'c_utt_1'],
    valence: 0.3,
    arousal: 0.7,
    affect_confidence: 0.8,
    pitch_hz: 125,
    pitch_confidence: 0.6,
  });
});

it('has null for affect that is switched off and for pitch that was not found, and notes who has no affect', () => {
  const off = { pad_scores: null, emotion: null };
  const { notes, course: entries } = course([
    utterance(0, 'A', 0, 1, off),
    utterance(1, 'B', 1, 2, { prosody: { pitch_hz: 0, confidence: 0.2 } }),
    utterance(2, 'B', 2, 3, { ...off, prosody: {} }),
    utterance(3, 'B', 3, 4, { ...off, unread: 'not_understood' }),
  ]);
  expect(entries.map(({ valence, arousal, affect_confidence }) => [valence, arousal, affect_confidence])).toEqual([
    [null, null, null],
    [0.6, 0.4, 0.5],
    [null, null, null],
    [null, null, null],
  ]);
  expect(entries.map(({ pitch_hz, pitch_confidence }) => [pitch_hz, pitch_confidence])).toEqual([
    [200, 0.9],
    [null, null],
    [null, null],
    [200, 0.9],
  ]);
  expect(notes).toEqual([
    'Affect is switched off or hidden for A: valence and arousal are null there.',
    'Affect is switched off or hidden for 1 of 3 utterances of B: valence and arousal are null there.',
    'The speech was not understood for 1 of 3 utterances of B: valence and arousal are null there.',
    'This conversation has no stored levels, so level_db is null.',
  ]);
});

it('measures the level of each window, down to the least that is stored', () => {
  const { notes, course: entries } = course([utterance(0, 'A', 0, 3)], { channels: [[255, 170, 0]] });
  expect(entries.map(({ level_db }) => level_db)).toEqual([0, -20, -60]);
  expect(notes).toEqual([]);
});

it('takes the level from the channel of whoever speaks where each person has one', () => {
  const timeline = [utterance(0, 'A', 0, 2), utterance(1, 'B', 1, 3)];
  const channels = [
    [170, 170, 0],
    [0, 85, 85],
  ];
  const levels = (speakerPerChannel: boolean) =>
    course(timeline, { channels, speakerPerChannel }).course.map(({ level_db }) => level_db);
  expect(levels(true)).toEqual([-20, -20, -40, -40]);
  // Both have the same level while both speak.
  expect(levels(false)[1]).toBe(levels(false)[2]);
});

it('has no level beyond the end of the recording', () => {
  expect(course([utterance(0, 'A', 0, 2)], { channels: [[255]] }).course.map(({ level_db }) => level_db)).toEqual([
    0,
    null,
  ]);
});

it('takes any length of window, and eight hours without a pause', () => {
  const timeline = Array.from({ length: 9600 }, (_, n) => utterance(n, `S${n % 2}`, n * 3, n * 3 + 4));
  const { course: entries } = course(timeline, {}, 0.5);
  expect(entries.length).toBe(57_602 + 19_200 - 2);
  expect(course(timeline, {}, 60).course.at(-1)).toMatchObject({ t_start: 28_800, t_end: 28_801 });
});
