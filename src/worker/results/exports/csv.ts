import type { ExportFormat } from './exported.ts';
import { MEASURES } from './exported.ts';

/** A spreadsheet takes a cell that begins so for a formula (OWASP: CSV injection), also in its full-width form. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text cell. One that could be taken for a formula gets an apostrophe in front, and so does one that begins with
 * apostrophes and goes on so: whoever takes one apostrophe off such a cell has the text again.
 */
export const textCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const cell = (value: string | number | null | undefined): string =>
  typeof value === 'string' ? textCell(value) : String(value ?? '');

const COLUMNS = ['utterance_id', 'speaker', 't_start', 't_end', 'text', ...MEASURES] as const;

/** A table with a row for each utterance (RFC 4180), with the mark by which spreadsheets know UTF-8. */
export const csv: ExportFormat = {
  extension: '.csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  *write({ timeline, segmentation }) {
    yield `\ufeff${[...COLUMNS, 'phase'].join(',')}\r\n`;
    const phases = new Map(segmentation.phases.map((phase) => [phase.start_utterance_id, phase.phase_name]));
    let phase = '';
    for (const utterance of timeline) {
      phase = phases.get(utterance.utterance_id) ?? phase;
      yield `${[...COLUMNS.map((column) => cell(utterance[column])), textCell(phase)].join(',')}\r\n`;
    }
  },
};
