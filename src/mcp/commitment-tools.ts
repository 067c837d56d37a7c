import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { CommitmentEntry, Undertone } from '../sdk/index.ts';
import { argumentsOf } from './arguments.ts';
import { pageOf } from './links.ts';
import { textResult } from './tools.ts';

/** The tool for what is owed in all conversations. */
export function addCommitmentTools(server: McpServer, { client, url }: { client: Undertone; url: string | URL }): void {
  server.registerTool(
    'commitments',
    {
      title: 'List commitments',
      description:
        'Returns who owes whom what in all conversations, and until when, with quotes: promises, accepted requests and offers. By the day on which they are due; what has no day comes last. They are read from what was said; nobody was asked whether they were kept.',
      inputSchema: argumentsOf({
        person: z.string().max(128).optional().describe('Who owes it: a name, or the id of a person.'),
        due_before: z.iso.date().optional().describe('Only what is due before this day.'),
        status: z
          .array(z.enum(['offered', 'open', 'accepted', 'declined', 'done']))
          .max(5)
          .default(['open', 'accepted']),
        limit: z.number().int().min(1).max(100).default(50),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ status, ...query }, { mcpReq: { signal } }) =>
      textResult(async () => {
        const { commitments } = await client.commitments.list({ ...query, status: status.join(','), signal });
        return commitmentsText(commitments, url);
      }),
  );
}

export const commitmentsText = (commitments: readonly CommitmentEntry[], url: string | URL): string =>
  commitments.length === 0 ? 'Nothing is owed.' : commitments.map((one) => lineOf(one, url)).join('\n');

function lineOf(one: CommitmentEntry, url: string | URL): string {
  const { owner, to, deed, due, vague_due, status, quote, speaker, conversation_id, t_start } = one;
  const none = vague_due === null ? 'no date was said' : `date unclear (said: "${vague_due}")`;
  const day = due ? `${due.date} (said: "${due.said}")` : none;
  const who = `${owner ?? 'somebody'}${to === null ? '' : ` to ${to}`}`;
  const asked = speaker !== undefined && speaker !== owner ? `${speaker} asked: ` : '';
  return `- ${who}: ${deed}; ${day}; ${status}; ${asked}"${quote}" ${pageOf(url, conversation_id, t_start)}`;
}
