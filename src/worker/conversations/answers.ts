import type { Context } from 'hono';
import * as z from 'zod';
import type { ExportedFile } from '../../contract/batch.ts';
import type { CommentBody, ConversationRecordBody } from '../../contract/conversations.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JobBody } from '../../contract/jobs.ts';
import type { Levels, MediaExtension } from '../../contract/media.ts';
import { type Unredacted, type UnredactedUtterance, UnredactedUtteranceSchema } from '../../contract/redaction.ts';
import { type Served, serveObject } from '../http/serve-object.ts';
import type { AppEnv, Env } from '../identity/env.ts';
import { queueOf } from '../pool/place.ts';
import { type CourseResult, courseOf } from '../results/course.ts';
import { editedBy, rolesOf } from '../results/edits/edited.ts';
import { peopleOf } from '../results/edits/people.ts';
import { type Exported, type ExportFormat, exportName } from '../results/exports/exported.ts';
import { cutRecording, cutWebm } from '../results/piece-sound.ts';
import { type StoredComment, type StoredRecord, titleOf } from '../results/record.ts';
import { readCourse, readExported } from '../results/stored-result.ts';
import { runKeys, shownResultKey, unredactedPrefix } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { CONTENT_TYPES } from '../storage/run-objects.ts';
import { entryOf, type Found } from '../tenant/catalogue/catalogue.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** `Content-Type` of a recording, by extension. */
const MEDIA_TYPES: Record<MediaExtension, string> = {
  '.mp4': 'video/mp4',
  // Browsers refuse `video/quicktime`, but can play the file.
  '.mov': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.flac': 'audio/flac',
  '.pcm': 'application/octet-stream',
};
/** Serves a client's file as media only: wherever it is opened, none of its scripts run. */
const MEDIA_HEADERS = { 'Content-Security-Policy': "default-src 'none'; media-src 'self'; sandbox" };

/** The record of a conversation without its result. */
export async function recordBody(env: Env, tenant: string, found: Found): Promise<ConversationRecordBody> {
  const { record } = found;
  const { id, edits, retentionDays, lastRun } = record;
  const edited = editedBy(edits, record.people);
  const [last, rules] = await Promise.all([
    tenantOf(env, tenant).jobs.read(lastRun),
    tenantOf(env, tenant).rules.of(id),
  ]);
  const repeated = lastRun === id ? null : last;
  const entry = entryOf(found);
  return {
    ...entry,
    status: entry.status === 'running' && last?.status === 'queued' ? 'queued' : entry.status,
    names: Object.fromEntries(edited.names),
    people: peopleOf(edited, record.people),
    roles: Object.fromEntries(edited.ownRoles),
    hidden_affect: [...edited.hidden],
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
    comments: (record.comments ?? []).map(commentBody),
    ...(rules.length > 0 && { rules }),
    reanalysis: repeated && { ...repeated, conversation_id: id },
  };
}

export const commentBody = ({ id, at, text, key, createdAt, changedAt }: StoredComment): CommentBody => ({
  comment_id: id,
  at,
  text,
  key,
  created_at: new Date(createdAt).toISOString(),
  changed_at: changedAt === null ? null : new Date(changedAt).toISOString(),
});

/** The result with its edits, or the status of the analysis when there is no result. */
export async function resultResponse(c: Context<AppEnv>, { record }: Found): Promise<Response> {
  if (record.status === 'completed') return serveResult(c, record, {});
  const { jobs, conversations } = tenantOf(c.env, c.var.tenant);
  const job = (await jobs.read(record.id)) ?? statusOf(record);
  if (job.status === 'queued')
    return c.json({ ...job, ...(await queueOf(c.env, record.id, c.var.tenant)) }, 200, NO_STORE);
  if (job.status !== 'completed') return c.json(job, 200, NO_STORE);
  // The analysis completed after the record was read.
  const found = await conversations.find(record.id);
  if (!found) throw new ServiceError('NOT_FOUND', 'Unknown conversation');
  return serveResult(c, found.record, {});
}

const NO_STORE = { 'Cache-Control': 'no-store' };

/** The status of an analysis without a job: one from a live session, or one whose job was removed. */
const statusOf = (record: StoredRecord): JobBody => ({
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

/**
 * The recording: the rendition, which every browser plays, unless there is none or the client asked for the original.
 */
export async function mediaResponse(c: Context<AppEnv>, record: StoredRecord, isOriginal: boolean): Promise<Response> {
  const store = mediaStore(c.env);
  const rendition = runKeys(c.var.tenant, record.run).documents['rendition.webm'];
  if (!isOriginal && (await store.head(rendition)))
    return serveObject(store, rendition, c.req.raw, {
      contentType: CONTENT_TYPES['rendition.webm'],
      hasRanges: true,
      headers: MEDIA_HEADERS,
    });
  const suffix = record.suffix ?? '.wav';
  const served: Served = { contentType: MEDIA_TYPES[suffix], hasRanges: true, headers: MEDIA_HEADERS };
  return serveObject(store, runKeys(c.var.tenant, record.id, suffix).upload, c.req.raw, served);
}

/** The words that redactions of a conversation removed, where they are kept. @throws ServiceError NOT_FOUND */
export async function unredactedResponse(c: Context<AppEnv>, { id }: StoredRecord): Promise<Response> {
  const store = mediaStore(c.env);
  const utterances: UnredactedUtterance[] = [];
  let isKept = false;
  let hasRecording = false;
  for await (const { key } of store.list(unredactedPrefix(c.var.tenant, id))) {
    isKept = true;
    if (!key.endsWith('.json')) hasRecording = true;
    const words = key.endsWith('.json') ? await store.get(key) : null;
    if (words) utterances.push(...z.array(UnredactedUtteranceSchema).parse(await new Response(words.body).json()));
  }
  if (!isKept) throw new ServiceError('NOT_FOUND', 'Nothing unredacted of this conversation is kept');
  const sorted = utterances.sort((a, b) => a.t_start - b.t_start);
  const body: Unredacted = { conversation_id: id, utterances: sorted, has_recording: hasRecording };
  return c.json(body, 200, NO_STORE);
}

/** The recording before its redaction, where it is kept. @throws ServiceError NOT_FOUND */
export async function originalResponse(c: Context<AppEnv>, { id, suffix }: StoredRecord): Promise<Response> {
  const store = mediaStore(c.env);
  const { original } = runKeys(c.var.tenant, id, suffix ?? '.wav');
  if (!(await store.head(original)))
    throw new ServiceError('NOT_FOUND', 'The recording before its redaction is not kept');
  const headers = { ...MEDIA_HEADERS, ...NO_STORE };
  return serveObject(store, original, c.req.raw, {
    contentType: MEDIA_TYPES[suffix ?? '.wav'],
    hasRanges: true,
    headers,
  });
}

/**
 * The sound of a piece of a recording and nothing else of it. Times are seconds.
 * @throws ServiceError NOT_FOUND, also for a format that cannot be cut
 */
export async function pieceResponse(
  c: Context<AppEnv>,
  { id, run, suffix }: StoredRecord,
  span: { from: number; to: number },
): Promise<Response> {
  const store = mediaStore(c.env);
  const { tenant } = c.var;
  const rendition = runKeys(tenant, run).documents['rendition.webm'];
  const piece =
    (await cutWebm(store, rendition, span)) ??
    (suffix && (await cutRecording(store, runKeys(tenant, id, suffix).upload, suffix, span)));
  if (!piece)
    throw new ServiceError('NOT_FOUND', 'A recording in this format cannot be cut, so only its words are shared');
  return c.body(piece.body, 200, { ...MEDIA_HEADERS, 'Content-Type': piece.contentType, 'Cache-Control': 'no-store' });
}

export const levelsResponse = (c: Context<AppEnv>, { run }: StoredRecord): Promise<Response> =>
  serveObject(mediaStore(c.env), runKeys(c.var.tenant, run).documents['levels.json'], c.req.raw, {
    contentType: 'application/json',
  });

/** Affect, pitch and level over time, for the result with its edits. Computed for each request and not stored. */
export async function courseResponse(c: Context<AppEnv>, record: StoredRecord, windowS: number): Promise<Response> {
  const store = mediaStore(c.env);
  const result = await readCourse(store, shownResultKey(c.var.tenant, record));
  const stored = await store.get(runKeys(c.var.tenant, record.run).documents['levels.json']);
  const levels = stored && ((await new Response(stored.body).json()) as Levels);
  const pieces = courseText(record.id, windowS, result, levels);
  return c.body(textStream(pieces), 200, { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-cache' });
}

/**
 * The JSON of a `Course`, in pieces. As objects, the windows of a recording of several hours would not fit in memory.
 */
function* courseText(id: string, windowS: number, result: CourseResult, levels: Levels | null): Generator<string> {
  const { notes, entries } = courseOf(result, levels, windowS);
  const head = { conversation_id: id, window_s: windowS, duration_s: result.media.duration_s, notes };
  yield `${JSON.stringify(head).slice(0, -1)},"course":[`;
  let separator = '';
  for (const entry of entries) {
    yield `${separator}${JSON.stringify(entry)}`;
    separator = ',';
  }
  yield ']}';
}

/** A conversation as a file in an export format. */
export async function exportResponse(
  c: Context<AppEnv>,
  record: StoredRecord,
  format: ExportFormat,
): Promise<Response> {
  const { contentType, write } = format;
  const disposition = `attachment; filename="${exportedName(record, format)}"`;
  if (!write) return serveResult(c, record, { 'Content-Disposition': disposition });
  const pieces = write(await exportedOf(c.env, c.var.tenant, record));
  const headers = {
    'Content-Type': contentType,
    'Content-Disposition': disposition,
    'X-Content-Type-Options': 'nosniff',
  };
  return c.body(textStream(pieces), 200, { ...headers, 'Cache-Control': 'private, no-cache' });
}

const exportedName = (record: StoredRecord, { extension }: ExportFormat): string =>
  `${exportName({ title: titleOf(record), conversationId: record.id })}${extension}`;

async function exportedOf(env: Env, tenant: string, record: StoredRecord): Promise<Exported> {
  const { id: conversationId, createdAt, options, edits, people } = record;
  const result = await readExported(mediaStore(env), shownResultKey(tenant, record));
  const edited = editedBy(edits, people);
  return {
    ...result,
    conversationId,
    title: titleOf(record),
    labels: edited.labels,
    roles: rolesOf(edited, result.roles),
    createdAt: new Date(createdAt).toISOString(),
    goal: options.goal,
  };
}

/** Conversations as files in an export format, each a line of NDJSON with the text of the file. */
export const filesStream = (env: Env, tenant: string, ids: readonly string[], format: ExportFormat): ReadableStream =>
  byteStream(fileLines(env, tenant, ids, format));

async function* fileLines(
  env: Env,
  tenant: string,
  ids: readonly string[],
  format: ExportFormat,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (const id of ids) {
    const found = await tenantOf(env, tenant).conversations.find(id);
    const text = found?.record.status === 'completed' ? await fileText(env, tenant, found.record, format) : null;
    if (!found || !text) {
      const { code, detail } = new ServiceError(found ? 'NOT_COMPLETED' : 'NOT_FOUND');
      const error = { code, message: detail };
      const line = { conversation_id: id, filename: null, content: null, error } satisfies ExportedFile;
      yield encoder.encode(`${JSON.stringify(line)}\n`);
      continue;
    }
    const head = JSON.stringify({ conversation_id: id, error: null, filename: exportedName(found.record, format) });
    yield encoder.encode(`${head.slice(0, -1)},"content":"`);
    // The text of an escaped string, without its quotation marks. Pieces may divide a surrogate pair.
    for await (const piece of text) yield encoder.encode(JSON.stringify(piece).slice(1, -1));
    yield encoder.encode('"}\n');
  }
}

/** The text of a file in pieces; null if it no longer exists. */
async function fileText(
  env: Env,
  tenant: string,
  record: StoredRecord,
  { write }: ExportFormat,
): Promise<AsyncIterable<string> | null> {
  const stored = write ? null : await mediaStore(env).get(shownResultKey(tenant, record));
  const bytes = write ? textStream(write(await exportedOf(env, tenant, record))) : stored?.body;
  return bytes?.pipeThrough(new TextDecoderStream()) ?? null;
}

/** Size of the chunks that text is collected into, to avoid many small writes. */
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

/**
 * All conversations of a tenant as NDJSON, ordered by id, so that an interrupted client can resume after the last id it
 * received.
 */
export const tenantStream = (env: Env, tenant: string, after: string): ReadableStream =>
  byteStream(tenantLines(env, tenant, after));

/** A stream of what a generator yields, as it is read. */
export function byteStream(lines: AsyncGenerator<Uint8Array, void>): ReadableStream {
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
      // The conversation was removed in the meantime.
      if (!found) continue;
      yield encoder.encode(`{"conversation":${JSON.stringify(await recordBody(env, tenant, found))},"result":`);
      const { record } = found;
      const result = record.status === 'completed' ? await store.get(shownResultKey(tenant, record)) : null;
      // The stored JSON contains no line breaks.
      if (result) yield* result.body;
      else yield encoder.encode('null');
      yield encoder.encode('}\n');
    }
    last = ids.at(-1)!;
  }
}
