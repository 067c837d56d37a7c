import { beforeAll, describe, expect, it } from 'vitest';
import { speechRegions } from '../../../containers/pipeline/audio/speech.ts';
import { SpeechDetector, VAD_FRAME } from '../../../containers/pipeline/models/silero.ts';
import { fixtureSamples } from '../../../support/recordings.ts';

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

describe('speech detection', () => {
  it('finds the same speech in batches as in a stream', async () => {
    const samples = longCall();
    const batched = await detector.probabilities(samples);
    const streamed = await detector.open().push(samples);
    const differing = streamed.filter((p, i) => p > 0.5 !== batched[i]! > 0.5).length;
    expect(differing / streamed.length).toBeLessThan(0.02);
    expect(speechRegions(batched).length).toBeCloseTo(speechRegions(streamed).length, -1);
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
