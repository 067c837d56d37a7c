import { type Context, Hono } from 'hono';
import type * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { underTenant } from '../../contract/options.ts';
import { unwrapped } from '../../contract/result.ts';
import { NewUploadSchema, StoredPartSchema, type UploadBody } from '../../contract/uploads.ts';
import { fileTooLarge } from '../analysis/recording.ts';
import { supportedExtension } from '../analysis/recording-format.ts';
import { jsonBody } from '../http/json-body.ts';
import type { AppEnv } from '../identity/env.ts';
import { acceptedResponse, endedResult, prefersAsync } from '../jobs/answers.ts';
import { fingerprintOf, idempotencyKey, requireSame } from '../jobs/idempotency.ts';
import { type AdmittedAnalysis, admitAnalysis, callerName } from '../keys/admit-analysis.ts';
import { settingsOf } from '../settings/settings.ts';
import { runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { presignedPart, s3Access } from '../storage/presigned.ts';
import { jobOfUpload } from '../tenant/jobs/job.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { partBytesFor, partCount, sizeOfPart, type UploadState, wholeUpload } from '../tenant/upload-table.ts';
import { assemble, multipartOf, partNumber, receivePart } from '../uploads/parts.ts';

const MAX_JSON_BYTES = 64 * 1024;

/** Uploads in parts, through this service or directly to the store. */
export const uploads = new Hono<AppEnv>()
  .post('/uploads', async (c) => {
    const body = await jsonBody(c, NewUploadSchema, MAX_JSON_BYTES);
    const opened = await openedByToken(c, body);
    if (opened) return openedResponse(c, opened);
    const admitted = await admitAnalysis(c.env, c.var.caller);
    try {
      return await open(c, body, admitted);
    } finally {
      await admitted.leave();
    }
  })

  .get('/uploads/:upload_id', async (c) => c.json(await bodyOf(c, await uploadOf(c))))

  .delete('/uploads/:upload_id', async (c) => {
    unwrapped(await jobsOf(c).uploads.abort(c.req.param('upload_id')));
    return c.body(null, 204);
  })

  .put('/uploads/:upload_id/parts/:number', async (c) => {
    // Counts as a running upload until the part is received.
    const admitted = await admitAnalysis(c.env, c.var.caller, true);
    try {
      const upload = await uploadOf(c);
      const number = partNumber(c.req.param('number'), upload);
      const bytes = sizeOfPart(upload, number);
      const multipart = multipartOf(c.env, c.var.tenant, upload);
      const part = await receivePart(c.req.raw, c.env, multipart, number, bytes);
      unwrapped(await jobsOf(c).uploads.addPart(upload.id, part));
      return c.json({ number, bytes });
    } finally {
      await admitted.leave();
    }
  })

  .post('/uploads/:upload_id/parts/:number', async (c) => {
    const upload = await uploadOf(c);
    const number = partNumber(c.req.param('number'), upload);
    const { etag } = await jsonBody(c, StoredPartSchema, MAX_JSON_BYTES);
    // A part sent here would replace a part that the store received directly.
    if (!upload.isPresigned)
      throw new ServiceError(
        'INVALID_REQUEST',
        'This upload has no presigned URLs: send each part to this service with PUT',
      );
    // The store's ETag header has quotation marks.
    unwrapped(await jobsOf(c).uploads.addPart(upload.id, { number, etag: etag.replace(/^"|"$/g, '') }));
    return c.json({ number, bytes: sizeOfPart(upload, number) });
  })

  .post('/uploads/:upload_id/complete', async (c) => {
    const { tenant } = c.var;
    const id = c.req.param('upload_id');
    const open = await jobsOf(c).uploads.read(id);
    // A completed upload has become a conversation.
    if (!open.ok && !(await jobsOf(c).read(id))) throw new ServiceError('NOT_FOUND', 'Unknown upload');
    if (open.ok) {
      const { settings } = await admittedNow(c);
      const { suffix, bytes, options, filename } = open.value;
      await assemble(c.env, tenant, open.value);
      const recording = { ...underTenant(options, settings), runId: id, suffix, keys: runKeys(tenant, id, suffix) };
      const sent = { mode: 'batch', filename } as const;
      const { requestId } = c.var;
      const job = jobOfUpload(recording, bytes, { caller: callerName(c.var.caller), requestId, sent });
      unwrapped(await jobsOf(c).begin(job, false));
    }
    return prefersAsync(c) ? acceptedResponse(c, id) : endedResult(c, id);
  });

const jobsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).jobs;

/** Opens an upload, or finds the upload or recording that an earlier request opened. This uses up a token. */
async function open(
  c: Context<AppEnv>,
  body: z.output<typeof NewUploadSchema>,
  { maxFileBytes, received }: AdmittedAnalysis,
): Promise<Response> {
  const { filename, bytes, presigned: isPresigned, ...options } = body;
  const suffix = supportedExtension(filename);
  if (bytes > maxFileBytes) throw fileTooLarge(maxFileBytes);
  if (isPresigned && !s3Access(settingsOf(c.env)))
    throw new ServiceError('INVALID_REQUEST', 'presigned: this deployment does not offer presigned URLs');
  const id = c.var.caller.grant?.id ?? (await claimedId(c, await fingerprintOf('POST /uploads', body)));
  const known = await jobsOf(c).uploads.read(id);
  if (known.ok) return openedResponse(c, known.value);
  const announced = { id, filename, suffix, bytes, partBytes: partBytesFor(bytes), isPresigned, options };
  // The upload has become a recording, which another upload would overwrite.
  if (await jobsOf(c).read(id))
    return c.json(await bodyOf(c, wholeUpload(announced, Date.now())), 201, { Location: `/conversations/${id}` });
  const { upload: key } = runKeys(c.var.tenant, id, suffix);
  const multipart = await mediaStore(c.env).createMultipartUpload(key);
  const opened = { ...announced, multipartId: multipart.id };
  const result = await jobsOf(c).uploads.open(opened);
  // The upload was refused, or a concurrent request with the same Idempotency-Key opened it.
  if (!result.ok || result.value.multipartId !== multipart.id) await multipart.abort();
  const upload = unwrapped(result);
  received(true);
  return openedResponse(c, upload);
}

const openedResponse = async (c: Context<AppEnv>, upload: UploadState): Promise<Response> =>
  c.json(await bodyOf(c, upload), 201, { Location: `/uploads/${upload.id}` });

/**
 * The upload that the caller's token has already opened. A repeated request must not be refused just because the token
 * is used up. Null if there is no upload.
 * @throws ServiceError INVALID_KEY for another file
 */
async function openedByToken(
  c: Context<AppEnv>,
  { filename, bytes }: z.output<typeof NewUploadSchema>,
): Promise<UploadState | null> {
  const { grant } = c.var.caller;
  const known = grant && (await jobsOf(c).uploads.read(grant.id));
  if (!known?.ok) return null;
  if (known.value.filename === filename && known.value.bytes === bytes) return known.value;
  throw new ServiceError('INVALID_KEY', 'This token has already been used');
}

/**
 * The caller's current limits.
 * @throws ServiceError RATE_LIMITED when the caller may not send a file now
 */
async function admittedNow(c: Context<AppEnv>): Promise<AdmittedAnalysis> {
  const admitted = await admitAnalysis(c.env, c.var.caller, true);
  await admitted.leave();
  return admitted;
}

/** @throws ServiceError NOT_FOUND */
const uploadOf = async (c: Context<AppEnv>): Promise<UploadState> =>
  unwrapped(await jobsOf(c).uploads.read(c.req.param('upload_id') ?? ''));

/** Id of the upload that this request opens, or that an earlier request with the same `Idempotency-Key` opened. */
async function claimedId(c: Context<AppEnv>, fingerprint: string): Promise<string> {
  const id = crypto.randomUUID();
  const key = idempotencyKey(c);
  if (key === undefined) return id;
  const claim = unwrapped(await jobsOf(c).claim(key, fingerprint, id));
  requireSame(claim, fingerprint);
  return claim.id;
}

async function bodyOf(c: Context<AppEnv>, upload: UploadState): Promise<UploadBody> {
  const { id, filename, bytes, partBytes, parts, expiresAt, isPresigned } = upload;
  const body = {
    id,
    filename,
    bytes,
    part_bytes: partBytes,
    part_count: partCount(upload),
    parts: parts.map(({ number }) => ({ number, bytes: sizeOfPart(upload, number) })),
    expires_at: new Date(expiresAt).toISOString(),
  };
  return isPresigned ? { ...body, part_urls: await partUrls(c, upload) } : body;
}

/** Presigned URLs of the missing parts. */
async function partUrls(c: Context<AppEnv>, upload: UploadState): Promise<{ number: number; url: string }[]> {
  const s3 = s3Access(settingsOf(c.env));
  if (!s3) return [];
  const { upload: key } = runKeys(c.var.tenant, upload.id, upload.suffix);
  const received = new Set(upload.parts.map(({ number }) => number));
  const numbers = Array.from({ length: partCount(upload) }, (_, i) => i + 1).filter((number) => !received.has(number));
  return Promise.all(
    numbers.map(async (number) => ({ number, url: await presignedPart(s3, key, upload.multipartId, number) })),
  );
}
