import { EXPORTED_ROWS, LineListSchema, MomentListSchema } from '../../contract/patterns.ts';
import { TrendListSchema } from '../../contract/trends.ts';
import { LINE_HIT, MOMENT_HIT, TRENDS } from '../examples.ts';
import { bytes, type Content, type Descriptions, json, type ResponseDescription } from '../operation.ts';

const ASKED_AGAIN = ['If-None-Match'] as const;

/** A response that is not sent again while it is the same. */
const current = (description: string, content: Content): Readonly<Record<number, ResponseDescription>> => ({
  200: { description, content, headers: ['ETag'] },
  304: { description: 'The version in `If-None-Match` is still current.', headers: ['ETag'] },
});

const TABLE = {
  200: {
    description: 'The file.',
    content: {
      'text/csv': { schema: { type: 'string' } },
      'application/vnd.apache.parquet': { schema: bytes('The file.') },
    },
  },
} as const;

export const patterns: Descriptions = {
  'GET /moments': {
    id: 'listMoments',
    tag: 'patterns',
    summary: 'List the moments of all conversations',
    description:
      'The newest recording first, then in order of time. Each moment has its quote, its place, its confidence and what followed. The first page also has sums over all moments that match.',
    headers: ASKED_AGAIN,
    answers: current(
      'A page of moments.',
      json(MomentListSchema, {
        moments: [MOMENT_HIT],
        totals: {
          count: 152,
          unsure: 50,
          conversations: 97,
          searched: 244,
          categories: { objection: { count: 152, unsure: 50 } },
          outcomes: { cta_accepted: { count: 61, unsure: 9 }, nothing: { count: 91, unsure: 0 } },
        },
        next_cursor: null,
      }),
    ),
    errors: ['INVALID_REQUEST'],
  },
  'GET /lines': {
    id: 'searchLines',
    tag: 'patterns',
    summary: 'Find lines in all conversations',
    description:
      'The newest recording first, then in order of time. A page may have fewer lines than its limit and still have a `next_cursor`.',
    headers: ASKED_AGAIN,
    answers: current('A page of lines.', json(LineListSchema, { lines: [LINE_HIT], next_cursor: null })),
    errors: ['INVALID_REQUEST'],
  },
  'GET /moments/export': {
    id: 'exportMoments',
    tag: 'patterns',
    summary: 'Export the moments of all conversations as a table',
    description: `A row for each moment, at most ${EXPORTED_ROWS.toLocaleString('en')}. Narrow the filters to export more than these.`,
    answers: TABLE,
    errors: ['INVALID_REQUEST'],
  },
  'GET /lines/export': {
    id: 'exportLines',
    tag: 'patterns',
    summary: 'Export the lines in which words occur as a table',
    description: `A row for each line, at most ${EXPORTED_ROWS.toLocaleString('en')}. Narrow the filters to export more than these.`,
    answers: TABLE,
    errors: ['INVALID_REQUEST'],
  },
  'GET /trends': {
    id: 'getTrends',
    tag: 'patterns',
    summary: 'Measure what changes over all conversations',
    description:
      'A measure in cells: by day, week or month, by label, language, rule, role, person, category or outcome. Each cell has its number of conversations, its unsure share and intervals; with few conversations, their single values instead.',
    headers: ASKED_AGAIN,
    answers: current('The cells.', json(TrendListSchema, TRENDS)),
    errors: ['INVALID_REQUEST'],
  },
  'GET /trends/export': {
    id: 'exportTrends',
    tag: 'patterns',
    summary: 'Export a trend as a table',
    answers: TABLE,
    errors: ['INVALID_REQUEST'],
  },
};
