/**
 * Times of tokens from a recogniser's cross-attention by dynamic time warping (Sakoe & Chiba 1978; as in Whisper's word
 * timestamps).
 * @param attention one row per token with its weight on each encoder frame. It is modified (each column is
 *   standardised).
 * @returns for each token, its first frame and one past its last.
 */
export function alignTokens(attention: Float32Array[]): { first: number; last: number }[] {
  const tokens = attention.length;
  const frames = attention[0]?.length ?? 0;
  if (tokens === 0 || frames === 0) return [];
  standardiseColumns(attention);
  const width = frames + 1;
  const cost = new Float32Array((tokens + 1) * width).fill(Number.POSITIVE_INFINITY);
  /** The step on the best path: 0 advances both, 1 the token, 2 the frame. */
  const step = new Uint8Array((tokens + 1) * width);
  cost[0] = 0;
  for (let token = 1; token <= tokens; token++) {
    const row = attention[token - 1]!;
    for (let frame = 1; frame <= frames; frame++) {
      const at = token * width + frame;
      let best = cost[at - width - 1]!;
      let from = 0;
      if (cost[at - width]! < best) {
        best = cost[at - width]!;
        from = 1;
      }
      if (cost[at - 1]! < best) {
        best = cost[at - 1]!;
        from = 2;
      }
      cost[at] = best - row[frame - 1]!;
      step[at] = from;
    }
  }
  const spans = attention.map(() => ({ first: 0, last: 0 }));
  for (let token = tokens, frame = frames; token > 0 && frame > 0; ) {
    const span = spans[token - 1]!;
    span.first = frame - 1;
    if (span.last === 0) span.last = frame;
    const from = step[token * width + frame];
    if (from !== 2) token--;
    if (from !== 1) frame--;
  }
  return spans;
}

function standardiseColumns(rows: Float32Array[]): void {
  const frames = rows[0]!.length;
  const n = rows.length;
  for (let frame = 0; frame < frames; frame++) {
    let mean = 0;
    for (const row of rows) mean += row[frame]! / n;
    let variance = 0;
    for (const row of rows) variance += (row[frame]! - mean) ** 2 / n;
    const scale = 1 / Math.sqrt(variance + 1e-9);
    for (const row of rows) row[frame] = (row[frame]! - mean) * scale;
  }
}
