import type { RecogniserOffer } from '../../../src/contract/analysis.ts';
import { quoted, ServiceError } from '../../../src/contract/errors.ts';
import { SettingError } from '../../../src/contract/settings.ts';
import type { Runtime } from '../models/runtime.ts';
import { type PipelineSettings, pipelineSettings } from '../settings.ts';
import { EndpointRecogniser } from './endpoint/endpoint.ts';
import { moonshineTiny } from './moonshine/moonshine.ts';
import { profiledEngines } from './profile/profiled.ts';
import type { Recogniser, RecogniserEngine } from './recogniser.ts';

/** The engines that are always available. The first is the fallback of the others. */
export const BUILT_IN: readonly [RecogniserEngine, ...RecogniserEngine[]] = [moonshineTiny];

const ENDPOINT_ID = 'endpoint';

/** The operator's own endpoint, if there is one. */
function endpointOf({ endpoint }: PipelineSettings): RecogniserEngine[] {
  if (endpoint === null) return [];
  const { languages, ...settings } = endpoint;
  const [fallback] = BUILT_IN;
  return [
    {
      id: ENDPOINT_ID,
      kind: 'endpoint',
      name: `${settings.model} at the operator's endpoint`,
      languages,
      longestS: fallback.longestS,
      load: async (_, other) =>
        new EndpointRecogniser(settings, ENDPOINT_ID, { id: fallback.id, recogniser: await other(fallback.id) }),
    },
  ];
}

/**
 * All engines that an analysis can choose from. The first is the default.
 * @throws SettingError for an invalid profile or an unknown default
 */
export function engines(settings = pipelineSettings()): readonly [RecogniserEngine, ...RecogniserEngine[]] {
  const profiled = profiledEngines(settings);
  const known = [...BUILT_IN, ...endpointOf(settings)];
  for (const { id } of profiled)
    if (known.some((engine) => engine.id === id) || id === ENDPOINT_ID)
      throw new SettingError('ASR_PROFILE', `have a unique id; ${id} is already in use`);
  known.push(...profiled);
  const first = known.find(({ id }) => id === settings.recogniser);
  if (!first) throw new SettingError('RECOGNISER', `be one of ${known.map(({ id }) => id).join(', ')}`);
  return [first, ...known.filter((engine) => engine !== first)];
}

/** The recognisers of this process in their published form. The first is the default. */
export const recogniserOffers = (settings = pipelineSettings()): RecogniserOffer[] =>
  engines(settings).map(({ id, name, kind, languages }) => ({ id, name, kind, languages: [...languages] }));

/** @throws ServiceError INVALID_REQUEST listing the known engines */
export function engineOf(id?: string, settings = pipelineSettings()): RecogniserEngine {
  const known = engines(settings);
  const engine = id === undefined ? known[0] : known.find((one) => one.id === id);
  if (engine) return engine;
  const ids = known.map((each) => each.id).join(', ');
  throw new ServiceError(
    'INVALID_REQUEST',
    `recogniser: "${quoted(id ?? '')}" is unknown; the known recognisers are ${ids}`,
  );
}

/** The recognisers of one thread. Each is loaded when it is first used, and kept. */
export class LoadedRecognisers {
  readonly #runtime: Runtime;
  readonly #settings: PipelineSettings;
  readonly #loaded = new Map<string, Recogniser>();

  constructor(runtime: Runtime, settings = pipelineSettings()) {
    this.#runtime = runtime;
    this.#settings = settings;
  }

  /**
   * Call it again only after it has resolved. @throws ServiceError INVALID_REQUEST for an unknown recogniser; whatever
   * loading throws
   */
  async get(id?: string): Promise<Recogniser> {
    const engine = engineOf(id, this.#settings);
    const known = this.#loaded.get(engine.id);
    const recogniser = known ?? (await engine.load(this.#runtime, (other) => this.get(other)));
    this.#loaded.set(engine.id, recogniser);
    return recogniser;
  }
}
