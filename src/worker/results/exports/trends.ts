import { parquetWriteBuffer } from 'hyparquet-writer';
import type { TrendCell, TrendGroup, TrendList } from '../../../contract/trends.ts';
import { textCell } from './csv.ts';

/** The columns of a cell after those of its groups. */
const COLUMNS = [
  ...['measure', 'unit', 'n', 'n_unknown', 'sum', 'unsure', 'unsure_share', 'mean', 'mean_from', 'mean_to'],
  ...['pooled', 'pooled_from', 'pooled_to', 'lower_quartile', 'median', 'upper_quartile', 'values'],
] as const;

type Value = string | number | null;

function valuesOf(cell: TrendCell, { measure, unit, by }: TrendList): Value[] {
  const { n, n_unknown, sum, unsure, unsure_share, mean, pooled, quartiles, values } = cell;
  const estimate = (of: TrendCell['mean']): Value[] => (of ? [of.value, of.from, of.to] : [null, null, null]);
  return [
    ...by.map((group: TrendGroup) => cell.group[group] ?? null),
    ...[measure, unit, n, n_unknown, sum, unsure, unsure_share],
    ...estimate(mean),
    ...estimate(pooled),
    ...(quartiles ?? [null, null, null]),
    values ? values.map(({ value }) => value).join(' ') : null,
  ];
}

/** A table with a row for each cell (RFC 4180), which starts with a byte order mark like every table. */
const csv = {
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: '.csv',
  write: (list: TrendList): string => {
    const rows = list.cells.map((cell) =>
      valuesOf(cell, list)
        .map((value) => (typeof value === 'string' ? textCell(value) : String(value ?? '')))
        .join(','),
    );
    return `\ufeff${[[...list.by, ...COLUMNS].join(','), ...rows].map((row) => `${row}\r\n`).join('')}`;
  },
};

/** The types of the columns that are not numbers. */
const TYPES: Readonly<Record<string, 'STRING' | 'INT32'>> = {
  measure: 'STRING',
  unit: 'STRING',
  n: 'INT32',
  n_unknown: 'INT32',
  values: 'STRING',
};

/** The same table with types (Apache Parquet). */
const parquet = {
  contentType: 'application/vnd.apache.parquet',
  extension: '.parquet',
  write: (list: TrendList): ArrayBuffer => {
    const rows = list.cells.map((cell) => valuesOf(cell, list));
    const columnData = [...list.by, ...COLUMNS].map((name, i) => ({
      name,
      data: rows.map((row) => row[i] ?? null),
      type: i < list.by.length ? ('STRING' as const) : (TYPES[name] ?? ('DOUBLE' as const)),
    }));
    return parquetWriteBuffer({ columnData });
  },
};

export const TREND_FILES = { csv, parquet } as const;
