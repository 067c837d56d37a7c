import type { Context } from 'hono';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { AskAgainSchema, type RemoteFileBody, RemoteFileSchema } from '../../contract/jobs.ts';
import { LIMITS } from '../../contract/limits.ts';
import { underTenant } from '../../contract/options.ts';
import { unwrapped } from '../../contract/result.ts';
import { type ReceivedRecording, receiveRecording } from '../analysis/recording.ts';
import { jsonBody } from '../http/json-body.ts';
import { validated } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { type AdmittedAnalysis, admitAnalysis, callerName } from '../keys/admit-analysis.ts';
import { settingsOf } from '../settings/settings.ts';
import { mediaStore } from '../storage/media-store.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import { targetOf } from '../targets/reach.ts';
import type { IdempotencyClaim } from '../tenant/jobs/idempotency-claims.ts';
import type { AnalysisInput } from '../tenant/jobs/job.ts';
import { type JobRequest, type Sent, uploadedSource } from '../tenant/jobs/job.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { fingerprintOf, requireSame } from './idempotency.ts';

/** Most bytes of a JSON body that asks for an analysis. */
const MAX_JSON_BYTES = 256 * 1024;
const ROUTE = 'POST /analyze';

/** What a request names in JSON. */
interface Named {
  file?: RemoteFileBody;
  /** The conversation of an earlier request. */
  earlier?: string;
}

/** @throws ServiceError INVALID_REQUEST */
export async function namedInJson(c: Context<AppEnv>): Promise<Named> {
  const body = await jsonBody(c, z.looseObject({}), MAX_JSON_BYTES);
  if ('conversation_id' in body) return { earlier: validated(AskAgainSchema, body).conversation_id };
  return { file: validated(RemoteFileSchema, body) };
}

/**
 * Has the analysis of a conversation made again that a machine failed. One that is under way or has ended otherwise stays
 * as it is, and may be waited for like one that has just begun.
 * @throws ServiceError NOT_FOUND when the caller has none of this id
 */
export async function again(c: Context<AppEnv>, conversationId: string): Promise<void> {
  const { tenant, grant } = c.var.caller;
  const isTheirs = grant === undefined || grant.id === conversationId;
  if (!isTheirs || !(await tenantOf(c.env, tenant).jobs.again(conversationId)))
    throw new ServiceError('NOT_FOUND', 'Unknown conversation');
}

/**
 * Starts an analysis that goes on by itself, or finds the one that an earlier request with the same key started.
 * @returns the id of its conversation
 * @throws ServiceError of what was sent, KEY_REUSED, RATE_LIMITED
 */
export const startJob = (
  c: Context<AppEnv>,
  key: string | undefined,
  file: RemoteFileBody | undefined,
): Promise<string> => (file ? startFetched(c, key, file) : startUploaded(c, key));

async function startFetched(c: Context<AppEnv>, key: string | undefined, asked: RemoteFileBody): Promise<string> {
  targetOf(asked.url, 'url', settingsOf(c.env));
  const admitted = await admitAnalysis(c.env, c.var.caller);
  try {
    const id = await begun(c, remoteRequest(c, admitted, asked), key, asked);
    admitted.received(true);
    return id;
  } finally {
    await admitted.leave();
  }
}

function remoteRequest(
  c: Context<AppEnv>,
  { caller, conversationId, settings }: AdmittedAnalysis,
  { url, filename, ...said }: RemoteFileBody,
): JobRequest {
  const source = { type: 'url', url, filename } as const;
  const options = underTenant(said, settings);
  const sent = { mode: 'batch', filename: nameOfRemote(url, filename) } as const;
  return { tenant: caller.tenant, caller, runId: conversationId, requestId: c.var.requestId, sent, source, options };
}

async function startUploaded(c: Context<AppEnv>, key: string | undefined): Promise<string> {
  const { tenant } = c.var;
  const earlier = key === undefined ? null : await tenantOf(c.env, tenant).jobs.claimed(key);
  const how = { isDigested: key !== undefined, isDiscarded: earlier !== null };
  const admitted = await admitAnalysis(c.env, c.var.caller);
  const received = await receiveRecording(c.req.raw, c.env, admitted, how).finally(() => admitted.leave());
  const { recording, bytes, filename } = received;
  if (earlier) {
    requireSame(earlier, await fingerprintOf(ROUTE, saidOf(received)));
    return earlier.id;
  }
  const store = mediaStore(c.env);
  const listed = underTenant(recording, admitted.settings);
  const id = await begun(c, requestOf(c, listed, bytes, { mode: 'batch', filename }), key, saidOf(received)).catch(
    async (error: unknown) => {
      // Where it is not known whether there is a job, the marker stays, and a sweep finds out.
      if (error instanceof ServiceError) await removeArtifacts(store, recording.keys);
      throw error;
    },
  );
  // From here on the job says that somebody works on it; or it is another's, of a request that came at the same time.
  if (id === recording.runId) await store.delete([recording.keys.pending]);
  else await removeArtifacts(store, recording.keys);
  return id;
}

/** The analysis of an upload as a job. */
export function requestOf(c: Context<AppEnv>, recording: AnalysisInput, bytes: number, sent: Sent): JobRequest {
  const { runId: conversationId, suffix, keys: _, ...options } = recording;
  const { tenant, requestId } = c.var;
  const caller = callerName(c.var.caller);
  return { tenant, caller, runId: conversationId, requestId, sent, source: uploadedSource(suffix, bytes), options };
}

/** What a file at an address is called: as its client does, else by the end of its path. */
export const nameOfRemote = (url: string, filename: string | undefined): string =>
  filename ?? URL.parse(url)?.pathname.split('/').at(-1)?.slice(0, LIMITS.filenameChars) ?? '';

/** All that a form says. Its boundaries do not. */
function saidOf({ recording, filename, bytes, digest }: ReceivedRecording): object {
  const { runId: _id, keys: _keys, suffix: _suffix, ...options } = recording;
  return { filename, bytes, digest, options };
}

async function begun(c: Context<AppEnv>, request: JobRequest, key: string | undefined, said: object): Promise<string> {
  const claim = key === undefined ? undefined : { key, fingerprint: await fingerprintOf(ROUTE, said) };
  const held: IdempotencyClaim | null = unwrapped(
    await tenantOf(c.env, c.var.tenant).jobs.begin(request, false, claim),
  );
  if (held && claim) requireSame(held, claim.fingerprint);
  return held?.id ?? request.runId;
}
