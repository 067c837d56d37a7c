/** A sentence with its speaker. */
export interface TranscriptSentence {
  speaker: string;
  text: string;
}

/** Damping and rounds of Mihalcea & Tarau 2004. */
const DAMPING = 0.85;
const ROUNDS = 30;
/** If there are more sentences than this, only the longest are ranked, because the size of the graph is quadratic. */
const MAX_SENTENCES = 1500;

/**
 * Plain TextRank: sentences by their rank in the graph of shared words, with the similarity overlap / (log|a| +
 * log|b|).
 */
export function textRank(sentences: TranscriptSentence[]): TranscriptSentence[] {
  const kept =
    sentences.length <= MAX_SENTENCES
      ? sentences
      : sentences.toSorted((a, b) => b.text.length - a.text.length).slice(0, MAX_SENTENCES);
  const sets = kept.map((s) => new Set(s.text.toLowerCase().match(/[a-z0-9']+/g) ?? []));
  const edges = sets.map((a, i) =>
    sets.map((b, j) => {
      if (i === j || a.size < 2 || b.size < 2) return 0;
      let shared = 0;
      for (const w of a) if (b.has(w)) shared++;
      return shared / (Math.log(a.size) + Math.log(b.size));
    }),
  );
  const out = edges.map((row) => row.reduce((s, v) => s + v, 0));
  let rank = kept.map(() => 1);
  for (let round = 0; round < ROUNDS; round++)
    rank = rank.map(
      (_, i) =>
        1 - DAMPING + DAMPING * edges.reduce((s, row, j) => s + (out[j]! > 0 ? (row[i]! / out[j]!) * rank[j]! : 0), 0),
    );
  return kept
    .map((s, i) => ({ s, r: rank[i]! }))
    .sort((a, b) => b.r - a.r)
    .map(({ s }) => s);
}
