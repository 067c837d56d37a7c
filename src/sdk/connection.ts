import { refusal, UndertoneError } from './error.ts';
import { pauseMs, wait } from './waiting.ts';

export interface UndertoneOptions {
  /** The service's URL, with http:// or https://. */
  url: string | URL;
  /**
   * The key, or a function that returns one. The function is called before each request, so that the key can be
   * renewed.
   */
  key?: string | (() => string | Promise<string>);
  /**
   * A page's short-lived token, used instead of a key. It serves the one session or upload that it opened, until that
   * ends. This can also be a function that returns such a token and is called before each request, or the operator's
   * admin token.
   */
  token?: string | (() => string | Promise<string>);
  /** Number of retries of a failed request. The default is 4. Live capture keeps trying for longer. */
  retries?: number;
  /** Called before each pause before another attempt. */
  onRetry?: (retry: Retry) => void;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface Retry {
  error: UndertoneError;
  /** Number of consecutive failures so far. */
  failures: number;
  /** Milliseconds until the next attempt. */
  pauseMs: number;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  /** Creates the body for each attempt, because a body can be read only once. */
  body?: () => BodyInit;
  signal?: AbortSignal | undefined;
  /**
   * Whether the request is idempotent. Other requests are repeated only if the service reported that it did nothing,
   * because without a response their outcome is unknown.
   */
  repeatable: boolean;
  /** Whether the URL is presigned, in which case no credentials are sent. */
  isSigned?: boolean;
  /** Time limit of an attempt, ms. No limit if absent. */
  timeoutMs?: number;
  /** Whether to try again after this many failures. By default this depends on the number of retries. */
  keepTrying?: (failures: number) => boolean;
}

const RETRIES = 4;
/** If the service asks for a longer wait than this, the error is thrown instead. */
const MAX_WAIT_S = 60;
/** Error codes with which the service refuses a request before doing anything. */
const REFUSED_UNTOUCHED = ['RATE_LIMITED', 'OVERLOADED'];
/** HTTP statuses that may be temporary. */
const TEMPORARY = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529, 530];

/** Sends requests to one service with one key, and repeats them where that is safe. */
export class Connection {
  readonly #base: URL;
  readonly #options: UndertoneOptions;

  /** @throws TypeError if the URL does not use http or https */
  constructor(options: UndertoneOptions) {
    this.#base = serviceAddress(options.url);
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
    this.#options = options;
  }

  /**
   * The body of a response, parsed as JSON. @param read replaces the parsing of the whole body @throws UndertoneError
   */
  json<T>(path: string, call: Call, read = (response: Response) => response.json() as Promise<T>): Promise<T> {
    return this.#body(path, call, (response) =>
      response.status === 204 ? Promise.resolve(undefined as T) : read(response),
    );
  }

  /** The body of a response as bytes. @throws UndertoneError */
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
        throw new UndertoneError('CONNECTION_FAILED', 'The response ended early', { requestId, cause });
      }
    });
  }

  /** A successful response whose body has not been read. @throws UndertoneError */
  send(path: string, call: Call): Promise<Response> {
    return this.#repeated(call, () => this.#attempt(path, call));
  }

  /** Repeats an attempt until it succeeds, is refused, or has failed too often. */
  async #repeated<T>({ signal, repeatable, keepTrying }: Call, attempt: () => Promise<T>): Promise<T> {
    const mayRepeat = keepTrying ?? ((failures) => failures <= (this.#options.retries ?? RETRIES));
    for (let failures = 1; ; failures++) {
      try {
        return await attempt();
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof UndertoneError) || !isWorthRepeating(error, repeatable) || !mayRepeat(failures))
          throw error;
        await this.pause(error, failures, signal);
      }
    }
  }

  /** Waits before the next attempt. @throws the error if the service asks for too long a wait, or the signal's reason */
  async pause(error: UndertoneError, failures: number, signal: AbortSignal | undefined): Promise<void> {
    if ((error.retryAfter ?? 0) > MAX_WAIT_S) throw error;
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
        // A redirect must not pass the key on to another host.
        redirect: 'manual',
        signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
        ...(body && { body: body() }),
      });
    } catch (cause) {
      throw new UndertoneError('CONNECTION_FAILED', `No response from ${this.#base.origin}`, { cause });
    }
    if (response.ok) return response;
    throw await refusal(response);
  }

  async #credentials(): Promise<Record<string, string>> {
    const { key, token } = this.#options;
    const bearer = typeof token === 'function' ? await token() : token;
    if (bearer !== undefined) return { Authorization: `Bearer ${bearer}` };
    const current = typeof key === 'function' ? await key() : key;
    return current === undefined ? {} : { 'X-API-Key': current };
  }
}

/** Without a scheme, `localhost:8787` would parse as a URL with the scheme `localhost`. */
function serviceAddress(url: string | URL): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new TypeError(`url is "${url}": it must be a complete URL, such as http://localhost:8787`);
}

/** A request with a JSON body. */
export const jsonCall = (method: Call['method'], body: unknown): Pick<Call, 'method' | 'headers' | 'body'> => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: () => JSON.stringify(body),
});

/** Appends a query to a path, leaving out undefined parameters. */
export function withQuery(path: string, parameters: object): string {
  const defined = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return defined.length === 0
    ? path
    : `${path}?${new URLSearchParams(defined.map(([name, value]) => [name, String(value)]))}`;
}

/** A path with encoded ids. */
export const path = (strings: TemplateStringsArray, ...ids: (string | number)[]): string =>
  String.raw(strings, ...ids.map((id) => encodeURIComponent(id)));

function isWorthRepeating(error: UndertoneError, repeatable: boolean): boolean {
  // An upload that was kept must not be sent again.
  return repeatable ? isTemporary(error) : REFUSED_UNTOUCHED.includes(error.code) && !error.conversationId;
}

/** Whether the same request may succeed later. */
export const isTemporary = ({ code, status }: UndertoneError): boolean =>
  code === 'CONNECTION_FAILED' || TEMPORARY.includes(status ?? 0);
