import type { Context } from 'hono';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { KeptUploadSchema, type RemoteFileBody, RemoteFileSchema } from '../../contract/jobs.ts';
import { underTenant } from '../../contract/options.ts';
import { unwrapped } from '../../contract/result.ts';
import { unknownName } from '../../contract/unknown-names.ts';
import { type ReceivedRecording, receiveRecording } from '../analysis/recording.ts';
import { nameOfRemote } from '../analysis/remote-file.ts';
import { isJson, jsonBody } from '../http/json-body.ts';
import { validated } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { type AdmittedAnalysis, admitAnalysis } from '../keys/admit-analysis.ts';
import { settingsOf } from '../settings/settings.ts';
import { mediaStore } from '../storage/media-store.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import { targetOf } from '../targets/reach.ts';
import type { IdempotencyClaim } from '../tenant/jobs/idempotency-claims.ts';
import { type JobRequest, jobOfUpload } from '../tenant/jobs/job.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { fingerprintOf, requireSame } from './idempotency.ts';

/** Size limit of a JSON body that starts an analysis, bytes. */
const MAX_JSON_BYTES = 256 * 1024;
const ROUTE = 'POST /analyze';

/** The recording of a request: a file at a URL, a conversation with a retained upload, or the file in a form. */
export interface Source {
  file?: RemoteFileBody;
  earlier?: string;
}

/** @throws ServiceError INVALID_REQUEST */
export const remoteFile = async (c: Context<AppEnv>): Promise<Source> => ({
  file: await jsonBody(c, RemoteFileSchema, MAX_JSON_BYTES),
});

/** @throws ServiceError INVALID_REQUEST */
export const keptUpload = async (c: Context<AppEnv>): Promise<Source> => ({
  earlier: (await jsonBody(c, KeptUploadSchema, MAX_JSON_BYTES)).conversation_id,
});

/**
 * Reads a request whose body is a form or one of the two kinds of JSON. A body that is not JSON is parsed as a form.
 * @throws ServiceError INVALID_REQUEST
 */
export async function anySource(c: Context<AppEnv>): Promise<Source> {
  if (!isJson(c.req.raw)) return {};
  const body = await jsonBody(c, z.looseObject({}), MAX_JSON_BYTES);
  const known = Object.keys({ ...KeptUploadSchema.shape, ...RemoteFileSchema.shape });
  const unknown = unknownName('field', Object.keys(body), known);
  if (unknown !== undefined) throw new ServiceError('INVALID_REQUEST', unknown);
  if ('conversation_id' in body) return { earlier: validated(KeptUploadSchema, body).conversation_id };
  return { file: validated(RemoteFileSchema, body) };
}

/**
 * Repeats a job that failed because of an infrastructure fault. A job that is running, or that ended differently, is
 * left alone, and the caller waits for it as for a new one.
 * @throws ServiceError NOT_FOUND when the caller has no such job, ON_HOLD, FORBIDDEN for a token of another upload
 */
export async function retryJob(c: Context<AppEnv>, runId: string): Promise<void> {
  const { tenant, grant } = c.var.caller;
  if (grant && grant.id !== runId)
    throw new ServiceError('FORBIDDEN', `This token is only valid for the upload ${grant.id}`);
  unwrapped(await tenantOf(c.env, tenant).jobs.retry(runId));
}

/**
 * Starts a job, or finds the one that an earlier request with the same key started.
 * @returns the id of its conversation
 * @throws ServiceError for a bad request, KEY_REUSED or RATE_LIMITED
 */
export const startJob = (
  c: Context<AppEnv>,
  key: string | undefined,
  file: RemoteFileBody | undefined,
): Promise<string> => (file ? startRemote(c, key, file) : startUploaded(c, key));

async function startRemote(c: Context<AppEnv>, key: string | undefined, file: RemoteFileBody): Promise<string> {
  targetOf(file.url, 'url', settingsOf(c.env));
  const admitted = await admitAnalysis(c.env, c.var.caller);
  try {
    const id = await beginJob(c, remoteJob(c, admitted, file), key, file);
    admitted.received(true);
    return id;
  } finally {
    await admitted.leave();
  }
}

function remoteJob(
  c: Context<AppEnv>,
  { caller, conversationId, settings }: AdmittedAnalysis,
  { url, filename, ...requested }: RemoteFileBody,
): JobRequest {
  const source = { type: 'url', url, filename } as const;
  const options = underTenant(requested, settings);
  const sent = { mode: 'batch', filename: nameOfRemote(url, filename) } as const;
  return { tenant: caller.tenant, caller, runId: conversationId, requestId: c.var.requestId, sent, source, options };
}

async function startUploaded(c: Context<AppEnv>, key: string | undefined): Promise<string> {
  const { tenant, requestId } = c.var;
  const earlier = key === undefined ? null : await tenantOf(c.env, tenant).jobs.findClaim(key);
  const mode = { isDigested: key !== undefined, isDiscarded: earlier !== null };
  const admitted = await admitAnalysis(c.env, c.var.caller);
  const received = await receiveRecording(c.req.raw, c.env, admitted, mode).finally(() => admitted.leave());
  const { recording, bytes, filename } = received;
  if (earlier) {
    requireSame(earlier, await fingerprintOf(ROUTE, contentOf(received)));
    return earlier.id;
  }
  const store = mediaStore(c.env);
  const sent = { mode: 'batch', filename } as const;
  const options = underTenant(recording, admitted.settings);
  const job = jobOfUpload(options, bytes, { caller: admitted.caller, requestId, sent });
  const id = await beginJob(c, job, key, contentOf(received)).catch(async (error: unknown) => {
    // After any other error a job may exist. The marker is kept, and a later sweep checks it.
    if (error instanceof ServiceError) await removeArtifacts(store, recording.keys);
    throw error;
  });
  // The job replaces the marker. If a concurrent request began the job, this recording is not needed.
  if (id === recording.runId) await store.delete([recording.keys.pending]);
  else await removeArtifacts(store, recording.keys);
  return id;
}

/** The contents of a form without its boundaries, so that requests with the same content have the same fingerprint. */
function contentOf({ recording, filename, bytes, digest }: ReceivedRecording): object {
  const { runId: _id, keys: _keys, suffix: _suffix, ...options } = recording;
  return { filename, bytes, digest, options };
}

async function beginJob(
  c: Context<AppEnv>,
  job: JobRequest,
  key: string | undefined,
  content: object,
): Promise<string> {
  const claim = key === undefined ? undefined : { key, fingerprint: await fingerprintOf(ROUTE, content) };
  const held: IdempotencyClaim | null = unwrapped(await tenantOf(c.env, c.var.tenant).jobs.begin(job, false, claim));
  if (held && claim) requireSame(held, claim.fingerprint);
  return held?.id ?? job.runId;
}
