import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Undertone } from '../sdk/index.ts';
import { argumentsOf } from './arguments.ts';
import { timeOf } from './links.ts';
import { textResult } from './tools.ts';

/** The tools for people, who may be speakers of conversations. */
export function addPeopleTools(server: McpServer, { client }: { client: Undertone }): void {
  const annotations = { readOnlyHint: true };
  server.registerTool(
    'list_people',
    {
      title: 'List people',
      description: 'Returns the people of this account, who may be speakers of any conversation, with ids and roles.',
      inputSchema: argumentsOf({}),
      annotations,
    },
    (_, { mcpReq: { signal } }) =>
      textResult(async () => {
        const people = await client.people.list({ signal });
        if (people.length === 0) return 'There are no people.';
        return people
          .map(
            ({ id, name, role, conversations }) =>
              `- ${name} (${id}, ${role ?? 'no role'}, ${conversations} conversations)`,
          )
          .join('\n');
      }),
  );
  server.registerTool(
    'propose_speakers',
    {
      title: 'Propose names and roles of speakers',
      description:
        'Returns the names that were said for the speakers of a conversation, with quotes, and the roles that their words show. Nothing is applied: ask the user before you name a speaker.',
      inputSchema: argumentsOf({ conversation_id: z.string().max(128) }),
      annotations,
    },
    ({ conversation_id }, { mcpReq: { signal } }) =>
      textResult(async () => {
        const { names, roles } = await client.conversations.proposals(conversation_id, { signal });
        const lines = [
          ...names.map(
            ({ speaker, name, sure, t_start, quote }) =>
              `- ${speaker}: ${name}${sure ? '' : ' (not sure)'}, ${timeOf(t_start)} "${quote}"`,
          ),
          ...roles.map(({ speaker, role, confidence }) => `- ${speaker}: ${role} (confidence ${confidence})`),
        ];
        return lines.length === 0 ? 'Nothing is proposed.' : lines.join('\n');
      }),
  );
}
