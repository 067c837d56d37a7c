import { parquetWriteBuffer } from 'hyparquet-writer';
import { textCell } from './csv.ts';

export type TableValue = string | number | null;

/** A table with one value per column in every row. */
export interface ExportedTable {
  columns: readonly { name: string; type: 'STRING' | 'INT32' | 'DOUBLE' }[];
  rows: readonly (readonly TableValue[])[];
}

/** A file that holds a table. */
export interface TableFile {
  contentType: string;
  extension: string;
  write: (table: ExportedTable) => string | ArrayBuffer;
}

/** A row of a table (RFC 4180). */
export const csvLine = (values: readonly TableValue[]): string =>
  `${values.map((value) => (typeof value === 'string' ? textCell(value) : String(value ?? ''))).join(',')}\r\n`;

/** A row for each entry (RFC 4180). It starts with a byte order mark, so that spreadsheets recognise UTF-8. */
export const csvTable = {
  contentType: 'text/csv; charset=utf-8; header=present',
  extension: '.csv',
  write: ({ columns, rows }: ExportedTable): string =>
    `\ufeff${columns.map(({ name }) => name).join(',')}\r\n${rows.map(csvLine).join('')}`,
} satisfies TableFile;

/** The same table with types (Apache Parquet). */
const parquetTable = {
  contentType: 'application/vnd.apache.parquet',
  extension: '.parquet',
  write: ({ columns, rows }: ExportedTable): ArrayBuffer =>
    parquetWriteBuffer({
      columnData: columns.map(({ name, type }, i) => ({ name, type, data: rows.map((row) => row[i] ?? null) })),
    }),
} satisfies TableFile;

export const TABLE_FILES = { csv: csvTable, parquet: parquetTable } as const;
