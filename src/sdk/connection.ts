import { refusal, UndertoneError } from './error.ts';
import { pauseMs, wait } from './waiting.ts';

export interface UndertoneOptions {
  /** The service's address. */
  url: string | URL;
  /** The key to call it with, or what gives one: asked before each request, so that it can be renewed. */
  key?: string | (() => string | Promise<string>);
  /** A page's short-lived token in place of a key, or what gives one; or the operator's own. */
  token?: string | (() => string | Promise<string>);
  /** How often a request that failed is sent again, at most; 4 unless told otherwise. Live capture goes on for longer. */
  retries?: number;
  /** Told before each pause after which something is tried again. */
  onRetry?: (retry: Retry) => void;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface Retry {
  error: UndertoneError;
  /** Failures in a row so far. */
  failures: number;
  /** Milliseconds until it is tried again. */
  pauseMs: number;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  /** Made anew for each attempt: a body can be read once. */
  body?: () => BodyInit;
  signal?: AbortSignal | undefined;
  /**
   * Whether sending it twice comes to the same as once. Otherwise it is sent again only when the service itself said that
   * it did nothing: what became of a request without an answer nobody knows.
   */
  repeatable: boolean;
  /** Whether it goes without the key: to an address that is signed for it. */
  isSigned?: boolean;
  /** Until when an attempt must be answered, ms. Without it, it may take as long as it likes. */
  timeoutMs?: number;
  /** Whether to go on after so many failures; by the number of retries unless told otherwise. */
  goesOn?: (failures: number) => boolean;
}

const RETRIES = 4;
/** Nobody is kept waiting for longer without a word: the error says when to ask again. */
const LONGEST_WAIT_S = 60;
/** What the service answers when it turns a request away before doing anything. */
const TURNED_AWAY = ['RATE_LIMITED', 'OVERLOADED'];
/** Statuses that pass. */
const PASSING = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 530];

/** The way to one service with one key: sends requests, again where that is safe. */
export class Connection {
  readonly #base: URL;
  readonly #options: UndertoneOptions;

  constructor(options: UndertoneOptions) {
    this.#base = new URL(options.url);
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
    this.#options = options;
  }

  /** The body of an answer as JSON. @param read in place of parsing it when it is whole @throws UndertoneError */
  json<T>(path: string, call: Call, read = (response: Response) => response.json() as Promise<T>): Promise<T> {
    return this.#body(path, call, (response) =>
      response.status === 204 ? Promise.resolve(undefined as T) : read(response),
    );
  }

  /** The body of an answer as it is. @throws UndertoneError */
  blob(path: string, call: Call): Promise<Blob> {
    return this.#body(path, call, (response) => response.blob());
  }

  #body<T>(path: string, call: Call, read: (response: Response) => Promise<T>): Promise<T> {
    return this.#repeated(call, async () => {
      const response = await this.#attempt(path, call);
      try {
        return await read(response);
      } catch (cause) {
        const requestId = response.headers.get('X-Request-Id') ?? undefined;
        throw new UndertoneError('CONNECTION_FAILED', 'The answer broke off', { requestId, cause });
      }
    });
  }

  /** A successful answer, its body unread. @throws UndertoneError */
  send(path: string, call: Call): Promise<Response> {
    return this.#repeated(call, () => this.#attempt(path, call));
  }

  /** Tries until it succeeds, is refused, or has failed too often. */
  async #repeated<T>({ signal, repeatable, goesOn }: Call, attempt: () => Promise<T>): Promise<T> {
    const mayGoOn = goesOn ?? ((failures) => failures <= (this.#options.retries ?? RETRIES));
    for (let failures = 1; ; failures++) {
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UndertoneError) || !isWorthRepeating(error, repeatable) || !mayGoOn(failures))
          throw error;
        await this.pause(error, failures, signal);
      }
    }
  }

  /** Waits before the next attempt. @throws the error when the service asks for too long a wait, or the signal's reason */
  async pause(error: UndertoneError, failures: number, signal: AbortSignal | undefined): Promise<void> {
    if ((error.retryAfter ?? 0) > LONGEST_WAIT_S) throw error;
    const milliseconds = pauseMs(failures, error);
    this.#options.onRetry?.({ error, failures, pauseMs: milliseconds });
    await wait(milliseconds, signal);
  }

  async #attempt(
    path: string,
    { method = 'GET', headers, body, signal, timeoutMs, isSigned = false }: Call,
  ): Promise<Response> {
    const { fetch: send = fetch } = this.#options;
    const credentials = isSigned ? {} : await this.#credentials();
    const limits = [signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.ceil(timeoutMs))];
    let response: Response;
    try {
      response = await send(new URL(path.replace(/^\//, ''), this.#base), {
        method,
        headers: { ...credentials, ...headers },
        // A key must not follow a redirect to somebody else.
        redirect: 'manual',
        signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
        ...(body && { body: body() }),
      });
    } catch (cause) {
      throw new UndertoneError('CONNECTION_FAILED', `No answer from ${this.#base.origin}`, { cause });
    }
    if (response.ok) return response;
    throw await refusal(response);
  }

  async #credentials(): Promise<Record<string, string>> {
    const { key, token } = this.#options;
    const bearer = typeof token === 'function' ? await token() : token;
    if (bearer !== undefined) return { Authorization: `Bearer ${bearer}` };
    const said = typeof key === 'function' ? await key() : key;
    return said === undefined ? {} : { 'X-API-Key': said };
  }
}

/** A request with a body of JSON. */
export const jsonCall = (method: Call['method'], body: unknown): Pick<Call, 'method' | 'headers' | 'body'> => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: () => JSON.stringify(body),
});

/** A path with a query of what is not undefined. */
export function withQuery(path: string, parameters: object): string {
  const said = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return said.length === 0
    ? path
    : `${path}?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}`;
}

/** A path with ids in it, whatever they are. */
export const path = (strings: TemplateStringsArray, ...ids: (string | number)[]): string =>
  String.raw(strings, ...ids.map((id) => encodeURIComponent(id)));

function isWorthRepeating(error: UndertoneError, repeatable: boolean): boolean {
  return repeatable ? isPassing(error) : TURNED_AWAY.includes(error.code);
}

/** Whether the same request may succeed later. */
export const isPassing = ({ code, status }: UndertoneError): boolean =>
  code === 'CONNECTION_FAILED' || PASSING.includes(status ?? 0);
