/** The configurations of a deployment. `npm run deploy` asks for one once. */
export const CONFIGURATION_NAMES = ['built-in', 'recommended'] as const;
export type ConfigurationName = (typeof CONFIGURATION_NAMES)[number];

const RECOGNISER = '@cf/openai/whisper-large-v3-turbo';
const LANGUAGE_MODEL = '@cf/meta/llama-4-scout-17b-16e-instruct';

interface Configuration {
  does: string;
  vars: Record<string, string>;
  /** Whether the Worker gets the binding `AI`. */
  hasWorkersAi: boolean;
}

export const CONFIGURATIONS: Readonly<Record<ConfigurationName, Configuration>> = {
  'built-in': {
    does: 'nothing leaves the container: Moonshine tiny recognises the words (English), trained weights read the findings',
    vars: {},
    hasWorkersAi: false,
  },
  recommended: {
    does: `the account's own Workers AI recognises the words (${RECOGNISER}) and reads summary, phases and moments (${LANGUAGE_MODEL}): speech and text go to Cloudflare's models`,
    vars: {
      RECOGNISER: 'endpoint',
      ASR_URL: 'http://ai.internal/v1',
      ASR_MODEL: RECOGNISER,
      ASR_LANGUAGES: 'en,de,fr,es,it,pt,nl',
      LLM_MODEL: LANGUAGE_MODEL,
    },
    hasWorkersAi: true,
  },
};

/** The configuration of a deployed version, by its variables. */
export const configurationOf = (vars: Readonly<Record<string, string>>): ConfigurationName =>
  vars.LLM_MODEL === CONFIGURATIONS.recommended.vars.LLM_MODEL ? 'recommended' : 'built-in';

/** Cloudflare's list prices, US dollars, as read on 28 November 2026. */
const PRICES = {
  vcpuSecond: 0.00002,
  gibSecond: 0.0000025,
  diskGbSecond: 0.00000007,
  objectGbSecond: 12.5e-6,
  rowWritten: 1e-6,
  /** A request to a Worker, and one to an object. */
  request: 0.3e-6 + 0.15e-6,
  /** 46.63 neurons at $0.011 for 1,000. */
  recognisedMinute: (46.63 * 0.011) / 1000,
  inputToken: 0.27e-6,
  outputToken: 0.85e-6,
} as const;

export const PRICE_SOURCES = [
  'https://developers.cloudflare.com/containers/platform/pricing/',
  'https://developers.cloudflare.com/durable-objects/platform/pricing/',
  'https://developers.cloudflare.com/workers-ai/platform/pricing/',
  'https://developers.cloudflare.com/workers-ai/models/llama-4-scout-17b-16e-instruct/',
] as const;

/** A container of the type standard-3 that is always busy, US dollars an hour: 2 vCPU, 8 GiB, 16 GB. */
export const CONTAINER_HOUR = 3600 * (2 * PRICES.vcpuSecond + 8 * PRICES.gibSecond + 16 * PRICES.diskGbSecond);

/** Speed and capacity of a container. */
export interface ContainerSpeed {
  /** Seconds of audio per second with `best`. */
  batchSpeed: number;
  /** Live sessions at once. */
  liveSessions: number;
}
/**
 * Measured on two cores here: `npm run bench -- speed`, and `npm run bench -- live` with 95 % of final texts within
 * 1.4 s. `npm run bench -- calibrate` measures a deployed container.
 */
const ON_TWO_CORES: ContainerSpeed = { batchSpeed: 18, liveSessions: 12 };
/** An active object holds 128 MB. */
const OBJECT_HOUR = 3600 * 0.128 * PRICES.objectGbSecond;
/** Chunks an hour at the default of 500 ms; each is a row with an index. */
const CHUNKS = 7200;
const ROWS_OF_CHUNK = 2;
/** Language model requests for an hour of conversation, and their tokens (`npm run bench -- summary`). */
const MODEL_REQUESTS = 4.2;
const INPUT_TOKENS = 40_000;
/** The limits of the answers: 2,000 tokens for the summary, 4,000 for a window of moments. */
const MOST_OUTPUT_TOKENS = 2000 + (MODEL_REQUESTS - 1) * 4000;

/** US dollars for an hour of audio. */
export interface AudioHourCost {
  batch: number;
  live: number;
}

/**
 * The cost of an hour of audio at list prices, on containers that are kept busy: idle containers cost more. For
 * `recommended` it is an upper bound: every second counts as speech, answers have their full length, and the container
 * counts as if it still recognised the words.
 */
export function costOf(name: ConfigurationName, { batchSpeed, liveSessions } = ON_TWO_CORES): AudioHourCost {
  const batch = CONTAINER_HOUR / batchSpeed;
  const chunks = CHUNKS * (ROWS_OF_CHUNK * PRICES.rowWritten + PRICES.request);
  // A finished session is analysed once more, as a file.
  const live = CONTAINER_HOUR / liveSessions + batch + OBJECT_HOUR + chunks;
  const models = CONFIGURATIONS[name].hasWorkersAi
    ? 60 * PRICES.recognisedMinute + INPUT_TOKENS * PRICES.inputToken + MOST_OUTPUT_TOKENS * PRICES.outputToken
    : 0;
  return { batch: batch + models, live: live + models };
}

const dollars = (cost: number): string => `$${cost.toFixed(3)}`;

/** The choice as `npm run deploy` prints it. */
export function describeConfigurations(): string[] {
  return [
    ...CONFIGURATION_NAMES.map((name) => {
      const { batch, live } = costOf(name);
      const most = CONFIGURATIONS[name].hasWorkersAi ? 'at most ' : '';
      return `${name}: ${CONFIGURATIONS[name].does}. An hour of audio costs ${most}${dollars(batch)} as a file and ${most}${dollars(live)} live.`;
    }),
    `Computed from list prices for busy containers, never measured on a bill: ${PRICE_SOURCES.join(' ')}`,
  ];
}
