import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ConversationEntry, ConversationQueryInput, Undertone } from '../sdk/index.ts';
import { argumentsOf } from './arguments.ts';
import { clockOf, pageOf, recordedOn, timeOf } from './links.ts';
import { MomentCategory, toolResult } from './tools.ts';

const MAX_CONVERSATIONS = 50;
const Limit = z.number().int().min(1).max(MAX_CONVERSATIONS).default(10);
const Found = z.object({
  conversation_id: z.string(),
  title: z.string(),
  status: z.string(),
  created_at: z.string(),
  recorded_at: z.string().describe('When the recording began; without that, when it reached the service.'),
  recorded_at_source: z.enum(['given', 'assumed']),
  duration_s: z.number().nullable(),
  url: z.string(),
});

/** The tools that find stored conversations. */
export function addFinding(server: McpServer, { client, url }: { client: Undertone; url: string | URL }): void {
  const annotations = { readOnlyHint: true };
  const filters = {
    limit: Limit,
    cursor: z.string().max(200).optional().describe('The next_cursor of the previous page.'),
    moment: MomentCategory.optional(),
    sentiment: z.enum(['positive', 'neutral', 'negative']).optional(),
    label: z.string().max(60).optional(),
  };
  const outputSchema = z.object({ conversations: z.array(Found), next_cursor: z.string().nullable() });
  const find = async (query: ConversationQueryInput, signal: AbortSignal): Promise<CallToolResult> => {
    const { conversations, next_cursor } = await client.conversations.list(query, { signal });
    return {
      content: [{ type: 'text', text: conversationsText(conversations, url) }],
      structuredContent: { conversations: conversations.map((entry) => foundOf(entry, url)), next_cursor },
    };
  };
  server.registerTool(
    'list_conversations',
    {
      title: 'List conversations',
      description:
        'Lists stored conversations, newest first, by the time of their recording (UTC) or, where that is not known, of their upload.',
      inputSchema: argumentsOf({
        ...filters,
        created_after: z.iso.datetime({ offset: true }).optional(),
        created_before: z.iso.datetime({ offset: true }).optional(),
      }),
      outputSchema,
      annotations,
    },
    (query, { mcpReq }) => toolResult(() => find(query, mcpReq.signal)),
  );
  server.registerTool(
    'search_conversations',
    {
      title: 'Search conversations',
      description:
        'Finds conversations that contain all the words in any form, "exact phrases" in quotation marks, and words with a prefix (mon*). Returns the matching utterances with their times.',
      inputSchema: argumentsOf({ query: z.string().min(1).max(200), ...filters }),
      outputSchema,
      annotations,
    },
    ({ query: q, ...query }, { mcpReq }) => toolResult(() => find({ q, ...query }, mcpReq.signal)),
  );
}

function foundOf({ result, ...entry }: ConversationEntry, url: string | URL) {
  const { conversation_id, title, status, created_at, recorded_at, recorded_at_source } = entry;
  return {
    ...{ conversation_id, title, status, created_at, recorded_at, recorded_at_source },
    duration_s: result?.duration_s ?? null,
    url: pageOf(url, conversation_id),
  };
}

export const conversationsText = (conversations: readonly ConversationEntry[], url: string | URL): string =>
  conversations.length === 0
    ? 'No conversations found.'
    : conversations.map((entry) => entryText(entry, url)).join('\n\n');

function entryText(entry: ConversationEntry, url: string | URL): string {
  const { conversation_id: id, title, status, result, matches = [] } = entry;
  const facts = [recordedOn(entry), status, ...(result ? [clockOf(result.duration_s)] : [])];
  return [
    `[${title.replaceAll(/[[\]]/g, ' ').trim() || 'untitled'}](${pageOf(url, id)}) (${id}): ${facts.join(', ')}`,
    ...(result?.overview ? [result.overview] : []),
    ...matches.map(({ t_start, text }) => `- ${timeOf(t_start)} ${text}`),
  ].join('\n');
}
