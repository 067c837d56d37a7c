import { unwrapped } from '../../contract/result.ts';
import type { Env } from '../env.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { type CallerName, tenantOf } from './tenant.ts';

/** An upload and its analysis that a tenant counts as under way, until it is left. */
export interface AdmittedAnalysis {
  caller: CallerName;
  /** Bytes of the largest file that the caller may send. */
  maxFileBytes: number;
  /** The upload came whole: another may begin. */
  received(): void;
  /** So much sound was analysed so far, seconds. */
  heard(seconds: number): void;
  /** Nothing is under way any more, and what was heard is counted. May be called more than once; never rejects. */
  leave(): Promise<void>;
}

/** @throws ServiceError RATE_LIMITED */
export async function admitAnalysis(env: Env, caller: CallerName): Promise<AdmittedAnalysis> {
  const { tenant, keyId, kind } = caller;
  const answer = await tenantOf(env, tenant).admitAnalysis({ tenant, keyId, kind });
  const { place, maxFileBytes } = unwrapped(answer);
  let seconds = 0;
  let isUnderWay = true;
  return {
    caller,
    maxFileBytes,
    received: () => void place.received().catch(() => undefined),
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
