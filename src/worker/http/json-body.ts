import type { Context } from 'hono';
import type { z } from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import type { AppEnv } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { receiveBody } from './request-body.ts';
import { validated } from './validation.ts';

/** Limit on the nesting of a JSON body. Schemas that contain themselves are checked level by level. */
const MAX_DEPTH = 100;

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/**
 * The JSON body of a request, read up to `maxBytes` and validated. An absent body counts as an empty object.
 * @throws ServiceError INVALID_REQUEST saying what was expected, or naming the path of the first bad field
 */
export async function jsonBody<T extends z.ZodType>(
  c: Context<AppEnv>,
  schema: T,
  maxBytes: number,
): Promise<z.output<T>> {
  const text = await textOf(c, maxBytes);
  if (text.trim() !== '') requireJson(c);
  return validated(schema, text.trim() === '' ? {} : jsonOf(text));
}

/** Whether the request declares its body as JSON. */
export const isJson = (request: Request): boolean => JSON_TYPE.test(request.headers.get('Content-Type') ?? '');

/** @throws ServiceError INVALID_REQUEST when the declared type is missing or not JSON */
export function requireJson(c: Context<AppEnv>): void {
  if (!isJson(c.req.raw)) throw new ServiceError('INVALID_REQUEST', 'Expected a body of Content-Type application/json');
}

async function textOf(c: Context<AppEnv>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const options = {
    stallSeconds: settingsOf(c.env).uploadStallSeconds,
    maxBytes,
    tooLarge: () => new ServiceError('INVALID_REQUEST', `The body exceeds ${maxBytes} bytes`),
    endedEarly: () => new ServiceError('INVALID_REQUEST', 'The connection closed before the body was complete'),
  };
  const taker = {
    take: async (bytes: Uint8Array) => {
      text += decoder.decode(bytes, { stream: true });
    },
    abort: async () => undefined,
  };
  await receiveBody(c.req.raw, options, taker);
  return text + decoder.decode();
}

/** The parser's message repeats the body, so it is not passed on. */
function jsonOf(text: string): unknown {
  if (isDeeper(text, MAX_DEPTH))
    throw new ServiceError('INVALID_REQUEST', `The body is nested more than ${MAX_DEPTH} levels deep`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'The body is not JSON');
  }
}

/** Whether the brackets of a JSON text are nested deeper than a limit. Those in strings do not count. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isInString && char === '\\') at++;
    else if (char === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
    if (depth > limit) return true;
  }
  return false;
}
