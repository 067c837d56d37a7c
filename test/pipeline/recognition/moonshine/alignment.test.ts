import { describe, expect, it } from 'vitest';
import { alignTokens } from '../../../../containers/pipeline/recognition/moonshine/alignment.ts';

describe('alignment', () => {
  it('gives each token the frames it attends to', () => {
    const attends = (first: number, last: number) =>
      Float32Array.from({ length: 30 }, (_, frame) => (frame >= first && frame < last ? 1 : 0));
    expect(alignTokens([attends(0, 10), attends(10, 18), attends(18, 30)])).toEqual([
      { first: 0, last: 10 },
      { first: 10, last: 18 },
      { first: 18, last: 30 },
    ]);
  });

  it('keeps the order of the tokens even against their attention', () => {
    const rows = [5, 2, 8].map((peak) => Float32Array.from({ length: 10 }, (_, frame) => (frame === peak ? 1 : 0)));
    const spans = alignTokens(rows);
    for (let i = 1; i < spans.length; i++) expect(spans[i]!.first).toBeGreaterThanOrEqual(spans[i - 1]!.first);
  });

  it('is empty without tokens', () => {
    expect(alignTokens([])).toEqual([]);
  });
});
