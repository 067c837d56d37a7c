import { conversationWeights } from '../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../src/conversation/languages.ts';
import { readTurns } from '../src/conversation/text/turns.ts';
import { depth, lexicalSimilarity } from '../src/conversation/topics/cohesion.ts';

/**
 * Classic TextTiling (Hearst 1997) over turns: cosine of word counts in blocks, smoothed, with depth over mean - sd/2.
 * @param block turns per block.
 */
export function textTiling(texts: string[], block: number): number[] {
  const turns = readTurns(
    texts.map((text) => ({ text, speaker: '' })),
    conversationWeights().vectors,
    languageOf('en'),
  );
  turns.weights = turns.weights.map((w) => w.map(() => 1));
  const similarity = lexicalSimilarity(turns, block);
  const smooth = similarity.map((v, i) => 0.25 * (similarity[i - 1] ?? v) + 0.5 * v + 0.25 * (similarity[i + 1] ?? v));
  const depths = depth(smooth, similarity.length);
  const mean = depths.reduce((s, d) => s + d, 0) / depths.length;
  const sd = Math.sqrt(depths.reduce((s, d) => s + (d - mean) ** 2, 0) / depths.length);
  const out: number[] = [];
  depths.forEach((d, i) => {
    if (d > mean - sd / 2 && d >= (depths[i - 1] ?? 0) && d > (depths[i + 1] ?? 0)) out.push(i + 1);
  });
  return out;
}
