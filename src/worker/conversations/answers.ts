import type { Context } from 'hono';
import type { ConversationRecordBody } from '../../contract/conversations.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobBody } from '../../contract/jobs.ts';
import type { MediaExtension } from '../../contract/media.ts';
import { type Served, serveObject } from '../http/serve-object.ts';
import type { AppEnv, Env } from '../identity/env.ts';
import { editedBy } from '../results/edits/edited.ts';
import { type ExportFormat, exportName } from '../results/exports/exported.ts';
import { type StoredRecord, titleOf } from '../results/record.ts';
import { readExported } from '../results/stored-result.ts';
import { runKeys, shownResultKey } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { CONTENT_TYPES } from '../storage/run-objects.ts';
import { entryOf, type Found } from '../tenant/catalogue/catalogue.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** What a browser is told of an upload. */
const MEDIA_TYPES: Record<MediaExtension, string> = {
  '.mp4': 'video/mp4',
  // Browsers refuse the name, and play the thing.
  '.mov': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.pcm': 'application/octet-stream',
};
/** What strangers sent is nothing but media, wherever it is opened. */
const MEDIA_HEADERS = { 'Content-Security-Policy': "default-src 'none'; media-src 'self'; sandbox" };

/** What is known of a conversation beside its result. */
export async function recordBody(env: Env, tenant: string, found: Found): Promise<ConversationRecordBody> {
  const { record } = found;
  const { id, edits, retentionDays, lastRun } = record;
  const again = lastRun === id ? null : await tenantOf(env, tenant).jobs.read(lastRun);
  return {
    ...entryOf(found),
    names: Object.fromEntries(editedBy(edits).names),
    edits,
    retention_days: retentionDays,
    feedback: record.feedback.map(({ kind, on, text, thumb, comment, at }) => ({
      kind,
      on,
      text,
      thumb,
      comment,
      at: new Date(at).toISOString(),
    })),
    reanalysis: again && { ...again, conversation_id: id },
  };
}

/** The result as it is shown; of a conversation without one, how its analysis stands. */
export async function resultAnswer(c: Context<AppEnv>, { record }: Found): Promise<Response> {
  const { tenant } = c.var;
  if (record.status !== 'completed')
    return c.json((await tenantOf(c.env, tenant).jobs.read(record.id)) ?? standing(record), 200, NOT_KEPT);
  return serveResult(c, record, {});
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };

/** How an analysis stands that is no job, a live session's, or one of long ago. */
const standing = (record: StoredRecord): JobBody => ({
  conversation_id: record.id,
  status: record.status === 'processing' ? 'running' : record.status,
  phase: null,
  progress: 0,
  error: record.error,
  kept_until: null,
  created_at: new Date(record.createdAt).toISOString(),
  updated_at: new Date(record.endedAt ?? record.createdAt).toISOString(),
});

const serveResult = (c: Context<AppEnv>, record: StoredRecord, headers: Record<string, string>): Promise<Response> =>
  serveObject(mediaStore(c.env), shownResultKey(c.var.tenant, record), c.req.raw, {
    contentType: 'application/json',
    headers,
  });

/** @throws ServiceError NOT_COMPLETED */
export function requireCompleted({ record }: Found): StoredRecord {
  if (record.status !== 'completed') throw new ServiceError('NOT_COMPLETED');
  return record;
}

/** The recording: a rendition that every browser plays, where there is one and the upload itself is not asked for. */
export async function mediaAnswer(c: Context<AppEnv>, record: StoredRecord, isOriginal: boolean): Promise<Response> {
  const store = mediaStore(c.env);
  const place = runKeys(c.var.tenant, record.run).documents['rendition.webm'];
  if (!isOriginal && (await store.head(place)))
    return serveObject(store, place, c.req.raw, {
      contentType: CONTENT_TYPES['rendition.webm'],
      headers: MEDIA_HEADERS,
    });
  const suffix = record.suffix ?? '.wav';
  const served: Served = { contentType: MEDIA_TYPES[suffix], headers: MEDIA_HEADERS };
  return serveObject(store, runKeys(c.var.tenant, record.id, suffix).upload, c.req.raw, served);
}

export const levelsAnswer = (c: Context<AppEnv>, { run }: StoredRecord): Promise<Response> =>
  serveObject(mediaStore(c.env), runKeys(c.var.tenant, run).documents['levels.json'], c.req.raw, {
    contentType: 'application/json',
  });

/** A conversation as a file. */
export async function exportAnswer(c: Context<AppEnv>, record: StoredRecord, format: ExportFormat): Promise<Response> {
  const { extension, contentType, write } = format;
  const { id: conversationId, createdAt, options, edits } = record;
  const title = titleOf(record);
  const named = `attachment; filename="${exportName({ title, conversationId })}${extension}"`;
  if (!write) return serveResult(c, record, { 'Content-Disposition': named });
  const result = await readExported(mediaStore(c.env), shownResultKey(c.var.tenant, record));
  const pieces = write({
    ...result,
    conversationId,
    title,
    labels: editedBy(edits).labels,
    createdAt: new Date(createdAt).toISOString(),
    goal: options.goal,
  });
  const headers = { 'Content-Type': contentType, 'Content-Disposition': named, 'X-Content-Type-Options': 'nosniff' };
  return c.body(textStream(pieces), 200, { ...headers, 'Cache-Control': 'private, no-cache' });
}

/** Pieces of text go out together: a line at a time is many small writes. */
const PIECE_CHARS = 64 * 1024;

function textStream(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      let text = '';
      while (text.length < PIECE_CHARS) {
        const { done, value } = iterator.next();
        if (!done) text += value;
        else if (text !== '') break;
        else return controller.close();
      }
      controller.enqueue(encoder.encode(text));
    },
  });
}

/** What a tenant has, a conversation a line in order of ids: whoever was cut off goes on after the last whole one. */
export function tenantStream(env: Env, tenant: string, after: string): ReadableStream {
  const lines = tenantLines(env, tenant, after);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await lines.return();
    },
  });
}

const PAGE = 50;

async function* tenantLines(env: Env, tenant: string, after: string): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const store = mediaStore(env);
  for (let last = after; ; ) {
    const ids = await tenantOf(env, tenant).conversations.idsAfter(last, PAGE);
    if (ids.length === 0) return;
    for (const id of ids) {
      const found = await tenantOf(env, tenant).conversations.find(id);
      // Removed meanwhile.
      if (!found) continue;
      yield encoder.encode(`{"conversation":${JSON.stringify(await recordBody(env, tenant, found))},"result":`);
      const { record } = found;
      const result = record.status === 'completed' ? await store.get(shownResultKey(tenant, record)) : null;
      // It is one line, as JSON.stringify writes it.
      if (result) yield* result.body;
      else yield encoder.encode('null');
      yield encoder.encode('}\n');
    }
    last = ids.at(-1)!;
  }
}
