import type { PoolRegion } from '../../contract/regions.ts';
import type { Env } from '../identity/env.ts';
import { type PipelineHost, pipelineHost } from '../pipeline/hosts.ts';
import { askPool, checkInstance, leavePool } from '../pool/place.ts';
import type { PoolKind } from '../pool/pool-state.ts';

/** How long a session waits for a place before it reports that it has none, ms. */
const UNNOTICED_MS = 2_000;

/** A session, as the pool sees it. */
export interface PlacedSession {
  id: string;
  tenant: string;
  /** The region of its client. */
  region: PoolRegion | undefined;
  /** `conclude` once the session has been finalized. */
  kind: () => PoolKind;
  /** Seconds of audio that the final analysis is expected to take. */
  weight: () => number;
  /** Seconds of media that another pipeline would have to analyse again. */
  backlogS: () => number;
  /** Called when the session has had no place for 2 s or its pipeline does not answer, and when it has one again. */
  onWait: () => void;
  onPlaced: () => void;
}

/** The place of a live session in the pool. The start of the session has reserved one. */
export class SessionPlace {
  readonly #env: Env;
  readonly #session: PlacedSession;
  #instance: string | null = null;
  #isWaiting = false;
  /** Whether the pool counts it as catching up. */
  #isBehind = false;

  constructor(env: Env, session: PlacedSession) {
    this.#env = env;
    this.#session = session;
  }

  /**
   * The pipeline for the session; null when it still waits for one, after some seconds. A session that had a place goes
   * before all new work.
   * @param isLost whether the connection to the pipeline that it had has ended
   * @throws Error when the pool cannot be reached
   */
  async next(isLost: boolean): Promise<PipelineHost | null> {
    const from = this.#instance;
    const backlogS = from === null ? 0 : this.#session.backlogS();
    this.#isBehind = backlogS > 0;
    const verdict = await this.#ask({
      // A reservation may have lapsed before the first media arrived.
      lost: isLost ? from : null,
      backlogS,
      holdMs: this.#isWaiting ? undefined : UNNOTICED_MS,
    });
    if (verdict.type !== 'placed') {
      this.#isWithout();
      return null;
    }
    this.#instance = verdict.instance;
    this.#isPlaced();
    return pipelineHost(this.#env, verdict.instance);
  }

  /**
   * Moves the session's place to another pipeline, because the present one is about to end.
   * @returns the pipeline, which `next` returns from then on; null when no other one has room
   * @throws Error when the pool cannot be reached
   */
  async other(): Promise<PipelineHost | null> {
    const leaving = this.#instance;
    const verdict = await this.#ask({ lost: null, leaving, backlogS: this.#session.backlogS(), holdMs: 0 });
    if (verdict.type !== 'placed' || verdict.instance === leaving) return null;
    return pipelineHost(this.#env, verdict.instance);
  }

  /**
   * Whether the pipeline of the session, which is quiet, is gone. While it does not answer, the session counts as
   * without a place, but stays.
   * @throws Error when the pool cannot be reached
   */
  async isGone(signal: AbortSignal): Promise<boolean> {
    const instance = this.#instance;
    while (instance !== null) {
      const verdict = await checkInstance(this.#env, this.#session.tenant, instance);
      if (signal.aborted) return false;
      if (verdict === 'silent') this.#isWithout();
      else {
        if (verdict === 'here') this.#isPlaced();
        return verdict === 'gone';
      }
    }
    return false;
  }

  /** Called when the pipeline has everything that was recorded. Another session may then catch up there. */
  caughtUp(): void {
    if (this.#isBehind) void this.#ask({ lost: null, backlogS: 0, holdMs: 0 }).catch(() => undefined);
    this.#isBehind = false;
  }

  #isWithout(): void {
    if (!this.#isWaiting) this.#session.onWait();
    this.#isWaiting = true;
  }

  #isPlaced(): void {
    if (this.#isWaiting) this.#session.onPlaced();
    this.#isWaiting = false;
  }

  /** Tells the pool that the session is now in its final analysis, which takes a place for files. */
  async concludes(): Promise<void> {
    if (this.#instance !== null) await this.#ask({ lost: null, holdMs: 0 }).catch(() => undefined);
  }

  async leave(isDone: boolean): Promise<void> {
    const { id, tenant, kind } = this.#session;
    await leavePool(this.#env, { id, tenant, kind: kind() }, isDone);
  }

  #ask(how: { lost: string | null; leaving?: string | null; backlogS?: number; holdMs: number | undefined }) {
    const { id, tenant, region, kind, weight } = this.#session;
    return askPool(this.#env, { id, tenant, region, kind: kind(), weight: weight(), patienceMs: null, ...how });
  }
}
