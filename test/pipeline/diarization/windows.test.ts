import { describe, expect, test } from 'vitest';
import type { Region, SpeechFeatures } from '../../../containers/pipeline/diarization/speech-frames.ts';
import { clusteringWindows, vote } from '../../../containers/pipeline/diarization/windows.ts';

/** Speech frames with regions of these lengths; their contents do not matter here. */
function speech(lengths: number[]): SpeechFeatures {
  let at = 0;
  const regions = lengths.map((length): Region => {
    const region = { from: at, to: at + length, start: at / 100, end: (at + length) / 100 };
    at += length;
    return region;
  });
  return {
    frame: new Int32Array(at),
    regions,
    scale: { bandwidth: 'wide', mean: new Float64Array(19), deviation: new Float64Array(19), quietBelow: 0 },
    cepstra: new Float32Array(0),
    pitch: new Float32Array(at),
    quiet: new Uint8Array(at),
  };
}

describe('clusteringWindows', () => {
  test('lays windows of 1.5 s over a whole region, and one over a short region', () => {
    const windows = clusteringWindows(speech([400, 90]));
    expect(windows[0]).toEqual({ from: 0, to: 150 });
    expect(windows.at(-2)).toEqual({ from: 250, to: 400 });
    expect(windows.at(-1)).toEqual({ from: 400, to: 490 });
  });

  test('stays within the size of the tree for long recordings with short regions', () => {
    expect(clusteringWindows(speech(new Array(20_000).fill(60))).length).toBeLessThanOrEqual(3000);
    expect(clusteringWindows(speech([2_000_000])).length).toBeLessThanOrEqual(3000);
  });
});

describe('vote', () => {
  test('follows the windows centred nearest', () => {
    const labels = vote(
      [
        { from: 0, to: 100 },
        { from: 60, to: 160 },
      ],
      [0, 1],
      2,
      160,
    );
    expect(labels[50]).toBe(0);
    expect(labels[79]).toBe(0);
    expect(labels[81]).toBe(1);
    expect(labels[159]).toBe(1);
  });

  test('gives a frame under no window the label of the frame before', () => {
    expect([...vote([{ from: 0, to: 2 }], [1], 2, 5)]).toEqual([1, 1, 1, 1, 1]);
  });
});
