import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import {
  ConversationPatchSchema,
  ConversationQuerySchema,
  FeedbackSchema,
  ReanalysisSchema,
} from '../../contract/conversations.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isEnded } from '../../contract/jobs.ts';
import { underTenant } from '../../contract/options.ts';
import {
  EventsQuerySchema,
  ExportQuerySchema,
  MediaQuerySchema,
  TenantExportQuerySchema,
} from '../../contract/queries.ts';
import { unwrapped } from '../../contract/result.ts';
import {
  exportAnswer,
  levelsAnswer,
  mediaAnswer,
  recordBody,
  requireCompleted,
  resultAnswer,
  tenantStream,
} from '../conversations/answers.ts';
import { type ConversationAddress, edit, requireFound, textUnderThumb, undo } from '../conversations/editing.ts';
import { lastEvent, replayedEvents } from '../conversations/replayed-events.ts';
import { jsonBody } from '../http/json-body.ts';
import { SSE_HEADERS, sseResponse, writtenEvents } from '../http/sse.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { accepted, awaited, prefersAsync } from '../jobs/answers.ts';
import { callerName } from '../keys/admit-analysis.ts';
import { EXPORTS } from '../results/exports/formats.ts';
import { runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Most bytes of a JSON body here: five hundred utterances that are moved. */
const MAX_JSON_BYTES = 256 * 1024;

/** Stored conversations: found, shown, edited, exported, made anew, removed. */
export const conversations = new Hono<AppEnv>()
  .get('/conversations', zValidator('query', ConversationQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await catalogueOf(c).list(c.req.valid('query'))), 200, { 'Cache-Control': 'no-store' }),
  )

  .get('/conversations/export', zValidator('query', TenantExportQuerySchema, rejectInvalid), (c) =>
    c.body(tenantStream(c.env, c.var.tenant, c.req.valid('query').after), 200, NDJSON),
  )

  .get('/conversations/:conversation_id', async (c) => resultAnswer(c, await requireFound(placeOf(c))))

  .get('/conversations/:conversation_id/record', async (c) => recordAnswer(c))

  .get('/conversations/:conversation_id/media', zValidator('query', MediaQuerySchema, rejectInvalid), async (c) =>
    mediaAnswer(c, await completed(c), c.req.valid('query').original === 'true'),
  )

  .get('/conversations/:conversation_id/levels', async (c) => levelsAnswer(c, await completed(c)))

  .get('/conversations/:conversation_id/events', zValidator('query', EventsQuerySchema, rejectInvalid), async (c) =>
    eventsAnswer(c, c.req.valid('query').speed),
  )

  .get('/conversations/:conversation_id/export', zValidator('query', ExportQuerySchema, rejectInvalid), async (c) =>
    exportAnswer(c, await completed(c), EXPORTS[c.req.valid('query').format]),
  )

  .patch('/conversations/:conversation_id', async (c) => {
    const place = placeOf(c);
    const { retention_days: days, ...added } = await jsonBody(c, ConversationPatchSchema, MAX_JSON_BYTES);
    await requireFound(place);
    if (Object.values(added).some((value) => value !== undefined)) await edit(place, added);
    if (days !== undefined) await catalogueOf(c).keep(place.id, days);
    return recordAnswer(c);
  })

  .post('/conversations/:conversation_id/undo', async (c) => {
    await undo(placeOf(c));
    return recordAnswer(c);
  })

  .post('/conversations/:conversation_id/feedback', async (c) => {
    const place = placeOf(c);
    const feedback = await jsonBody(c, FeedbackSchema, MAX_JSON_BYTES);
    const { record } = await requireFound(place);
    const text = await textUnderThumb(place, record, feedback);
    unwrapped(await catalogueOf(c).thumb(place.id, feedback, text, c.var.caller.keyId));
    return recordAnswer(c);
  })

  .post('/conversations/:conversation_id/reanalyze', async (c) => {
    const { tenant, requestId } = c.var;
    const { id } = placeOf(c);
    const changed = await jsonBody(c, ReanalysisSchema, MAX_JSON_BYTES);
    const { suffix, options, lastRun } = await completed(c);
    const last = await tenantOf(c.env, tenant).jobs.read(lastRun);
    if (last && !isEnded(last.status)) throw new ServiceError('NOT_COMPLETED', 'It is being analysed anew already');
    const upload = suffix && (await mediaStore(c.env).head(runKeys(tenant, id, suffix).upload));
    if (!upload) throw new ServiceError('NOT_FOUND', 'The recording is gone');
    const asked = { caller: callerName(c.var.caller), requestId };
    const settings = unwrapped(await tenantOf(c.env, tenant).analysisSettings());
    const anew = await catalogueOf(c).reanalyze(
      id,
      underTenant({ ...options, ...changed }, settings),
      upload.size,
      asked,
    );
    const run = unwrapped(anew);
    return prefersAsync(c) ? accepted(c, run) : awaited(c, run);
  })

  .delete('/conversations/:conversation_id', async (c) =>
    c.json(unwrapped(await catalogueOf(c).remove(placeOf(c).id))),
  );

export const NDJSON = { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' };

const catalogueOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).conversations;

const placeOf = (c: Context<AppEnv>): ConversationAddress => ({
  env: c.env,
  tenant: c.var.tenant,
  id: c.req.param('conversation_id') ?? '',
});

const completed = async (c: Context<AppEnv>) => requireCompleted(await requireFound(placeOf(c)));

const recordAnswer = async (c: Context<AppEnv>): Promise<Response> =>
  c.json(await recordBody(c.env, c.var.tenant, await requireFound(placeOf(c))), 200, { 'Cache-Control': 'no-store' });

async function eventsAnswer(c: Context<AppEnv>, speed: number | undefined): Promise<Response> {
  const record = await completed(c);
  const { tenant } = c.var;
  const after = lastEventId(c.req.header('Last-Event-ID') ?? '');
  // 204 is how a server tells an EventSource that there is nothing more to come back for.
  if (after >= 0 && after >= (await lastEvent(c.env, tenant, record))) return c.body(null, 204);
  if (c.req.raw.method === 'HEAD') return new Response(null, { headers: SSE_HEADERS });
  const leave = new AbortController();
  const signal = AbortSignal.any([c.req.raw.signal, leave.signal]);
  return sseResponse(writtenEvents(replayedEvents(c.env, tenant, record, { after, speed, signal })), () =>
    leave.abort(),
  );
}

function lastEventId(header: string): number {
  if (header === '') return -1;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ServiceError('INVALID_REQUEST', 'Last-Event-ID: must be the id of an event, in decimal digits');
}
