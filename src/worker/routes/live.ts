import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { quoted, ServiceError } from '../../contract/errors.ts';
import { ControlSchema, type LiveSessionBody, LiveStartSchema } from '../../contract/live.ts';
import { extensionOf, LIVE_EXTENSIONS, type MediaExtension } from '../../contract/media.ts';
import { AnalysisOptionsSchema, underTenant } from '../../contract/options.ts';
import { type Result, unwrapped } from '../../contract/result.ts';
import { jsonBody } from '../http/json-body.ts';
import { receiveUpload } from '../http/upload.ts';
import { firstFault } from '../http/validation.ts';
import type { CallerName } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import { fingerprintOf, idempotencyKey, requireSame } from '../jobs/idempotency.ts';
import type { LiveSession } from '../live/session.ts';
import { placeForStart, requirePipeline } from '../pool/place.ts';
import { regionOfClient } from '../pool/regions.ts';
import { inJurisdiction } from '../settings/jurisdiction.ts';
import { settingsOf } from '../settings/settings.ts';
import type { IdempotencyClaim } from '../tenant/jobs/idempotency-claims.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Suffix of a session whose request does not give one (specification: POST /analyze/live/start). */
const DEFAULT_SUFFIX: MediaExtension = '.mp4';
const MAX_JSON_BYTES = 256 * 1024;

const ChunkFieldsSchema = z.object({
  chunk_seq: z
    .string('is required')
    .regex(/^\s*\d{1,9}\s*$/, 'must be a whole number of at least 0')
    .transform(Number),
});

/** Responds with LIVE_DISABLED on every path below `/analyze/live/`, before any other check. */
export const requireLive = createMiddleware<AppEnv>(async (c, next) => {
  if (!settingsOf(c.env).liveEnabled) throw new ServiceError('LIVE_DISABLED');
  await next();
});

/** Live capture: receives chunks and streams events to one consumer. */
export const live = new Hono<AppEnv>()
  .post('/analyze/live/start', async (c) => {
    const settings = settingsOf(c.env);
    const { liveTtlMinSeconds, liveTtlMaxSeconds, liveTtlDefaultSeconds } = settings;
    const ttl = z.number().int().min(liveTtlMinSeconds).max(liveTtlMaxSeconds).default(liveTtlDefaultSeconds);
    const start = await jsonBody(c, LiveStartSchema.extend({ ttl_seconds: ttl }), MAX_JSON_BYTES);
    const suffix = start.suffix ?? suffixOf(start.filename);
    await requirePipeline(c.env);
    const { tenant, keyId, kind, grant } = c.var.caller;
    const caller = { tenant, keyId, kind };
    // Only an id minted as new can be opened. Any other id may belong to another tenant or to an ended session.
    if (grant && grant.makes === undefined) return c.json(unwrapped(await sessionNamed(c, grant.id).read(tenant)));
    const claim = await claimOf(c, start);
    if (claim?.answer) return c.json(JSON.parse(claim.answer) as LiveSessionBody);
    const sessionId = grant?.id ?? claim?.id ?? sessionsOf(c).newUniqueId().toString();
    const session = () => sessionNamed(c, sessionId);
    const region = regionOfClient(c.req.raw.cf as IncomingRequestCfProperties | undefined);
    const once = grant && { id: grant.id, until: grant.expiresAt };
    const admitted = unwrapped(await tenantOf(c.env, tenant).admission.admitSession(sessionId, caller, once));
    const { maxBytes, isOpen } = admitted;
    if (isOpen) return c.json(unwrapped(await session().read(tenant)));
    try {
      await placeForStart(c.env, sessionId, tenant, region);
    } catch (error) {
      await tenantOf(c.env, tenant).admission.withdrawSession(sessionId, once);
      throw error;
    }
    const conversationId = grant?.makes ?? crypto.randomUUID();
    const named = { sessionId, conversationId, requestId: c.var.requestId, tenant, caller, suffix };
    const limits = { maxBytes, ttlMs: start.ttl_seconds * 1000, graceMs: settings.liveGraceSeconds * 1000 };
    const options = {
      ...underTenant(AnalysisOptionsSchema.parse(start), { ...admitted.settings, fixed: grant?.options }),
      ...named,
      filename: start.filename ?? '',
      ...(region && { region }),
      ...(admitted.settings.keepOriginal && { keepsOriginal: true }),
    };
    const body = unwrapped(await session().start(options, limits));
    if (claim) await tenantOf(c.env, tenant).jobs.setAnswer(claim.key, sessionId, JSON.stringify(body));
    return c.json(body);
  })

  .post('/analyze/live/:session_id/chunk', async (c) => {
    const { maxChunkBytes, uploadStallSeconds } = settingsOf(c.env);
    const session = sessionOf(c);
    const parts: Uint8Array[] = [];
    const upload = await receiveUpload(c.req.raw, {
      fileField: 'chunk',
      textFields: Object.keys(ChunkFieldsSchema.shape),
      maxFileBytes: maxChunkBytes,
      stallSeconds: uploadStallSeconds,
      tooLarge: () => new ServiceError('FILE_TOO_LARGE', `chunk: exceeds the limit of ${maxChunkBytes} bytes`),
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
      idempotencyKey: c.req.header('Idempotency-Key') || null,
    };
    return c.json(unwrapped(await session.chunk(c.var.tenant, chunk)));
  })

  // Hono also calls a GET route for HEAD. The session always receives a GET, because it reports a refusal in the body.
  .get('/analyze/live/:session_id/events', async (c) => {
    const { tenant, keyId, kind } = c.var.caller;
    const reader = JSON.stringify({ tenant, keyId, kind } satisfies CallerName);
    const headers = new Headers({ 'X-Caller': reader, 'X-Method': c.req.method });
    const lastEventId = c.req.header('Last-Event-ID');
    if (lastEventId !== undefined) headers.set('Last-Event-ID', lastEventId);
    const response = await sessionOf(c).fetch('http://live/events', { headers });
    if (response.headers.get('Content-Type')?.includes('json')) unwrapped((await response.json()) as Result<never>);
    const shown = new Response(response.body, response);
    c.set('accessed', shown.headers.get('X-Conversation') ?? undefined);
    shown.headers.delete('X-Conversation');
    return shown;
  })

  .post('/analyze/live/:session_id/control', async (c) => {
    const control = await jsonBody(c, ControlSchema, MAX_JSON_BYTES);
    return c.json(unwrapped(await sessionOf(c).control(c.var.tenant, control)));
  });

/**
 * The claim for a start's `Idempotency-Key`. It belongs to an earlier request's session, or to the one that starts now.
 * Undefined without a key, and for a token, which can start only one session anyway.
 * @throws ServiceError KEY_REUSED
 */
async function claimOf(c: Context<AppEnv>, start: object): Promise<(IdempotencyClaim & { key: string }) | undefined> {
  const key = idempotencyKey(c);
  if (key === undefined || c.var.caller.grant) return undefined;
  const fingerprint = await fingerprintOf('POST /analyze/live/start', start);
  const id = sessionsOf(c).newUniqueId().toString();
  const claim = unwrapped(await tenantOf(c.env, c.var.tenant).jobs.claim(key, fingerprint, id));
  requireSame(claim, fingerprint);
  return { ...claim, key };
}

const sessionsOf = (c: Context<AppEnv>) => inJurisdiction(c.env, c.env.LIVE);

/** The object of a session. The platform creates the ids, so an invented id is refused before any object is woken. */
const sessionOf = (c: Context<AppEnv>) => sessionNamed(c, c.req.param('session_id') ?? '');

function sessionNamed(c: Context<AppEnv>, id: string): DurableObjectStub<LiveSession> {
  try {
    const sessions = sessionsOf(c);
    return sessions.get(sessions.idFromString(id));
  } catch {
    throw new ServiceError('UNKNOWN_SESSION');
  }
}

function suffixOf(filename: string | undefined): MediaExtension {
  const extension = extensionOf(filename ?? '');
  if (extension === '') return DEFAULT_SUFFIX;
  const known = LIVE_EXTENSIONS.find((supported) => supported === extension);
  if (known) return known;
  const detail = `filename: unsupported extension "${quoted(extension)}"; supported extensions: ${LIVE_EXTENSIONS.join(', ')}`;
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
