import type { Env } from '../identity/env.ts';
import { type PipelineHost, pipelineHost } from '../pipeline/hosts.ts';
import { askPool, leavePool } from '../pool/place.ts';
import type { PoolKind } from '../pool/plan.ts';

/** How long a session waits for a place before it reports that it has none, ms. */
const UNNOTICED_MS = 2_000;

/** Why a session leaves its pipeline: the connection ended, or the pipeline is about to end. */
export type Departure = 'lost' | 'moving';

/** A session, as the pool sees it. */
export interface PlacedSession {
  id: string;
  tenant: string;
  /** `conclude` once the session has been finalized. */
  kind: () => PoolKind;
  /** Seconds of audio that the final analysis is expected to take. */
  weight: () => number;
  /** Seconds of media that another pipeline would have to analyse again. */
  backlogS: () => number;
  /** Called when the session has had no place for 2 s, and when it has one again. */
  onWait: () => void;
  onPlaced: () => void;
}

/** The place of a live session in the pool. The start of the session has reserved one. */
export class SessionPlace {
  readonly #env: Env;
  readonly #session: PlacedSession;
  #instance: string | null = null;
  #isWaiting = false;

  constructor(env: Env, session: PlacedSession) {
    this.#env = env;
    this.#session = session;
  }

  /**
   * The pipeline for the session; null when it still waits for one, after some seconds. A session that had a place goes
   * before all new work.
   * @throws Error when the pool cannot be reached
   */
  async next(departure?: Departure): Promise<PipelineHost | null> {
    const from = this.#instance;
    const verdict = await this.#ask({
      // A reservation may have lapsed before the first media arrived.
      lost: departure === 'lost' ? from : null,
      leaving: departure === 'moving' ? from : null,
      backlogS: from === null ? 0 : this.#session.backlogS(),
      holdMs: this.#isWaiting ? undefined : UNNOTICED_MS,
    });
    if (verdict.type !== 'placed') {
      this.#isWaiting = true;
      this.#session.onWait();
      return null;
    }
    this.#instance = verdict.instance;
    if (this.#isWaiting) this.#session.onPlaced();
    this.#isWaiting = false;
    return pipelineHost(this.#env, verdict.instance);
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
    const { id, tenant, kind, weight } = this.#session;
    return askPool(this.#env, { id, tenant, kind: kind(), weight: weight(), patienceMs: null, ...how });
  }
}
