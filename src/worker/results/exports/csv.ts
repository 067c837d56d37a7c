import type { ExportFormat } from './exported.ts';
import { MEASURES, roleOf } from './exported.ts';

/**
 * Spreadsheets treat a cell that begins with one of these, or with its full-width form, as a formula (OWASP: CSV
 * injection).
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/**
 * A text cell. Text that could be mistaken for a formula gets an apostrophe in front. So does text that consists of
 * apostrophes followed by such text, so that removing one apostrophe always restores the original.
 */
export const textCell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

const cell = (value: string | number | null | undefined): string =>
  typeof value === 'string' ? textCell(value) : String(value ?? '');

const COLUMNS = ['utterance_id', 'speaker', 't_start', 't_end', 'text', ...MEASURES] as const;

/**
 * A table with a row for each utterance (RFC 4180). It starts with a byte order mark, so that spreadsheets recognise
 * UTF-8.
 */
export const csv: ExportFormat = {
  extension: '.csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  *write({ timeline, segmentation, roles = {} }) {
    yield `\ufeff${[...COLUMNS, 'phase', 'role'].join(',')}\r\n`;
    const phases = new Map(segmentation.phases.map((phase) => [phase.start_utterance_id, phase.phase_name]));
    let phase = '';
    for (const utterance of timeline) {
      phase = phases.get(utterance.utterance_id) ?? phase;
      yield `${[...COLUMNS.map((column) => cell(utterance[column])), textCell(phase), cell(roleOf({ roles }, utterance))].join(',')}\r\n`;
    }
  },
};
