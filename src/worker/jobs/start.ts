import type { Context } from 'hono';
import { type RemoteFileBody, RemoteFileSchema } from '../../contract/jobs.ts';
import { LIMITS } from '../../contract/limits.ts';
import { type Received, type Recording, receiveRecording } from '../analysis/recording.ts';
import type { AppEnv } from '../env.ts';
import { jsonBody } from '../http/json-body.ts';
import { settingsOf } from '../settings.ts';
import { removeArtifacts } from '../storage/artifacts.ts';
import { mediaStore } from '../storage/media-store.ts';
import { targetOf } from '../targets/reach.ts';
import { tenantOf } from '../tenants/tenant.ts';
import type { Claim } from './claims.ts';
import { fingerprintOf, requireSame } from './idempotency.ts';
import { type JobRequest, type Sent, uploadedSource } from './job.ts';

/** Most bytes of a JSON body that asks for an analysis. */
export const MAX_JSON_BYTES = 64 * 1024;
const ROUTE = 'POST /analyze';

/** Whether a request names a file in JSON; else it is taken for a form that holds one. */
export const isJson = (c: Context<AppEnv>): boolean => /^application\/json\b/i.test(c.req.header('Content-Type') ?? '');

/**
 * Starts an analysis that goes on by itself, or finds the one that an earlier request with the same key started.
 * @returns the id of its conversation
 * @throws ServiceError of what was sent, KEY_REUSED, RATE_LIMITED
 */
export const startJob = (c: Context<AppEnv>, key: string | undefined): Promise<string> =>
  isJson(c) ? startFetched(c, key) : startUploaded(c, key);

async function startFetched(c: Context<AppEnv>, key: string | undefined): Promise<string> {
  const asked = await jsonBody(c, RemoteFileSchema, MAX_JSON_BYTES);
  targetOf(asked.url, 'url', settingsOf(c.env));
  return begun(c, remoteRequest(c, asked), key, asked);
}

function remoteRequest(c: Context<AppEnv>, { url, filename, ...options }: RemoteFileBody): JobRequest {
  const source = { type: 'url', url, filename } as const;
  const conversationId = crypto.randomUUID();
  const sent = sentBy(c, 'batch', nameOfRemote(url, filename));
  return { tenant: c.var.tenant, conversationId, requestId: c.var.requestId, sent, source, options };
}

async function startUploaded(c: Context<AppEnv>, key: string | undefined): Promise<string> {
  const { tenant } = c.var;
  const earlier = key === undefined ? null : await tenantOf(c.env, tenant).jobs.claimed(key);
  const how = { isDigested: key !== undefined, isDiscarded: earlier !== null };
  const received = await receiveRecording(c.req.raw, c.env, tenant, how);
  const { recording, bytes, filename } = received;
  if (earlier) {
    requireSame(earlier, await fingerprintOf(ROUTE, saidOf(received)));
    return earlier.id;
  }
  const store = mediaStore(c.env);
  let id: string | undefined;
  try {
    id = await begun(c, requestOf(c, recording, bytes, sentBy(c, 'batch', filename)), key, saidOf(received));
    return id;
  } finally {
    // From here on the job says that somebody works on it; or there is none, or another's.
    if (id === recording.conversationId) await store.delete([recording.keys.pending]);
    else await removeArtifacts(store, recording.keys);
  }
}

/** The analysis of an upload as a job. */
export function requestOf(c: Context<AppEnv>, recording: Recording, bytes: number, sent: Sent): JobRequest {
  const { conversationId, suffix, keys: _, ...options } = recording;
  const { tenant, requestId } = c.var;
  return { tenant, conversationId, requestId, sent, source: uploadedSource(suffix, bytes), options };
}

export const sentBy = (c: Context<AppEnv>, mode: Sent['mode'], filename: string): Sent => ({
  key: c.var.caller.keyId,
  mode,
  filename,
});

/** What a file at an address is called: as its client does, else by the end of its path. */
export const nameOfRemote = (url: string, filename: string | undefined): string =>
  filename ?? URL.parse(url)?.pathname.split('/').at(-1)?.slice(0, LIMITS.filenameChars) ?? '';

/** All that a form says. Its boundaries do not. */
function saidOf({ recording, filename, bytes, digest }: Received): object {
  const { conversationId: _id, keys: _keys, suffix: _suffix, ...options } = recording;
  return { filename, bytes, digest, options };
}

async function begun(c: Context<AppEnv>, request: JobRequest, key: string | undefined, said: object): Promise<string> {
  const claim = key === undefined ? undefined : { key, fingerprint: await fingerprintOf(ROUTE, said) };
  const held: Claim | null = await tenantOf(c.env, c.var.tenant).jobs.begin(request, false, claim);
  if (held && claim) requireSame(held, claim.fingerprint);
  return held?.id ?? request.conversationId;
}
