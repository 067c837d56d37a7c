import type { TrendCell, TrendGroup, TrendList } from '../../../contract/trends.ts';
import type { ExportedTable, TableValue } from './table.ts';

/** The columns of a cell after those of its groups. */
const COLUMNS = [
  ...['measure', 'unit', 'n', 'n_unknown', 'sum', 'unsure', 'unsure_share', 'mean', 'mean_from', 'mean_to'],
  ...['pooled', 'pooled_from', 'pooled_to', 'lower_quartile', 'median', 'upper_quartile', 'values'],
] as const;

/** The types of the columns that are not fractions. */
const TYPES: Readonly<Record<string, 'STRING' | 'INT32'>> = {
  measure: 'STRING',
  unit: 'STRING',
  n: 'INT32',
  n_unknown: 'INT32',
  values: 'STRING',
};

function valuesOf(cell: TrendCell, { measure, unit, by }: TrendList): TableValue[] {
  const { n, n_unknown, sum, unsure, unsure_share, mean, pooled, quartiles, values } = cell;
  const estimate = (of: TrendCell['mean']): TableValue[] => (of ? [of.value, of.from, of.to] : [null, null, null]);
  return [
    ...by.map((group: TrendGroup) => cell.group[group] ?? null),
    ...[measure, unit, n, n_unknown, sum, unsure, unsure_share],
    ...estimate(mean),
    ...estimate(pooled),
    ...(quartiles ?? [null, null, null]),
    values ? values.map(({ value }) => value).join(' ') : null,
  ];
}

/** A row for each cell. */
export const trendTable = (list: TrendList): ExportedTable => ({
  columns: [
    ...list.by.map((name) => ({ name, type: 'STRING' as const })),
    ...COLUMNS.map((name) => ({ name, type: TYPES[name] ?? ('DOUBLE' as const) })),
  ],
  rows: list.cells.map((cell) => valuesOf(cell, list)),
});
