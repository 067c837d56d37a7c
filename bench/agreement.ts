/** Share of pairs on which two readers agree, and how far that exceeds chance (Cohen 1960); null if all answers are equal. */
export function agreementOf(
  pairs: readonly (readonly [boolean, boolean])[],
): [share: number | null, kappa: number | null] {
  if (pairs.length === 0) return [null, null];
  const share = (test: (pair: readonly [boolean, boolean]) => boolean) => pairs.filter(test).length / pairs.length;
  const same = share(([a, b]) => a === b);
  const [first, second] = [share(([a]) => a), share(([, b]) => b)];
  const chance = first * second + (1 - first) * (1 - second);
  return [same, chance === 1 ? null : (same - chance) / (1 - chance)];
}
