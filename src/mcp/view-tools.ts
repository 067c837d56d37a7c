import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Undertone, View } from '../sdk/index.ts';
import { queryOfView } from '../sdk/page-filters.ts';
import { argumentsOf } from './arguments.ts';
import { commitmentsText } from './commitment-tools.ts';
import { conversationsText } from './finding-tools.ts';
import { momentsText } from './pattern-tools.ts';
import { moreOf, textResult } from './tools.ts';

/** The tools for saved views: filters of a page under a name. */
export function addViewTools(server: McpServer, { client, url }: { client: Undertone; url: string | URL }): void {
  const annotations = { readOnlyHint: true };
  server.registerTool(
    'list_views',
    {
      title: 'List saved views',
      description: 'Returns the saved views of this account: filters of conversations, moments or commitments by name.',
      inputSchema: argumentsOf({}),
      annotations,
    },
    (_, { mcpReq: { signal } }) =>
      textResult(async () => {
        const views = await client.views.list({ signal });
        return views.length === 0 ? 'There are no views.' : views.map(lineOf).join('\n');
      }),
  );
  server.registerTool(
    'run_view',
    {
      title: 'Find what matches a saved view',
      description: 'Returns the moments, conversations or commitments that a saved view shows.',
      inputSchema: argumentsOf({
        view_id: z.string().max(128).describe('The id from list_views.'),
        cursor: z.string().max(200).optional(),
        limit: z.number().int().min(1).max(50).default(20),
      }),
      annotations,
    },
    ({ view_id, ...page }, { mcpReq: { signal } }) =>
      textResult(async () => {
        const view = (await client.views.list({ signal })).find(({ id }) => id === view_id);
        if (!view) throw new Error(`There is no view ${view_id}`);
        const asked = queryOfView(view);
        if (asked.page === 'patterns')
          return momentsText(await client.patterns.moments({ ...asked.query, ...page, signal }), url);
        if (asked.page === 'conversations') {
          const found = await client.conversations.list({ ...asked.query, ...page }, { signal });
          return [conversationsText(found.conversations, url), ...moreOf(found)].join('\n');
        }
        const found = await client.commitments.list({ ...asked.query, ...page, signal });
        return [commitmentsText(found.commitments, url), ...moreOf(found)].join('\n');
      }),
  );
}

const lineOf = ({ id, name, page, query, tell }: View): string =>
  `- ${name} (${id}, ${page}${tell ? ', with an alert' : ''}): ${query || 'everything'}`;
