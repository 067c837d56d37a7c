import type { TrendCell } from '../sdk/index.ts';

/** A measured value to four significant digits. */
export const rounded = (value: number): string => String(Number(value.toPrecision(4)));

/** The figures of a cell in words: counts, means with their intervals, and the unsure share. */
export function cellFigures({ n, n_unknown, sum, unsure_share, mean, pooled, values }: TrendCell): string[] {
  const interval = (name: string, of: TrendCell['mean']) =>
    of ? [`${name} ${rounded(of.value)} (${rounded(of.from)} to ${rounded(of.to)})`] : [];
  return [
    `n ${n}`,
    ...(n_unknown > 0 ? [`not known in ${n_unknown}`] : []),
    ...(sum === null ? [] : [`sum ${rounded(sum)}`]),
    ...interval('mean', mean),
    ...interval('pooled', pooled),
    ...(unsure_share === null ? [] : [`${Math.round(unsure_share * 100)} % unsure`]),
    ...(values && values.length > 0 ? [`single values ${values.map(({ value }) => rounded(value)).join(', ')}`] : []),
  ];
}
