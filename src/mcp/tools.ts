import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { MOMENT_CATEGORIES, UndertoneError } from '../sdk/index.ts';

export const ConversationId = z
  .string()
  .min(1)
  .max(128)
  .describe('The id from list_conversations or search_conversations.');

export const MomentCategory = z
  .enum(MOMENT_CATEGORIES.map(({ name }) => name))
  .describe(MOMENT_CATEGORIES.map(({ name, description }) => `${name}: ${description}`).join('; '));

/** The line that says how a list goes on. */
export const moreOf = ({ next_cursor: cursor }: { next_cursor: string | null }): string[] =>
  cursor === null ? [] : [`There is more: call again with cursor ${cursor}.`];

/** Runs a tool that returns text. */
export const textResult = (work: () => Promise<string>): Promise<CallToolResult> =>
  toolResult(async () => ({ content: [{ type: 'text', text: await work() }] }));

/** Runs a tool and returns errors to the model, which may be able to react. */
export async function toolResult(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    const isKnown = error instanceof UndertoneError;
    const text = isKnown ? `${error.code}: ${error.message}` : error instanceof Error ? error.message : String(error);
    return { content: [{ type: 'text', text }], isError: true };
  }
}
