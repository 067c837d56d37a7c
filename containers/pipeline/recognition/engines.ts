import { quoted, ServiceError } from '../../../src/contract/errors.ts';
import type { Runtime } from '../models/runtime.ts';
import { moonshineTiny } from './moonshine/moonshine.ts';
import type { Recogniser, RecogniserEngine } from './recogniser.ts';

/** All that an analysis may choose from; the first is used where it chooses none. */
export const ENGINES: readonly [RecogniserEngine, ...RecogniserEngine[]] = [moonshineTiny];

/** @throws ServiceError INVALID_REQUEST naming the known ones */
export function engineOf(id: string = ENGINES[0].id): RecogniserEngine {
  const engine = ENGINES.find((known) => known.id === id);
  if (engine) return engine;
  const known = ENGINES.map((each) => each.id).join(', ');
  throw new ServiceError('INVALID_REQUEST', `recogniser: "${quoted(id)}" is not known here; known are ${known}`);
}

/** The recognisers of one thread: each is loaded when it is first asked for, and kept. */
export class LoadedRecognisers {
  readonly #runtime: Runtime;
  readonly #loaded = new Map<string, Recogniser>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Call again only after it has resolved. @throws ServiceError INVALID_REQUEST for an unknown one; what loading throws */
  async get(id?: string): Promise<Recogniser> {
    const engine = engineOf(id);
    const recogniser = this.#loaded.get(engine.id) ?? (await engine.load(this.#runtime));
    this.#loaded.set(engine.id, recogniser);
    return recogniser;
  }
}
