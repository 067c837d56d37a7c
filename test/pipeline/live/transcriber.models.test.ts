import { describe, expect, it } from 'vitest';
import type { LiveStages } from '../../../containers/pipeline/live/stages.ts';
import { LiveTranscriber } from '../../../containers/pipeline/live/transcriber.ts';
import type { StageLine } from '../../../containers/pipeline/stage-lines.ts';
import { TranscriptionCache } from '../../../containers/pipeline/stages/transcription-cache.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';
import { fakeStages, sound } from './fake-stages.ts';

const TALK = sound([0, 0.5], [0.5, 2], [0, 1], [0.5, 3], [0, 1]);
const textOf = (samples: Float32Array): string => `heard ${Math.round(samples.length / 1600)} tenths`;

const recogniserOf = (stages: LiveStages) =>
  stages.openRecogniser(OPTIONS, new TranscriptionCache(), new AbortController().signal);

async function transcribe(
  samples: Float32Array,
  block: number,
  stages = fakeStages(textOf),
  options: typeof OPTIONS = OPTIONS,
): Promise<{ lines: StageLine[]; utterances: { id: string; text: string; from: number; to: number }[] }> {
  const pcm = Int16Array.from(samples, (sample) => sample * 32_767);
  const lines: StageLine[] = [];
  const transcriber = new LiveTranscriber(stages, options, recogniserOf(stages), (line) => lines.push(line));
  for (let at = 0; at < samples.length; at += block) {
    await transcriber.push({ channels: 1, samples: pcm.subarray(at, at + block) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  await transcriber.end();
  const utterances = lines.flatMap((line) =>
    line.type === 'utterance'
      ? [{ id: line.entry.utterance_id, text: line.entry.text, from: line.entry.t_start, to: line.entry.t_end }]
      : [],
  );
  return { lines, utterances };
}

it('emits each region of speech as one utterance, numbered from 0', async () => {
  const { utterances } = await transcribe(TALK, 4_000);
  expect(utterances.map(({ id }) => id)).toEqual(['c_live_utt_0', 'c_live_utt_1']);
  expect(utterances[0]!.from).toBeCloseTo(0.2, 1);
  expect(utterances[0]!.to).toBeCloseTo(2.8, 1);
});

it('sends the encoding of an utterance with its line', async () => {
  const encoded = { sentence: new Float32Array(512).fill(512 ** -0.5), moments: new Float32Array(512) };
  const texts: string[] = [];
  const encode = async (text: string) => {
    texts.push(text);
    return encoded;
  };
  const { lines, utterances } = await transcribe(TALK, 4_000, { ...fakeStages(textOf), encode });
  expect(texts).toEqual(utterances.map(({ text }) => text));
  const sent = lines.flatMap((line) => (line.type === 'utterance' ? [line.encoding] : []));
  expect(sent).toEqual(texts.map(() => encoded.moments));
});

it('emits the same utterances for any division of the stream', async () => {
  const whole = await transcribe(TALK, TALK.length);
  for (const block of [317, 512, 16_001]) {
    expect((await transcribe(TALK, block)).utterances).toEqual(whole.utterances);
  }
});

it('emits interim text about every second of open speech, and the final replaces it', async () => {
  const { lines } = await transcribe(TALK, 1_600);
  const second = lines.filter((line) => line.type === 'partial' && line.partial_id === 'c_partial_1');
  expect(second).toHaveLength(3);
  expect(lines.find((line) => line.type === 'utterance' && line.partial_id === 'c_partial_1')).toBeDefined();
});

it('skips interim text under load, but no utterance', async () => {
  const { lines, utterances } = await transcribe(
    TALK,
    1_600,
    fakeStages(textOf, () => true),
  );
  expect(lines.filter(({ type }) => type === 'partial')).toEqual([]);
  expect(utterances).toEqual((await transcribe(TALK, 1_600)).utterances);
});

it('recognises neither interim text nor anything in advance where another process has transcribed', async () => {
  const transcribed: number[] = [];
  const stages = fakeStages(textOf);
  const moved: LiveStages = {
    ...stages,
    openRecogniser: (...asked) => {
      const recogniser = stages.openRecogniser(...asked);
      return {
        ...recogniser,
        recalledS: () => 3.2,
        transcribe: (samples, segment) => {
          transcribed.push(segment.end);
          return recogniser.transcribe(samples, segment);
        },
      };
    },
  };
  const paused = sound([0, 0.5], [0.5, 1], [0, 0.4], [0.5, 0.6], [0, 1], [0.5, 3], [0, 1]);
  const { lines, utterances } = await transcribe(paused, 1_600, moved);
  const partials = lines.flatMap((line) => (line.type === 'partial' ? [line.partial_id] : []));
  expect(new Set(partials)).toEqual(new Set(['c_partial_1']));
  expect(transcribed.filter((end) => end < 3.2)).toHaveLength(1);
  expect(utterances).toEqual((await transcribe(paused, 1_600)).utterances);
});

it('withdraws interim text that turned out to be no speech', async () => {
  const humming = fakeStages((samples) => (samples.length < 36_000 ? 'hum' : ''));
  const closed = await transcribe(TALK, 1_600, humming);
  const last = closed.lines.filter((line) => line.type === 'partial').at(-1);
  expect(last).toMatchObject({ text: '', stable_text: '' });
  expect(closed.utterances).toEqual([]);
});

it('marks provisional utterances', async () => {
  const { lines } = await transcribe(TALK, 8_000);
  const line = lines.find((found) => found.type === 'utterance');
  expect(line?.type === 'utterance' && line.entry.emotion?.stability).toBe('provisional');
});

it('fails when recognition fails', async () => {
  const stages = fakeStages(() => {
    throw new Error('no recogniser');
  });
  await expect(transcribe(TALK, 8_000, stages)).rejects.toThrow('no recogniser');
});

describe('two channels', () => {
  const turns = [
    [0.5, 0],
    [0, 0.5],
    [0.5, 0],
    [0, 0.5],
  ] as const;
  const side = (channel: 0 | 1) =>
    sound(
      ...turns.flatMap(
        (turn) =>
          [
            [turn[channel], 2],
            [0, 1],
          ] as [number, number][],
      ),
    );
  const interleaved = (left: Float32Array, right: Float32Array) =>
    Int16Array.from({ length: 2 * left.length }, (_, i) => (i % 2 === 0 ? left : right)[i >> 1]! * 32_767);

  async function transcribed(samples: Int16Array, block = 8_000) {
    const peaks: number[] = [];
    const stages = fakeStages((segment) => {
      peaks.push(segment.reduce((peak, sample) => Math.max(peak, sample), 0));
      return 'something was said';
    });
    const speakers: string[] = [];
    const transcriber = new LiveTranscriber(stages, OPTIONS, recogniserOf(stages), (line) => {
      if (line.type === 'utterance') speakers.push(line.entry.speaker);
    });
    for (let at = 0; at < samples.length; at += block)
      await transcriber.push({ channels: 2, samples: samples.subarray(at, at + block) });
    await transcriber.end();
    return { speakers, loudest: Math.max(...peaks) };
  }

  it('are transcribed separately once each proves to be one person', async () => {
    const { speakers, loudest } = await transcribed(interleaved(side(0), side(1)));
    expect(speakers).toHaveLength(4);
    expect(new Set(speakers.slice(2)).size).toBe(2);
    expect(loudest).toBeGreaterThan(0.4);
  });

  it('are transcribed as one when both have the same sound', async () => {
    const both = interleaved(TALK, TALK);
    expect((await transcribed(both)).speakers).toHaveLength(2);
  });

  it('give the same utterances for any division of the stream', async () => {
    const samples = interleaved(side(0), side(1));
    expect(await transcribed(samples, 998)).toEqual(await transcribed(samples, samples.length));
  });
});

it('shows no digit of a number, neither in interim text nor in an utterance', async () => {
  const digits = 'my card is four nine two nine four nine two nine'.split(' ');
  const said = (samples: Float32Array) => digits.slice(0, Math.max(4, Math.round(samples.length / 4_000))).join(' ');
  const { lines, utterances } = await transcribe(TALK, 1_600, fakeStages(said), { ...OPTIONS, redact: ['card'] });
  const shown = lines.flatMap((line) => (line.type === 'partial' ? [line.text, line.stable_text] : []));
  expect(shown.some((text) => text.includes('[card]'))).toBe(true);
  expect(utterances.length).toBeGreaterThan(0);
  for (const text of [...shown, ...utterances.map((one) => one.text)]) expect(text).not.toMatch(/four|nine|two/);
});
