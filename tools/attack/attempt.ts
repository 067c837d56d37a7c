import type { DescribedOperation } from '../../support/openapi/reader.ts';
import type { Dice } from './dice.ts';

/** The parts of the service under attack that an attempt may use. */
export interface Known {
  port: number;
  /** Valid keys; each a tenant. */
  keys: readonly string[];
  /** The path in R2 of an upload that was analysed, and the bytes that only it contains. */
  uploadPath: string;
  /** The session opened for this attempt, or one that does not exist. */
  session: string;
  /** The operator's token. */
  admin: string;
  /** Ids that earlier attempts of the same tenant created, by the parameter of a path that takes them. */
  ids: Readonly<Record<string, readonly string[]>>;
}

/** An action on one connection: send bytes, wait for some ms, end our side, or leave immediately. */
export type Piece = Buffer | number | 'end' | 'leave';

/** One connection. */
export interface Exchange {
  pieces: Piece[];
  /** The method of the first request: an answer to HEAD has no body. */
  method: string;
  /** Maximum number of answers that an HTTP reader may count, excluding 100. */
  mostAnswers: number;
  /** A well-formed request must get an answer. */
  mustAnswer: boolean;
  /** Validity of its key, if it differs from that of the attempt. */
  key?: KeyState;
  /** How long to wait for the answer, or to read an endless one, ms. */
  patience: number;
}

/** Validity of the key. With `none`, no part of the answer may be a success. With `unclear`, both are allowed. */
export type KeyState = 'good' | 'none' | 'unclear';

export interface Attempt {
  index: number;
  /** Row of the table. */
  route: string;
  /** The unusual part of it. */
  kind: string;
  key: KeyState;
  /** A path that does not exist for any key. */
  forbidden?: boolean;
  /** Number of the key that it uses, or almost uses. */
  tenant?: number;
  /** The operation in the service's own description that it requests. Every answer must match it. */
  described?: DescribedOperation;
  /**
   * The id in a successful answer: the path parameter that accepts it, and the member of the answer that contains it.
   */
  makes?: readonly [parameter: string, member: string];
  /** A live session to open beforehand: its suffix, and the number of the key that owns it. */
  session?: { suffix: string; tenant: number };
  /** Connections one after the other. Each knows more than the attempt before it could. */
  exchanges: (known: Known) => Exchange[];
}

/** An attempt before it is numbered. */
export type Draft = Omit<Attempt, 'index'>;

/** Time limit of an ordinary request, including the time that its analysis waits. */
const PATIENCE_MS = 60_000;

export type Header = readonly [name: string, value: string];

export interface PlainRequest {
  method: string;
  path: string;
  headers?: readonly Header[];
  body?: Buffer | string;
  /** Sends the body in chunks of this many bytes instead of giving its length. */
  chunkBytes?: number;
}

/** The bytes of a well-formed HTTP/1.1 request. Text is written as latin1, so that any byte can be expressed. */
export function requestBytes({ method, path, headers = [], body, chunkBytes }: PlainRequest): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const length: Header[] =
    bytes === undefined
      ? []
      : [chunkBytes ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(bytes.length)]];
  const lines = [['Host', 'localhost'], ...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (bytes === undefined) return head;
  return Buffer.concat([head, ...(chunkBytes ? chunked(bytes, chunkBytes) : [bytes])]);
}

export function chunked(bytes: Buffer, size: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return [...parts, Buffer.from('0\r\n\r\n')];
}

/** One well-formed request on a separate connection. */
export const ask = (request: PlainRequest, patience = PATIENCE_MS, key?: KeyState): Exchange => ({
  pieces: [requestBytes(request)],
  method: request.method,
  mostAnswers: 1,
  mustAnswer: true,
  key,
  patience,
});

/** Valid keys, each of a separate tenant. */
export const TENANTS = 4;

/** The way in which a request sends its key. */
export interface KeyUse {
  state: KeyState;
  /** Number of the valid key that is used, or almost used. */
  tenant: number;
  headers: (known: Known) => Header[];
  /** Comes after `?` or `&`. Empty for none. */
  query: (known: Known) => string;
}

const noHeaders = (): Header[] => [];
const noQuery = (): string => '';

/** Mostly a valid key, so that the attempt reaches the code behind it. */
export function keyUse(dice: Dice): KeyUse {
  const { canary } = dice;
  const tenant = dice.whole(0, TENANTS - 1);
  const good = ({ keys }: Known) => keys[tenant]!;
  const use = (state: KeyState, headers: KeyUse['headers'] = noHeaders, query: KeyUse['query'] = noQuery): KeyUse => ({
    state,
    tenant,
    headers,
    query,
  });
  const header: KeyUse['headers'] = (known) => [['X-API-Key', good(known)]];
  const query: KeyUse['query'] = (known) => `api_key=${good(known)}`;
  return dice.weighted<KeyUse>([
    [72, use('good', header)],
    [8, use('good', noHeaders, query)],
    [3, use('good', () => [['X-API-Key', '']], query)],
    [4, use('none')],
    [3, use('none', () => [['X-API-Key', `wrong-${canary}`]])],
    [2, use('none', noHeaders, () => `api_key=wrong-${canary}`)],
    [1, use('none', () => [['X-API-Key', canary.repeat(800)]])],
    [1, use('none', (known) => [['X-API-Key', `${good(known)}\u00e9\u0080`]])],
    [1, use('none', noHeaders, () => 'api_key[]=&api_key=%00&api_key=__proto__')],
    [1, use('none', (known) => [['Authorization', `Bearer ${good(known)}`]])],
    [1, use('unclear', () => [['X-API-Key', `wrong-${canary}`]], query)],
    [1, use('unclear', (known) => [...header(known), ...header(known)])],
    [1, use('unclear', (known) => [['X-API-Key', ` ${good(known)}\t`]])],
  ]);
}

export const withQuery = (path: string, ...parts: string[]): string => {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
};

/** Headers that change nothing, or should not. */
export function idleHeaders(dice: Dice): Header[] {
  const headers: Header[] = [];
  if (dice.chance(0.5)) headers.push(['Connection', dice.pick(['close', 'keep-alive', 'close, TE'])]);
  if (dice.chance(0.1)) headers.push(['Origin', dice.pick(['null', 'https://example.com', 'file://'])]);
  if (dice.chance(0.1)) headers.push(['X-Request-Id', requestId(dice)]);
  if (dice.chance(0.1))
    headers.push(['Accept', dice.pick(['*/*', 'text/plain', 'text/html', ';;;q=x', 'a'.repeat(900)])]);
  if (dice.chance(0.1)) headers.push(['Accept-Encoding', dice.pick(['gzip', 'br, zstd', 'identity;q=0', '*;q=0'])]);
  if (dice.chance(0.05)) headers.push(['Range', dice.pick(['bytes=0-0', 'bytes=-1', 'bytes=9-1,0-,x'])]);
  if (dice.chance(0.05)) headers.push(['If-None-Match', '*'], ['If-Modified-Since', 'yesterday']);
  if (dice.chance(0.05)) headers.push(['Cookie', 'a='.repeat(dice.whole(1, 900))]);
  return headers;
}

export const requestId = (dice: Dice): string =>
  dice.pick([
    'a',
    'twice-the-same',
    'a b;c,d',
    '\u00e9\u00ff',
    '../..',
    '{"a":1}',
    'x'.repeat(255),
    'x'.repeat(3000),
    '"',
  ]);
