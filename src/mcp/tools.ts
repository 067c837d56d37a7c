import type { CallToolResult } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { UndertoneError } from '../sdk/index.ts';

export const ConversationId = z
  .string()
  .min(1)
  .max(128)
  .describe('The id from list_conversations or search_conversations.');

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
