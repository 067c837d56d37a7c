import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { readTurns } from '../../../src/conversation/text/turns.ts';
import { depth, lexicalSimilarity, semanticSimilarity } from '../../../src/conversation/topics/cohesion.ts';

const ENGLISH = languageOf('en');

const TEXTS = [
  'The battery of the remote drains quickly',
  'A bigger battery makes the remote heavy',
  'The remote needs a rechargeable battery',
  'My dog loves the garden and the trees',
  'Trees in the garden give the dog shade',
  'A dog digs under trees',
];
const turns = readTurns(
  TEXTS.map((text, i) => ({ text, speaker: `s${i % 2}` })),
  conversationWeights().vectors,
  ENGLISH,
);

/** The same measure straight from its definition. */
function slowSimilarity(boundary: number, window: number): number {
  const sum = (from: number, to: number) => {
    const out = new Map<number, number>();
    for (let t = Math.max(0, from); t < Math.min(turns.count, to); t++)
      turns.stems[t]!.forEach((id, k) => {
        out.set(id, (out.get(id) ?? 0) + turns.weights[t]![k]!);
      });
    return out;
  };
  const a = sum(boundary - window, boundary);
  const b = sum(boundary, boundary + window);
  const norm = (m: Map<number, number>) => Math.sqrt([...m.values()].reduce((s, v) => s + v * v, 0));
  let dot = 0;
  for (const [id, v] of a) dot += v * (b.get(id) ?? 0);
  return norm(a) > 0 && norm(b) > 0 ? dot / (norm(a) * norm(b)) : 0;
}

describe('cohesion', () => {
  it('updated turn by turn equals its definition', () => {
    for (const window of [1, 2, 3, 10])
      lexicalSimilarity(turns, window).forEach((value, i) => {
        expect(value).toBeCloseTo(slowSimilarity(i + 1, window), 5);
      });
  });

  it('is lowest where the topic changes', () => {
    for (const similarity of [lexicalSimilarity(turns, 2), semanticSimilarity(turns, 2)])
      expect(similarity.indexOf(Math.min(...similarity))).toBe(2);
  });

  it('is deepest where the topic changes', () => {
    const deep = depth(lexicalSimilarity(turns, 3), 10);
    expect(deep.indexOf(Math.max(...deep))).toBe(2);
  });

  it('is zero, not undefined, for empty turns', () => {
    const silent = readTurns(
      ['', '', ''].map((text) => ({ text, speaker: 'a' })),
      conversationWeights().vectors,
      ENGLISH,
    );
    expect([...lexicalSimilarity(silent, 2), ...semanticSimilarity(silent, 2)]).toEqual([0, 0, 0, 0]);
  });
});
