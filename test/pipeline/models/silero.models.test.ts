import { beforeAll, describe, expect, it } from 'vitest';
import { speechRegions } from '../../../containers/pipeline/audio/speech.ts';
import { RowDetector } from '../../../containers/pipeline/live/row-detector.ts';
import { loadRuntime, packagedModel } from '../../../containers/pipeline/models/runtime.ts';
import { SpeechDetector, VAD_BLOCK, VAD_FRAME } from '../../../containers/pipeline/models/silero.ts';
import { speechGraph } from '../../../containers/pipeline/models/speech-graph.ts';
import { fixtureSamples } from '../../../support/recordings.ts';

const SHIPPED = '@ricky0123/vad-web/dist/silero_vad_v6.onnx';

let detector: SpeechDetector;
beforeAll(async () => {
  detector = await SpeechDetector.load();
});

/** The call repeated until it is longer than one block. */
function longCall(): Float32Array {
  const call = fixtureSamples('call.wav');
  const long = new Float32Array(call.length * 4);
  for (let i = 0; i < 4; i++) long.set(call, i * call.length);
  return long;
}

/** The probabilities of the model as it is shipped, frame by frame. */
async function shippedProbabilities(samples: Float32Array): Promise<number[]> {
  const { Tensor, createSession } = await loadRuntime();
  const session = await createSession(packagedModel('@ricky0123/vad-web', SHIPPED));
  const sr = new Tensor('int64', BigInt64Array.of(16_000n), []);
  let state = new Tensor('float32', new Float32Array(256), [2, 1, 128]);
  const found: number[] = [];
  for (let at = 0; at + VAD_FRAME <= samples.length; at += VAD_FRAME) {
    const frame = new Float32Array(64 + VAD_FRAME);
    frame.set(samples.subarray(Math.max(0, at - 64), at + VAD_FRAME), at === 0 ? 64 : 0);
    const out = await session.run({ input: new Tensor('float32', frame, [1, 64 + VAD_FRAME]), state, sr });
    state = out.stateN! as typeof state;
    found.push((out.output!.data as Float32Array)[0]!);
  }
  return found;
}

describe('speech detection', () => {
  it('gives the probabilities of the shipped model', async () => {
    const samples = fixtureSamples('call.wav');
    const [ours, shipped] = [await detector.open().push(samples), await shippedProbabilities(samples)];
    expect(ours).toHaveLength(shipped.length);
    expect(Math.max(...ours.map((p, i) => Math.abs(p - shipped[i]!)))).toBeLessThan(1e-4);
    expect(new Set(ours.map((p) => p > 0.5))).toEqual(new Set([true, false]));
  });

  it('refuses a file with other weights', () => {
    expect(() => speechGraph(new Uint8Array(0), 'encoder')).toThrow(
      'the speech model has no stft.forward_basis_buffer',
    );
  });

  it('finds the same speech in batches as in a stream', async () => {
    const samples = longCall();
    const batched = await detector.probabilities(samples);
    const streamed = await detector.open().push(samples);
    const differing = streamed.filter((p, i) => p > 0.5 !== batched[i]! > 0.5).length;
    expect(differing / streamed.length).toBeLessThan(0.02);
    expect(speechRegions(batched).length).toBeCloseTo(speechRegions(streamed).length, -1);
  });

  it('gives blocks the probabilities of a stream that is read row by row', async () => {
    const samples = longCall();
    const rows = new RowDetector(() => detector.open());
    const streamed: number[] = [];
    for (let at = 0; at + VAD_FRAME <= samples.length; at += VAD_FRAME)
      streamed.push(...(await rows.push(samples.subarray(at, at + VAD_FRAME))));
    const blocks = await detector.probabilities(samples);
    expect(blocks.length).toBeGreaterThan(VAD_BLOCK / VAD_FRAME);
    // A row of a stream begins without the 64 samples before its first frame.
    expect(Math.max(...streamed.map((p, i) => Math.abs(p - blocks[i]!)))).toBeLessThan(0.02);
  });

  it('gives a stream the same probabilities for any division', async () => {
    const samples = fixtureSamples('short.wav');
    const whole = await detector.open().push(samples);
    const stream = detector.open();
    const pieces: number[] = [];
    for (let at = 0; at < samples.length; at += 777)
      pieces.push(...(await stream.push(samples.subarray(at, at + 777))));
    expect(pieces).toEqual(whole);
    expect(whole).toHaveLength(Math.floor(samples.length / VAD_FRAME));
  });

  it('finds no speech in silence', async () => {
    expect(speechRegions(await detector.probabilities(fixtureSamples('silence.wav')))).toEqual([]);
    expect(await detector.probabilities(new Float32Array(0))).toHaveLength(0);
  });
});
