/** Paths of numbers that are not finite or have more than four decimals. */
export function longNumbers(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return /^-?\d+(\.\d{1,4})?$/.test(String(value)) ? [] : [`${path} ${value}`];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => longNumbers(part, `${path}.${name}`));
}
