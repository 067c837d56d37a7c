import { setTimeout as pause } from 'node:timers/promises';
import type { DeployedService } from '../../scripts/deploy/deployed-service.ts';
import type { Quality } from '../../src/contract/options.ts';
import { Undertone } from '../../src/sdk/index.ts';
import { rotated, speech, stream, wav } from '../live-stream.ts';
import type { CalibratedService } from './calibrate.ts';
import { InstanceWatch, isContainer } from './instance-watch.ts';

const LOOK_MS = 1_000;
/** A container sleeps after ten minutes without work (src/worker/pipeline/pipeline-container.ts). */
const SLEEP_MS = 15 * 60_000;
/** Time between the starts of two sessions, so that they are out of step, ms. */
const APART_MS = 370;

/** A running service under a key, whose pool the operator watches. */
export class DeployedCalibration implements CalibratedService {
  readonly url: string;
  readonly watch = new InstanceWatch();
  readonly #service: DeployedService;
  readonly #undertone: Undertone;
  readonly #stopped = new AbortController();
  readonly #watching: Promise<void>;

  constructor(url: string, key: string, service: DeployedService) {
    this.url = url;
    this.#service = service;
    this.#undertone = new Undertone({ url, key });
    this.#watching = this.#look();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#watching;
  }

  async #look(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      // A reading that fails is left out.
      const pool = await this.#service.pool().catch(() => undefined);
      if (pool) this.watch.saw(pool.instances, performance.now());
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async describe() {
    const { version } = await this.#service.pool();
    const { recognisers } = await this.#undertone.ready();
    return { version, recogniser: recognisers[0]?.id ?? 'unknown' };
  }

  async roundTrip(to: 'worker' | 'object'): Promise<number> {
    const begun = performance.now();
    if (to === 'worker') await this.#undertone.health();
    else await this.#undertone.conversations.list({ limit: 1 });
    return performance.now() - begun;
  }

  async analyse(seconds: number, quality: Quality): Promise<number> {
    const file = new File([wav(speech(seconds))], 'calibration.wav');
    let begun: number | undefined;
    for await (const { event, data } of this.#undertone.replay(file, { filename: 'calibration.wav', quality })) {
      // The first event comes from the pipeline, when the recording has a slot.
      begun ??= performance.now();
      if (event !== 'done') continue;
      const tookS = (performance.now() - begun) / 1000;
      await this.#undertone.conversations.delete(data.conversation_id);
      return tookS;
    }
    throw new Error('the stream ended without `done`');
  }

  async live(sessions: number, seconds: number): Promise<number[]> {
    const audio = speech(seconds);
    const samples = await Promise.all(
      Array.from({ length: sessions }, async (_, i) => {
        await pause(i * APART_MS);
        return stream(this.#undertone, rotated(audio, i / sessions));
      }),
    );
    return samples.flat().map(({ finalMs }) => finalMs);
  }

  async sleeps(): Promise<boolean> {
    const hasContainer = async (): Promise<boolean> => (await this.#service.pool()).instances.some(isContainer);
    const until = performance.now() + SLEEP_MS;
    if (!(await hasContainer())) return false;
    while (performance.now() < until) {
      await pause(LOOK_MS);
      if (!(await hasContainer())) return true;
    }
    return false;
  }
}
