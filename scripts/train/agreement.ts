const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pearson correlation of two series of equal length. */
export function correlation(a: number[], b: number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  const sum = (f: (i: number) => number) => a.reduce((total, _, i) => total + f(i), 0);
  return (
    sum((i) => (a[i]! - ma) * (b[i]! - mb)) / Math.sqrt(sum((i) => (a[i]! - ma) ** 2) * sum((i) => (b[i]! - mb) ** 2))
  );
}

/** Lin's concordance correlation coefficient, which is 1 only if the values themselves agree. */
export function concordance(a: number[], b: number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  const variance = (values: number[], m: number) => mean(values.map((value) => (value - m) ** 2));
  const shared = mean(a.map((value, i) => (value - ma) * (b[i]! - mb)));
  return (2 * shared) / (variance(a, ma) + variance(b, mb) + (ma - mb) ** 2);
}

/** Accuracy and F1 of predicted classes. Classes that never occur count as 0 in macro-F1. */
export function classScores(guesses: number[], labels: number[], classes: number) {
  const f1: number[] = [];
  let weightedF1 = 0;
  for (let k = 0; k < classes; k++) {
    const hits = guesses.filter((guess, i) => guess === k && labels[i] === k).length;
    const said = guesses.filter((guess) => guess === k).length;
    const present = labels.filter((label) => label === k).length;
    f1.push(said + present === 0 ? 0 : (2 * hits) / (said + present));
    weightedF1 += (f1[k]! * present) / labels.length;
  }
  const accuracy = guesses.filter((guess, i) => guess === labels[i]).length / labels.length;
  return { accuracy, macroF1: mean(f1), weightedF1, f1 };
}

/**
 * Expected calibration error over equal confidence bins, and for each bin the mean confidence and the fraction that was
 * right.
 */
export function reliability(confidences: number[], right: boolean[], count = 15) {
  const bins = Array.from({ length: count }, (_, b) => {
    const members = confidences
      .map((_, i) => i)
      .filter((i) => Math.min(count - 1, Math.floor(confidences[i]! * count)) === b);
    const n = members.length;
    return {
      from: b / count,
      n,
      confidence: n === 0 ? null : mean(members.map((i) => confidences[i]!)),
      right: n === 0 ? null : members.filter((i) => right[i]).length / n,
    };
  });
  const ece = bins.reduce(
    (sum, { n, confidence, right: share }) =>
      sum + (n * Math.abs((confidence ?? 0) - (share ?? 0))) / confidences.length,
    0,
  );
  return { ece, bins: bins.filter(({ n }) => n > 0) };
}

/** Index of the largest value, the first of equal ones. */
export const argmax = (values: readonly number[]): number => values.indexOf(Math.max(...values));

/** The area under the ROC curve. Ties count half. */
export function rocAuc(positive: readonly number[], negative: readonly number[]): number {
  let won = 0;
  for (const p of positive) for (const n of negative) won += p > n ? 1 : p === n ? 0.5 : 0;
  return won / (positive.length * negative.length);
}
