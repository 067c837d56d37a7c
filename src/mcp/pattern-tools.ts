import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { MomentHit, MomentList, TrendCell, TrendList, TrendQueryInput, Undertone } from '../sdk/index.ts';
import { argumentsOf } from './arguments.ts';
import { pageOf, recordedOnDay } from './links.ts';
import { moreOf, textResult } from './tools.ts';
import { cellFigures, rounded } from './trend-figures.ts';

/** The tools for what happens in all conversations. */
export function addPatternTools(server: McpServer, { client, url }: { client: Undertone; url: string | URL }): void {
  server.registerTool(
    'find_moments',
    {
      title: 'Find moments in all conversations',
      description:
        'Returns offers, answers, objections and other moments of all conversations, with quotes, how sure each is, what followed within a minute, and sums. Newest recording first.',
      inputSchema: argumentsOf({
        category: z
          .string()
          .max(200)
          .optional()
          .describe('A category of moments, such as `objection`, or several with commas between.'),
        from: z.string().max(40).optional().describe('A day or a time (ISO 8601): recordings from then on.'),
        to: z.string().max(40).optional().describe('A day or a time (ISO 8601): recordings before it.'),
        person: z.string().max(128).optional().describe('With this person: a name, or the id of a person.'),
        speaker: z.string().max(128).optional().describe('Said by this speaker: a name, or the id of a person.'),
        role: z.string().max(32).optional().describe('Said in this role, such as `customer`.'),
        label: z.string().max(60).optional().describe('Conversations with this label.'),
        q: z.string().max(200).optional().describe('Conversations in which all these words occur.'),
        min_confidence: z.number().min(0).max(1).optional(),
        one_per: z.enum(['conversation']).optional().describe('Only the surest moment of each conversation.'),
        cursor: z.string().max(128).optional(),
        limit: z.number().int().min(1).max(100).default(20),
      }),
      annotations: { readOnlyHint: true },
    },
    (query, { mcpReq: { signal } }) =>
      textResult(async () => momentsText(await client.patterns.moments({ ...query, signal }), url)),
  );
  server.registerTool(
    'trends',
    {
      title: 'Measure what changes over all conversations',
      description:
        'Returns a measure over all conversations in cells, by week for example, with the number of conversations, the unsure share and 95 % intervals. A cell with fewer than 8 conversations has their single values: do not average or rank them. Persons have measures of timing only, to be compared with their own median and never with one another.',
      inputSchema: argumentsOf({
        measure: z
          .string()
          .max(40)
          .describe(
            'moments.count, moments.per_hour, duration, silence, tone, talk_share, longest_turn, patience, questions or pace.',
          ),
        by: z
          .string()
          .max(40)
          .default('week')
          .describe(
            'One or two of day, week, month, label, language, rule, role, person, category and outcome, with a comma between.',
          ),
        category: z.string().max(200).optional().describe('For moments: a category, or several with commas between.'),
        from: z.string().max(40).optional().describe('A day or a time (ISO 8601): recordings from then on.'),
        to: z.string().max(40).optional().describe('A day or a time (ISO 8601): recordings before it.'),
        tz: z.string().max(128).optional().describe('The time zone of days, such as Europe/Berlin.'),
        person: z.string().max(128).optional().describe('With this person: a name, or the id of a person.'),
        role: z.string().max(32).optional().describe('Of speakers in this role, such as `customer`.'),
        label: z.string().max(60).optional().describe('Conversations with this label.'),
        q: z.string().max(200).optional().describe('Conversations in which all these words occur.'),
      }),
      annotations: { readOnlyHint: true },
    },
    (query, { mcpReq: { signal } }) =>
      textResult(async () => {
        // The service checks the names of measures.
        const list = await client.patterns.trends({ ...(query as TrendQueryInput), signal });
        return [
          `${list.measure} (${list.unit}), conversations: ${list.n}${list.pending > 0 ? `, ${list.pending} not counted yet` : ''}`,
          ...list.cells.map((cell) => cellLine(cell, list)),
          ...(list.people ?? []).map(({ person, name, quartiles }) =>
            quartiles ? `- ${name} (${person}): own median ${rounded(quartiles[1] ?? 0)}` : `- ${name} (${person})`,
          ),
        ].join('\n');
      }),
  );
}

export const momentsText = ({ moments, totals, next_cursor }: MomentList, url: string | URL): string =>
  [
    ...(totals
      ? [
          `Moments: ${totals.count} (${totals.unsure} unsure), conversations: ${totals.conversations} of ${totals.searched}.`,
        ]
      : []),
    ...moments.map((one) => lineOf(one, url)),
    ...moreOf({ next_cursor }),
  ].join('\n');

const cellLine = (cell: TrendCell, { by }: TrendList): string =>
  `- ${by.map((one) => cell.group[one] ?? 'unknown').join(', ')}: ${cellFigures(cell).join('; ')}`;

function lineOf(one: MomentHit, url: string | URL): string {
  const { category, confidence, speaker, quote, followed_by: next, conversation, conversation_id, t_start } = one;
  const after = next ? `then ${next.category} after ${Math.round(next.after_s)} s` : 'nothing followed';
  const sure = confidence < 0.5 ? 'unsure' : `confidence ${confidence.toFixed(2)}`;
  return `- ${recordedOnDay(conversation)} ${category} (${sure}), ${speaker}: "${quote}"; ${after}; ${pageOf(url, conversation_id, t_start)}`;
}
