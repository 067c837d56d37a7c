import type { TenantOptions } from '../../contract/options.ts';
import { unwrapped } from '../../contract/result.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Caller, CallerName } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** An upload and its analysis, which count towards the tenant's running analyses until `leave`. */
export interface AdmittedAnalysis {
  caller: CallerName;
  /** The tenant's settings for its analyses, and the options that the caller's token fixes. */
  settings: TenantOptions;
  /** Size limit of a file for this caller, bytes. */
  maxFileBytes: number;
  /** The conversation's id: a new one, or the one for which its token was minted. */
  conversationId: string;
  /** Called when the upload has ended, so that another can begin. `isWhole`: all of it arrived. */
  received(isWhole: boolean): void;
  /** Adds to the seconds of analysed audio. */
  addAudio(seconds: number): void;
  /**
   * Stops counting the analysis as running, and reports the analysed audio. May be called more than once; never
   * rejects.
   */
  leave(): Promise<void>;
}

export const callerName = ({ tenant, keyId, kind }: Caller): CallerName => ({ tenant, keyId, kind });

/**
 * @param isAnnounced whether the upload is already open, so that its token has been used and its bytes are counted
 * @throws ServiceError RATE_LIMITED, or INVALID_KEY for a token that has already been used
 */
export async function admitAnalysis(env: Env, from: Caller, isAnnounced = false): Promise<AdmittedAnalysis> {
  const { tenant, keyId, grant } = from;
  const caller = callerName(from);
  const once = grant && !isAnnounced ? { id: grant.id, until: grant.expiresAt } : undefined;
  const answer = await tenantOf(env, tenant).admission.admitAnalysis(caller, once, isAnnounced);
  const { place, maxFileBytes, settings } = unwrapped(answer);
  let seconds = 0;
  let isUnderWay = true;
  return {
    caller,
    settings: { ...settings, fixed: grant?.options },
    maxFileBytes,
    conversationId: grant?.id ?? crypto.randomUUID(),
    received: (isWhole) => void place.received(isWhole).catch(() => undefined),
    addAudio: (so) => {
      seconds = Math.max(seconds, so);
    },
    async leave() {
      if (!isUnderWay) return;
      isUnderWay = false;
      try {
        if (seconds > 0) await tenantOf(env, tenant).admission.addAudio(keyId, seconds);
      } catch (error) {
        logFault(asServiceError(error), { task: 'metering' });
      }
      answer[Symbol.dispose]();
    },
  };
}
