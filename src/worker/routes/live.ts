import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { ControlSchema, LiveStartSchema } from '../../contract/live.ts';
import { extensionOf, LIVE_EXTENSIONS, type MediaExtension } from '../../contract/media.ts';
import type { Result } from '../../contract/result.ts';
import type { AppEnv } from '../env.ts';
import { requireKey } from '../http/auth.ts';
import { receiveUpload } from '../http/upload.ts';
import { firstFault } from '../http/validation.ts';
import { liveLimits } from '../live/limits.ts';
import type { LiveSession } from '../live/session.ts';

/** Suffix of a session that names none (spec: POST /analyze/live/start). */
const DEFAULT_SUFFIX: MediaExtension = '.mp4';
/** Most bytes of a JSON body here. */
const MAX_JSON_BYTES = 64 * 1024;

const ChunkFieldsSchema = z.object({
  chunk_seq: z
    .string('is required')
    .regex(/^\s*\d{1,9}\s*$/, 'must be a whole number from 0')
    .transform(Number),
});

const requireEnabled = createMiddleware<AppEnv>(async (c, next) => {
  if (!liveLimits(c.env).enabled) throw new ServiceError('LIVE_DISABLED');
  await next();
});
const limitJson = bodyLimit({
  maxSize: MAX_JSON_BYTES,
  onError: () => {
    throw new ServiceError('INVALID_REQUEST', `The body is over ${MAX_JSON_BYTES} bytes`);
  },
});

/** Live capture: chunks in, one consumer's events out. */
export const live = new Hono<AppEnv>()
  .use('/analyze/live/*', requireEnabled, requireKey)

  .post('/analyze/live/start', limitJson, async (c) => {
    const { ttlSeconds, graceMs, maxSessionBytes, maxSessionsPerKey } = liveLimits(c.env);
    const ttl = z.number().int().min(ttlSeconds.min).max(ttlSeconds.max).default(ttlSeconds.default);
    const start = await jsonBody(c, LiveStartSchema.extend({ ttl_seconds: ttl }));
    const suffix = start.suffix ?? suffixOf(start.filename);
    const { tenant } = c.var;
    const id = c.env.LIVE.newUniqueId();
    const sessionId = id.toString();
    const quota = c.env.LIVE_QUOTA.get(c.env.LIVE_QUOTA.idFromName(tenant));
    unwrap(await quota.admit(sessionId, maxSessionsPerKey));
    const conversationId = crypto.randomUUID();
    const options = { sessionId, conversationId, tenant, goal: start.goal ?? '', suffix, speakers: start.speakers };
    const limits = { maxBytes: maxSessionBytes, ttlMs: start.ttl_seconds * 1000, graceMs };
    return c.json(await c.env.LIVE.get(id).start(options, limits));
  })

  .post('/analyze/live/:session_id/chunk', async (c) => {
    const { maxChunkBytes } = liveLimits(c.env);
    const session = sessionOf(c);
    const parts: Uint8Array[] = [];
    const upload = await receiveUpload(c.req.raw, {
      fileField: 'chunk',
      maxFileBytes: maxChunkBytes,
      tooLarge: () => new ServiceError('FILE_TOO_LARGE', `chunk: over the limit of ${maxChunkBytes} bytes`),
      open: () => ({
        write: async (part) => void parts.push(part),
        close: async () => undefined,
        abort: async () => undefined,
      }),
    });
    const fields = ChunkFieldsSchema.safeParse(upload.fields);
    if (!fields.success) throw new ServiceError('INVALID_REQUEST', firstFault(fields.error.issues));
    const chunk = {
      seq: fields.data.chunk_seq,
      bytes: joined(parts, upload.size),
      idempotencyKey: c.req.header('Idempotency-Key') ?? null,
    };
    return c.json(unwrap(await session.chunk(c.var.tenant, chunk)));
  })

  .get('/analyze/live/:session_id/events', async (c) => {
    const headers = new Headers({ 'X-Tenant': c.var.tenant });
    const lastEventId = c.req.header('Last-Event-ID');
    if (lastEventId !== undefined) headers.set('Last-Event-ID', lastEventId);
    const response = await sessionOf(c).fetch('http://live/events', { headers });
    if (response.headers.get('Content-Type')?.includes('json')) unwrap((await response.json()) as Result<never>);
    return new Response(response.body, response);
  })

  .post('/analyze/live/:session_id/control', limitJson, async (c) => {
    const control = await jsonBody(c, ControlSchema);
    return c.json(unwrap(await sessionOf(c).control(c.var.tenant, control)));
  });

/**
 * The object of a session. Ids are made by the platform and cannot be guessed, nor made up: another one is unknown
 * before any object is woken.
 */
function sessionOf(c: Context<AppEnv>): DurableObjectStub<LiveSession> {
  try {
    return c.env.LIVE.get(c.env.LIVE.idFromString(c.req.param('session_id') ?? ''));
  } catch {
    throw new ServiceError('UNKNOWN_SESSION');
  }
}

/** An absent body is an empty object. @throws ServiceError INVALID_REQUEST with the path of the first bad field */
async function jsonBody<T extends z.ZodType>(c: Context<AppEnv>, schema: T): Promise<z.output<T>> {
  const text = await c.req.text();
  let json: unknown;
  try {
    json = text.trim() === '' ? {} : JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('INVALID_REQUEST', 'The body is not JSON', { cause });
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new ServiceError('INVALID_REQUEST', firstFault(parsed.error.issues));
  return parsed.data;
}

function suffixOf(filename: string | undefined): MediaExtension {
  const extension = extensionOf(filename ?? '');
  if (extension === '') return DEFAULT_SUFFIX;
  const known = LIVE_EXTENSIONS.find((supported) => supported === extension);
  if (known) return known;
  const detail = `filename: unsupported extension "${extension}"; supported are ${LIVE_EXTENSIONS.join(', ')}`;
  throw new ServiceError('UNSUPPORTED_MEDIA', detail);
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @throws ServiceError what a Durable Object refused */
function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new ServiceError(result.code, result.detail, { retryAfter: result.retryAfter });
}
