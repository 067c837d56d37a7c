/** Arithmetic mean. 0 if there are no values. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return values.length > 0 ? sum / values.length : 0;
}

/** Population standard deviation. 0 if there are no values. */
export function deviation(values: ArrayLike<number>): number {
  const middle = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i]! - middle) ** 2;
  return values.length > 0 ? Math.sqrt(sum / values.length) : 0;
}

/** Quantile of values in ascending order, with linear interpolation. 0 if there are no values. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  if (ascending.length === 0) return 0;
  const position = share * (ascending.length - 1);
  const below = Math.floor(position);
  const above = Math.min(below + 1, ascending.length - 1);
  return ascending[below]! + (position - below) * (ascending[above]! - ascending[below]!);
}

/** Least-squares slope of y over x. 0 for fewer than two points. */
export function slope(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const middleX = mean(x);
  const middleY = mean(y);
  let product = 0;
  let square = 0;
  for (let i = 0; i < x.length; i++) {
    product += (x[i]! - middleX) * (y[i]! - middleY);
    square += (x[i]! - middleX) ** 2;
  }
  return square > 0 ? product / square : 0;
}

/** Median of the slopes through all pairs of points (Theil 1950, Sen 1968). Robust to up to 29 % of wrong points. */
export function robustSlope(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const slopes: number[] = [];
  for (let i = 0; i < x.length; i++)
    for (let j = i + 1; j < x.length; j++) slopes.push((y[j]! - y[i]!) / (x[j]! - x[i]!));
  return quantile(
    slopes.sort((a, b) => a - b),
    0.5,
  );
}

export const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Logistic function, 0..1. */
export const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
