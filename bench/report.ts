/** One table of a bench. Text cells are printed unchanged, and numbers with up to four significant digits. */
export interface Table {
  title: string;
  columns: string[];
  rows: (string | number | null)[][];
  /** Facts that a reader needs to understand the numbers, such as the data, the baseline and caveats. */
  note?: string;
}

const cell = (value: string | number | null): string =>
  value === null ? '-' : typeof value === 'number' ? String(Number(value.toFixed(4))) : value;

function render({ title, columns, rows, note }: Table): string {
  const text = [columns, ...rows.map((row) => row.map(cell))];
  const widths = columns.map((_, i) => Math.max(...text.map((row) => (row[i] ?? '').length)));
  const lines = text.map((row) => `  ${row.map((c, i) => c.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd());
  lines.splice(1, 0, `  ${widths.map((w) => '-'.repeat(w)).join('  ')}`);
  return [title, ...lines, ...(note ? [`  ${note}`] : [])].join('\n');
}

/** Prints a bench's tables, or with `--json` the same as JSON: `{bench, tables: [{title, columns, rows, note}]}`. */
export function report(bench: string, tables: Table[]): void {
  if (process.argv.includes('--json')) console.log(JSON.stringify({ bench, tables }, null, 1));
  else console.log(tables.map(render).join('\n\n'));
}

/** Prints the progress of a long bench to stderr, so that stdout stays the report. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
