import type { TenantOptions } from '../../contract/options.ts';
import { unwrapped } from '../../contract/result.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Caller, CallerName } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** An upload and its analysis that a tenant counts as under way, until it is left. */
export interface AdmittedAnalysis {
  caller: CallerName;
  /** What the tenant's settings say of its analyses. */
  settings: TenantOptions;
  /** Bytes of the largest file that the caller may send. */
  maxFileBytes: number;
  /** What the conversation is called: an id of its own, or the one that a token was minted for. */
  conversationId: string;
  /** Nothing more of the upload comes: another may begin. `isWhole`: all of it came. */
  received(isWhole: boolean): void;
  /** So much sound was analysed so far, seconds. */
  heard(seconds: number): void;
  /** Nothing is under way any more, and what was heard is counted. May be called more than once; never rejects. */
  leave(): Promise<void>;
}

export const callerName = ({ tenant, keyId, kind }: Caller): CallerName => ({ tenant, keyId, kind });

/** @throws ServiceError RATE_LIMITED, or INVALID_KEY for a token that was used already */
export async function admitAnalysis(env: Env, from: Caller): Promise<AdmittedAnalysis> {
  const { tenant, keyId, grant } = from;
  const caller = callerName(from);
  const once = grant && { id: grant.id, until: grant.expiresAt };
  const answer = await tenantOf(env, tenant).admitAnalysis(caller, once);
  const { place, maxFileBytes, settings } = unwrapped(answer);
  let seconds = 0;
  let isUnderWay = true;
  return {
    caller,
    settings,
    maxFileBytes,
    conversationId: grant?.id ?? crypto.randomUUID(),
    received: (isWhole) => void place.received(isWhole).catch(() => undefined),
    heard: (so) => {
      seconds = Math.max(seconds, so);
    },
    async leave() {
      if (!isUnderWay) return;
      isUnderWay = false;
      try {
        if (seconds > 0) await tenantOf(env, tenant).heard(keyId, seconds);
      } catch (error) {
        logFault(asServiceError(error), { task: 'metering' });
      }
      answer[Symbol.dispose]();
    },
  };
}
