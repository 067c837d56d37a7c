import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import type { ConversationAccess } from '../../contract/access-log.ts';
import {
  type CommentList,
  CommentPatchSchema,
  ConversationPatchSchema,
  ConversationQuerySchema,
  type DeletionReceipt,
  FeedbackSchema,
  NewCommentSchema,
  ReanalysisSchema,
} from '../../contract/conversations.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isEnded } from '../../contract/jobs.ts';
import { underTenant, withoutAffectOf } from '../../contract/options.ts';
import {
  ConversationAccessQuerySchema,
  CourseQuerySchema,
  EventsQuerySchema,
  ExportQuerySchema,
  MediaQuerySchema,
  TenantExportQuerySchema,
} from '../../contract/queries.ts';
import { inOrder } from '../../contract/redaction.ts';
import { unwrapped } from '../../contract/result.ts';
import {
  commentBody,
  courseResponse,
  exportResponse,
  levelsResponse,
  mediaResponse,
  originalResponse,
  recordBody,
  requireCompleted,
  resultResponse,
  tenantStream,
  unredactedResponse,
} from '../conversations/answers.ts';
import { type ConversationAddress, edit, requireFound, textOfFeedback, undo } from '../conversations/editing.ts';
import { proposalsOf } from '../conversations/proposals.ts';
import { lastEventId, replayedEvents } from '../conversations/replayed-events.ts';
import { jsonBody } from '../http/json-body.ts';
import { SSE_HEADERS, sseResponse, writtenEvents } from '../http/sse.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { acceptedResponse, endedResult, prefersAsync } from '../jobs/answers.ts';
import { callerName } from '../keys/admit-analysis.ts';
import { receiptSigner } from '../keys/receipts.ts';
import { callerTitle, keyIdOf, visitorId } from '../keys/token.ts';
import { editedBy, hiddenLabels } from '../results/edits/edited.ts';
import { EXPORTS } from '../results/exports/formats.ts';
import { runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. It is enough to move 500 utterances. */
const MAX_JSON_BYTES = 256 * 1024;

/** Stored conversations: list, read, edit, export, analyse again, delete. */
export const conversations = new Hono<AppEnv>()
  .get('/conversations', zValidator('query', ConversationQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await catalogueOf(c).list(c.req.valid('query'))), 200, { 'Cache-Control': 'no-store' }),
  )

  .get('/conversations/export', zValidator('query', TenantExportQuerySchema, rejectInvalid), (c) =>
    c.body(tenantStream(c.env, c.var.tenant, c.req.valid('query').after), 200, NDJSON),
  )

  .get('/conversations/:conversation_id', async (c) => resultResponse(c, await requireFound(addressOf(c))))

  .get('/conversations/:conversation_id/record', async (c) => recordResponse(c))

  .get('/conversations/:conversation_id/media', zValidator('query', MediaQuerySchema, rejectInvalid), async (c) =>
    mediaResponse(c, await completedRecord(c), c.req.valid('query').original === 'true'),
  )

  .get('/conversations/:conversation_id/unredacted', async (c) => unredactedResponse(c, await completedRecord(c)))

  .get('/conversations/:conversation_id/unredacted/media', async (c) => originalResponse(c, await completedRecord(c)))

  .get('/conversations/:conversation_id/levels', async (c) => levelsResponse(c, await completedRecord(c)))

  .get('/conversations/:conversation_id/course', zValidator('query', CourseQuerySchema, rejectInvalid), async (c) =>
    courseResponse(c, await completedRecord(c), c.req.valid('query').window),
  )

  .get('/conversations/:conversation_id/events', zValidator('query', EventsQuerySchema, rejectInvalid), async (c) =>
    eventsResponse(c, c.req.valid('query').speed),
  )

  .get('/conversations/:conversation_id/export', zValidator('query', ExportQuerySchema, rejectInvalid), async (c) =>
    exportResponse(c, await completedRecord(c), EXPORTS[c.req.valid('query').format]),
  )

  .patch('/conversations/:conversation_id', async (c) => {
    const address = addressOf(c);
    const { retention_days: days, reviewed, ...added } = await jsonBody(c, ConversationPatchSchema, MAX_JSON_BYTES);
    await requireFound(address);
    if (Object.values(added).some((value) => value !== undefined)) await edit(address, added);
    if (days !== undefined) await catalogueOf(c).setRetention(address.id, days);
    if (reviewed !== undefined) await catalogueOf(c).setReviewed(address.id, reviewed);
    return recordResponse(c);
  })

  .post('/conversations/:conversation_id/undo', async (c) => {
    await undo(addressOf(c));
    return recordResponse(c);
  })

  .post('/conversations/:conversation_id/feedback', async (c) => {
    const address = addressOf(c);
    const feedback = await jsonBody(c, FeedbackSchema, MAX_JSON_BYTES);
    const { record } = await requireFound(address);
    const text = await textOfFeedback(address, record, feedback);
    unwrapped(await catalogueOf(c).giveFeedback(address.id, feedback, text, c.var.caller.keyId));
    return recordResponse(c);
  })

  .get('/conversations/:conversation_id/comments', async (c) => {
    const { comments = [] } = (await requireFound(addressOf(c))).record;
    return c.json({ comments: comments.map(commentBody) } satisfies CommentList, 200, { 'Cache-Control': 'no-store' });
  })

  .post('/conversations/:conversation_id/comments', async (c) => {
    const { tenant, keyId: id } = c.var.caller;
    const comment = await jsonBody(c, NewCommentSchema, MAX_JSON_BYTES);
    const added = await catalogueOf(c).comment(addressOf(c).id, comment, keyIdOf({ tenant, id }));
    return c.json(commentBody(unwrapped(added)), 201);
  })

  .patch('/conversations/:conversation_id/comments/:comment_id', async (c) => {
    const { text } = await jsonBody(c, CommentPatchSchema, MAX_JSON_BYTES);
    const changed = await catalogueOf(c).changeComment(addressOf(c).id, commentIdOf(c), text);
    return c.json(commentBody(unwrapped(changed)));
  })

  .delete('/conversations/:conversation_id/comments/:comment_id', async (c) => {
    unwrapped(await catalogueOf(c).removeComment(addressOf(c).id, commentIdOf(c)));
    return c.body(null, 204);
  })

  .get('/conversations/:conversation_id/proposals', async (c) =>
    c.json(await proposalsOf(addressOf(c), await completedRecord(c)), 200, { 'Cache-Control': 'no-store' }),
  )

  .get(
    '/conversations/:conversation_id/access',
    zValidator('query', ConversationAccessQuerySchema, rejectInvalid),
    async (c) => {
      const { tenant } = c.var;
      const { id } = addressOf(c);
      const { entries, next_cursor } = unwrapped(await tenantOf(c.env, tenant).accessOf(id, c.req.valid('query')));
      const shown = entries.map((entry) => ({ ...entry, key_id: visitorId(tenant, entry.key_id) }));
      return c.json({ entries: shown, next_cursor } satisfies ConversationAccess, 200, {
        'Cache-Control': 'no-store',
      });
    },
  )

  .post('/conversations/:conversation_id/reanalyze', async (c) => {
    const { tenant, requestId } = c.var;
    const { id } = addressOf(c);
    const changed = await jsonBody(c, ReanalysisSchema, MAX_JSON_BYTES);
    const { suffix, options, lastRun, edits, createdAt } = await completedRecord(c);
    const last = await tenantOf(c.env, tenant).jobs.read(lastRun);
    if (last && !isEnded(last.status))
      throw new ServiceError('NOT_COMPLETED', 'A new analysis of this conversation is already running');
    const upload = suffix && (await mediaStore(c.env).head(runKeys(tenant, id, suffix).upload));
    if (!upload) throw new ServiceError('NOT_FOUND', 'The recording no longer exists');
    const request = { caller: callerName(c.var.caller), requestId };
    const settings = unwrapped(await tenantOf(c.env, tenant).analysisSettings());
    // Hidden affect is not measured again either, unless the request sets a mode for it.
    const affect = withoutAffectOf(options.affect, hiddenLabels(editedBy(edits)));
    // The kinds of the earlier analysis stay redacted.
    const redact = inOrder([...(options.redact ?? []), ...(changed.redact ?? [])]);
    const begun = await catalogueOf(c).reanalyze(
      id,
      underTenant(
        {
          recorded_at: new Date(createdAt).toISOString(),
          ...options,
          affect,
          ...changed,
          ...(redact.length > 0 && { redact }),
        },
        settings,
      ),
      upload.size,
      request,
    );
    const run = unwrapped(begun);
    return prefersAsync(c) ? acceptedResponse(c, run) : endedResult(c, run);
  })

  .delete('/conversations/:conversation_id', async (c) => {
    const { tenant } = c.var.caller;
    const deleted_by = callerTitle(c.var.caller);
    const sign = await receiptSigner(c.env);
    const deletion = unwrapped(await catalogueOf(c).remove(addressOf(c).id, deleted_by));
    return c.json((await sign(deletion, { tenant, deleted_by })) satisfies DeletionReceipt);
  });

export const NDJSON = { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' };

const catalogueOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).conversations;

const addressOf = (c: Context<AppEnv>): ConversationAddress => ({
  env: c.env,
  tenant: c.var.tenant,
  id: c.req.param('conversation_id') ?? '',
});

const commentIdOf = (c: Context<AppEnv>): string => c.req.param('comment_id') ?? '';

const completedRecord = async (c: Context<AppEnv>) => requireCompleted(await requireFound(addressOf(c)));

const recordResponse = async (c: Context<AppEnv>): Promise<Response> =>
  c.json(await recordBody(c.env, c.var.tenant, await requireFound(addressOf(c))), 200, { 'Cache-Control': 'no-store' });

async function eventsResponse(c: Context<AppEnv>, speed: number | undefined): Promise<Response> {
  const record = await completedRecord(c);
  const { tenant } = c.var;
  const after = cursorIn(c.req.header('Last-Event-ID') ?? '');
  // 204 stops an EventSource from reconnecting.
  if (after >= 0 && after >= (await lastEventId(c.env, tenant, record))) return c.body(null, 204);
  if (c.req.raw.method === 'HEAD') return new Response(null, { headers: SSE_HEADERS });
  const leave = new AbortController();
  const signal = AbortSignal.any([c.req.raw.signal, leave.signal]);
  return sseResponse(writtenEvents(replayedEvents(c.env, tenant, record, { after, speed, signal })), () =>
    leave.abort(),
  );
}

function cursorIn(header: string): number {
  if (header === '') return -1;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ServiceError('INVALID_REQUEST', 'Last-Event-ID: must be the id of an event, in decimal digits');
}
