/** Where a value holds a number that is no finite one of at most four decimals; its paths. */
export function longNumbers(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return /^-?\d+(\.\d{1,4})?$/.test(String(value)) ? [] : [`${path} ${value}`];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => longNumbers(part, `${path}.${name}`));
}
