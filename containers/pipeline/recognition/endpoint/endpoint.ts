import { setTimeout as pause } from 'node:timers/promises';
import { SAMPLE_RATE_HZ } from '../../audio/interval.ts';
import type { EndpointSettings } from '../../settings.ts';
import type { Recogniser, Recognition, RecognitionOptions } from '../recogniser.ts';
import { recognitionOf } from './answer.ts';
import { wavOf } from './wav.ts';

/** Number of attempts for each segment. */
const ATTEMPTS = 3;
/** Pauses before the second and third attempt, ms. A `Retry-After` header is honoured up to the longest of these. */
const PAUSES_MS = [250, 1_000];
const LONGEST_PAUSE_MS = 5_000;
/**
 * Time in which all attempts must end, ms. A thread that produces nothing for two minutes counts as hung
 * (`WorkerPool`), and a segment can fail twice.
 */
const ALL_MS = 50_000;
/** Limit on an answer, bytes. No transcript of 15 s of speech is longer. */
const LONGEST_ANSWER = 1024 * 1024;
/** Characters of the prompt. Decoders limit it, Whisper to 224 tokens. */
const PROMPT_CHARS = 600;
/** After the first number of consecutive failed segments, the endpoint is not called for the second, ms. */
const FAILURES = 2;
const REST_MS = 30_000;

/** A clock and its timer. */
export interface Clock {
  now(): number;
  pause(ms: number): Promise<unknown>;
}
const CLOCK: Clock = { now: Date.now, pause };

/** The reason why an endpoint returned nothing. It never contains the endpoint's key or answer. */
class EndpointFault extends Error {
  readonly isFinal: boolean;
  readonly retryMs: number | undefined;

  constructor(message: string, { isFinal = false, retryMs }: { isFinal?: boolean; retryMs?: number } = {}) {
    super(message);
    this.isFinal = isFinal;
    this.retryMs = retryMs;
  }
}

/**
 * Transcribes segment by segment with an endpoint. A segment for which the endpoint fails goes to another recogniser,
 * which the result names.
 */
export class EndpointRecogniser implements Recogniser {
  readonly #settings: EndpointSettings;
  readonly #id: string;
  readonly #fallback: Recogniser;
  readonly #fallbackId: string;
  readonly #clock: Clock;
  #failures = 0;
  #restsUntil = 0;

  constructor(
    settings: EndpointSettings,
    id: string,
    fallback: { id: string; recogniser: Recogniser },
    clock: Clock = CLOCK,
  ) {
    this.#settings = settings;
    this.#id = id;
    this.#fallback = fallback.recogniser;
    this.#fallbackId = fallback.id;
    this.#clock = clock;
  }

  async recognise(samples: Float32Array, options: RecognitionOptions = {}): Promise<Recognition> {
    if (this.#clock.now() >= this.#restsUntil) {
      try {
        const recognition = await this.#ask(samples, options);
        this.#failures = 0;
        return { ...recognition, transcribedBy: this.#id };
      } catch (cause) {
        console.error('the transcription endpoint failed:', cause instanceof Error ? cause.message : 'no reason');
        this.#failures++;
        if (this.#failures >= FAILURES) this.#restsUntil = this.#clock.now() + REST_MS;
      }
    }
    return { ...(await this.#fallback.recognise(samples, options)), transcribedBy: this.#fallbackId };
  }

  /** Interim text is shown and replaced every second, so it is not worth a request. */
  recogniseInterim(samples: Float32Array): Promise<Recognition> {
    return this.#fallback.recogniseInterim(samples);
  }

  async #ask(samples: Float32Array, options: RecognitionOptions): Promise<Recognition> {
    const until = this.#clock.now() + ALL_MS;
    for (let attempt = 0; ; attempt++) {
      try {
        return recognitionOf(await this.#answer(samples, options), samples.length / SAMPLE_RATE_HZ);
      } catch (cause) {
        const fault = cause instanceof EndpointFault ? cause : undefined;
        if (fault?.isFinal || attempt + 1 >= ATTEMPTS) throw cause;
        const pauseMs = Math.min(LONGEST_PAUSE_MS, fault?.retryMs ?? PAUSES_MS[attempt] ?? LONGEST_PAUSE_MS);
        if (this.#clock.now() + pauseMs + this.#settings.timeoutMs > until) throw cause;
        await this.#clock.pause(pauseMs);
      }
    }
  }

  /** The body of one answer. */
  async #answer(samples: Float32Array, { words = [], language }: RecognitionOptions): Promise<string> {
    const { url, model, key, timeoutMs } = this.#settings;
    const form = new FormData();
    form.set('file', new Blob([wavOf(samples)], { type: 'audio/wav' }), 'segment.wav');
    form.set('model', model);
    form.set('response_format', 'verbose_json');
    form.append('timestamp_granularities[]', 'word');
    form.append('timestamp_granularities[]', 'segment');
    form.set('temperature', '0');
    if (language) form.set('language', language.split('-')[0]!.toLowerCase());
    if (words.length > 0) form.set('prompt', promptOf(words));
    const response = await fetch(`${url.endsWith('/') ? url.slice(0, -1) : url}/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: key === '' ? {} : { Authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw statusFault(response);
    }
    return bounded(response);
  }
}

/** As many words of a list as fit in a prompt. */
function promptOf(words: readonly string[]): string {
  let prompt = '';
  for (const word of words) {
    const longer = prompt === '' ? word : `${prompt}, ${word}`;
    if (longer.length > PROMPT_CHARS) break;
    prompt = longer;
  }
  return prompt;
}

/** Overload and the endpoint's own faults are temporary. A refusal of the request is permanent. */
function statusFault({ status, headers }: Response): EndpointFault {
  const after = Number(headers.get('Retry-After'));
  const retryMs = headers.has('Retry-After') && after >= 0 ? after * 1000 : undefined;
  const isFinal = status < 500 && status !== 408 && status !== 429;
  return new EndpointFault(`it returned ${status}`, { isFinal, ...(retryMs !== undefined && { retryMs }) });
}

async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    // Leaving the loop closes the connection.
    if (bytes > LONGEST_ANSWER) throw new EndpointFault(`it returned more than ${LONGEST_ANSWER} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
