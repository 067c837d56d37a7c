import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SAMPLE_RATE_HZ } from '../../../containers/pipeline/audio/interval.ts';
import { diarizeWithModel } from '../../../containers/pipeline/diarization/diarize.ts';
import { FBANK_BANDS, fbank, SpeakerEmbedder } from '../../../containers/pipeline/diarization/speaker-embedding.ts';
import { field, numberField } from '../../../containers/pipeline/models/protobuf.ts';
import { dialogue, featuresOf, HIGH_VOICE, LOW_VOICE, speak } from './voices.ts';

/**
 * The smallest possible speaker model, in ONNX's own bytes: the deviation of each band over time. y = sqrt(mean(x * x))
 * over the frames, float32 [1, frames, 80] to [1, 80].
 */
function tinyModel(): Uint8Array {
  const node = (op: string, inputs: string[], output: string, ...attributes: Uint8Array[]): Uint8Array =>
    field(
      1,
      ...inputs.map((name) => field(1, name)),
      field(2, output),
      field(4, op),
      ...attributes.map((attribute) => field(5, attribute)),
    );
  const integers = Buffer.concat([field(1, 'axes'), numberField(8, 1), numberField(20, 7)]);
  const integer = Buffer.concat([field(1, 'keepdims'), numberField(3, 0), numberField(20, 2)]);
  const shape = (...sizes: (number | string)[]): Uint8Array =>
    field(2, ...sizes.map((size) => field(1, typeof size === 'number' ? numberField(1, size) : field(2, size))));
  const value = (name: string, ...sizes: (number | string)[]): Uint8Array =>
    Buffer.concat([field(1, name), field(2, field(1, numberField(1, 1), shape(...sizes)))]);
  const graph = field(
    7,
    node('Mul', ['feats', 'feats'], 'square'),
    node('ReduceMean', ['square'], 'power', integers, integer),
    node('Sqrt', ['power'], 'embs'),
    field(2, 'tiny'),
    field(11, value('feats', 1, 'frames', FBANK_BANDS)),
    field(12, value('embs', 1, FBANK_BANDS)),
  );
  return Buffer.concat([numberField(1, 8), graph, field(8, numberField(2, 13))]);
}

const folder = mkdtempSync(join(tmpdir(), 'undertone-test-'));
const path = join(folder, 'tiny.onnx');
writeFileSync(path, tinyModel());
const sha256 = createHash('sha256').update(tinyModel()).digest('hex');
afterAll(() => rmSync(folder, { recursive: true }));

describe('fbank', () => {
  test('has 80 bands every 10 ms, each with mean 0', () => {
    const rows = fbank(speak(LOW_VOICE, 1, 1));
    expect(rows.length).toBe(98 * FBANK_BANDS);
    const column = Array.from({ length: 98 }, (_, f) => rows[f * FBANK_BANDS + 7]!);
    expect(column.reduce((a, b) => a + b, 0) / 98).toBeCloseTo(0, 3);
  });

  test('does not depend on the level, and accepts a span shorter than a frame', () => {
    const voice = speak(LOW_VOICE, 1, 1);
    const soft = fbank(voice.map((x) => x / 2));
    expect(Math.max(...fbank(voice).map((value, i) => Math.abs(value - soft[i]!)))).toBeLessThan(0.05);
    expect(fbank(voice.subarray(0, 100)).length).toBe(FBANK_BANDS);
  });
});

describe('SpeakerEmbedder', () => {
  test('refuses a file with another digest', async () => {
    await expect(SpeakerEmbedder.load({ path, sha256: '0'.repeat(64) })).rejects.toThrow(sha256);
    await expect(SpeakerEmbedder.load({ path: `${path}x`, sha256 })).rejects.toThrow('ENOENT');
  });

  test('gives a unit vector, the model’s answer to our filterbank', async () => {
    const embedder = await SpeakerEmbedder.load({ path, sha256 });
    const voice = speak(LOW_VOICE, 1.5, 1);
    const vector = await embedder.embed(voice);
    expect(vector).toHaveLength(FBANK_BANDS);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    const rows = fbank(voice);
    const deviations = Array.from({ length: FBANK_BANDS }, (_, band) =>
      Math.hypot(...Array.from({ length: rows.length / FBANK_BANDS }, (_, f) => rows[f * FBANK_BANDS + band]!)),
    );
    const norm = Math.hypot(...deviations);
    expect(Math.max(...vector.map((v, i) => Math.abs(v - deviations[i]! / norm)))).toBeLessThan(1e-4);
  });

  test('distinguishes speakers in diarization', async () => {
    const embedder = await SpeakerEmbedder.load({ path, sha256 });
    const talk = dialogue(
      [LOW_VOICE, HIGH_VOICE],
      Array.from({ length: 8 }, (_, i): [number, number] => [i % 2, 3]),
    );
    const { turns, speakers } = await diarizeWithModel(
      featuresOf(talk.samples),
      talk.speech,
      { speakers: 2 },
      ({ start, end }) => embedder.embed(talk.samples.subarray(start * SAMPLE_RATE_HZ, end * SAMPLE_RATE_HZ)),
    );
    expect(speakers.source).toBe('given');
    const right = turns.filter((turn) => {
      const region = talk.speech.findIndex(({ start, end }) => turn.start < end && turn.end > start);
      return turn.speaker === talk.talkers[region];
    });
    const seconds = (list: typeof turns): number => list.reduce((sum, turn) => sum + turn.end - turn.start, 0);
    expect(seconds(right) / seconds(turns)).toBeGreaterThan(0.9);
  });

  test('gives no turns for silence', async () => {
    const silent = await diarizeWithModel(featuresOf(new Float32Array(1000)), [], {}, () =>
      Promise.reject(new Error()),
    );
    expect(silent.turns).toEqual([]);
  });
});
