import { ServiceError } from '../../contract/errors.ts';
import type { Env } from '../env.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { settingsOf } from '../settings.ts';
import { artifactKeys } from '../storage/artifacts.ts';
import { mediaStore } from '../storage/media-store.ts';
import { markKept, readKept } from '../storage/pending.ts';
import type { NamedAnalysis } from './options.ts';

const MS_PER_HOUR = 3_600_000;

/**
 * Keeps an upload whose analysis a machine failed, so that its owner can ask for it again.
 * @returns the error that tells so; where not even that can be stored, the error alone
 */
export async function keepUpload(env: Env, analysis: NamedAnalysis, error: unknown): Promise<ServiceError> {
  const known = asServiceError(error);
  const { conversationId, keys } = analysis;
  try {
    await markKept(mediaStore(env), keys, analysis);
  } catch (cause) {
    logFault(asServiceError(cause), { conversation_id: conversationId });
    return known;
  }
  const hours = settingsOf(env).keptUploadMs / MS_PER_HOUR;
  const detail = `${known.detail}. The upload is kept for ${hours} hours: to have it analysed again, send {"conversation_id": "${conversationId}"} as JSON to POST /analyze or /analyze/stream`;
  const { cause, retryAfter, quotas } = known;
  return new ServiceError(known.code, detail, { cause, retryAfter, quotas, conversationId });
}

/**
 * An upload that was kept, which from now on is kept as long as at first.
 * @throws ServiceError NOT_FOUND when this tenant has none under this conversation
 */
export async function keptUpload(
  env: Env,
  tenant: string,
  conversationId: string,
): Promise<NamedAnalysis & { bytes: number }> {
  const store = mediaStore(env);
  const kept = await readKept(store, tenant, conversationId);
  const keys = kept && artifactKeys(tenant, conversationId, kept.suffix);
  const upload = keys && (await store.head(keys.upload));
  if (!upload) throw new ServiceError('NOT_FOUND', 'No upload is kept under this conversation_id');
  const analysis = { ...kept, conversationId, keys };
  await markKept(store, keys, analysis);
  return { ...analysis, bytes: upload.size };
}
