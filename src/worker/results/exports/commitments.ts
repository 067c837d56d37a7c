import type { CommitmentEntry } from '../../../contract/commitments.ts';
import { csvTable } from './table.ts';

/** A file with commitments of several conversations. */
export interface CommitmentFile {
  contentType: string;
  extension: string;
  write: (commitments: readonly CommitmentEntry[]) => string;
}

const COLUMNS = [
  'commitment_id',
  'conversation_id',
  'title',
  'created_at',
  'owner',
  'to',
  'deed',
  'due',
  'due_from',
  'due_time',
  'said',
  'time_zone',
  'status',
  'quote',
  'speaker',
  't_start',
  'confidence',
] as const;

function cellsOf(one: CommitmentEntry): Record<(typeof COLUMNS)[number], string | number | null> {
  const { due } = one;
  return {
    ...one,
    speaker: one.speaker ?? null,
    due: due?.date ?? null,
    due_from: due?.from ?? null,
    due_time: due?.time ?? null,
    said: due?.said ?? one.vague_due,
    time_zone: due?.time_zone ?? null,
  };
}

/** A table with a row for each commitment. */
const csv: CommitmentFile = {
  ...csvTable,
  write: (commitments) => {
    const cells = commitments.map(cellsOf);
    const columns = COLUMNS.map((name) => ({ name, type: 'STRING' as const }));
    return csvTable.write({ columns, rows: cells.map((of) => COLUMNS.map((name) => of[name])) });
  },
};

/** Longest line of a calendar, bytes (RFC 5545, 3.1). */
const LINE_BYTES = 75;

/** Folds a content line: each further line begins with a blank. A character is never divided. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  let current = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > LINE_BYTES) {
      lines.push(current);
      current = ' ';
      bytes = 1;
    }
    current += character;
    bytes += size;
  }
  return [...lines, current].join('\r\n');
}

/** A text value (RFC 5545, 3.3.11). */
const text = (value: string): string =>
  value
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replaceAll('\n', '\\n');

const compact = (iso: string): string => iso.replaceAll(/[-:]|\.\d+/g, '');

/** The states of a task (RFC 5545, 3.8.1.11). */
const TASK_STATUS: Readonly<Record<CommitmentEntry['status'], string>> = {
  offered: 'NEEDS-ACTION',
  open: 'NEEDS-ACTION',
  accepted: 'NEEDS-ACTION',
  declined: 'CANCELLED',
  done: 'COMPLETED',
};

function taskOf(one: CommitmentEntry): string[] {
  const { due, owner, to } = one;
  const said = due?.said ?? one.vague_due;
  const isAsked = one.speaker !== undefined && one.speaker !== owner;
  const about = [
    `${isAsked ? `${one.speaker} asked: ` : ''}"${one.quote}"`,
    ...(said === null ? [] : [`said: "${said}"`]),
    one.title,
  ];
  return [
    'BEGIN:VTODO',
    `UID:${one.commitment_id}@undertone`,
    `DTSTAMP:${compact(one.created_at)}`,
    `SUMMARY:${text(`${owner ?? '?'}${to === null ? '' : ` to ${to}`}: ${one.deed}`)}`,
    `DESCRIPTION:${text(about.join('\n'))}`,
    ...(due ? [`DUE;VALUE=DATE:${compact(due.date)}`] : []),
    `STATUS:${TASK_STATUS[one.status]}`,
    'END:VTODO',
  ];
}

/** A calendar with a task for each commitment (RFC 5545). A task without a day has no due date. */
const ics: CommitmentFile = {
  contentType: 'text/calendar; charset=utf-8',
  extension: '.ics',
  write: (commitments) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Undertone//Commitments//EN',
      ...commitments.flatMap(taskOf),
      'END:VCALENDAR',
    ]
      .map((line) => `${folded(line)}\r\n`)
      .join(''),
};

export const COMMITMENT_FILES = { csv, ics } as const;
