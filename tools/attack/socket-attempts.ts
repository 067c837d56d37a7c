import { chunked, type Draft, type Exchange, type Known, type Piece, requestBytes, requestId } from './attempt.ts';
import type { Dice } from './dice.ts';
import { get, head, host, type ScriptChoice, text } from './socket-scripts.ts';
import { TARGET_SAYINGS } from './target-scripts.ts';

// Attempts that need a raw socket: malformed requests, requests that two readers would read differently, requests that
// never end, and requests to the local runtime's own paths to stored data.

/** Time to wait for an answer that may never arrive, ms. */
const PATIENCE_MS = 1_500;

const TLS_HELLO = Buffer.from('16030100a5010000a10303', 'hex');

const SAYINGS: readonly ScriptChoice[] = [
  [
    8,
    (dice) => {
      const line = dice.pick([
        '',
        'GET',
        'GET /health',
        'GET  /health HTTP/1.1',
        'GET /health HTTP/9.9',
        'GET /health HTTP/1.11',
        'GET /health HTTPS/1.1',
        'get /health http/1.1',
        'G@T /health HTTP/1.1',
        'GET health HTTP/1.1',
        'GET /hea lth HTTP/1.1',
        'GET /health HTTP/1.1 extra',
        `${'A'.repeat(300)} / HTTP/1.1`,
        'PRI * HTTP/2.0',
        'SSH-2.0-OpenSSH_9.6',
        'PROXY TCP4 127.0.0.1 127.0.0.1 1 2',
        'GET /\u00e9\u00ff HTTP/1.1',
        'GET /health#fragment HTTP/1.1',
        'GET /a\u0000b HTTP/1.1',
      ]);
      return { kind: 'request line', pieces: [head(line, host)] };
    },
  ],
  [
    2,
    (dice) => ({
      kind: 'no HTTP at all',
      pieces: [dice.chance(0.3) ? TLS_HELLO : dice.bytes(dice.pick([1, 50, 5000])), 'end'],
    }),
  ],
  ...TARGET_SAYINGS,
  [
    12,
    (dice) => {
      const inner = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const cl = (n: number | string): string => `Content-Length: ${n}`;
      const te = (how: string): string => `Transfer-Encoding: ${how}`;
      const [lines, body] = dice.pick<readonly [string[], string]>([
        [[cl(6), te('chunked')], `0\r\n\r\n${inner}`],
        [[te('chunked'), cl(inner.length + 5)], `0\r\n\r\n${inner}`],
        [[te('chunked'), te('identity')], `0\r\n\r\n${inner}`],
        [[te('xchunked')], `0\r\n\r\n${inner}`],
        [[te('chunked, identity')], `0\r\n\r\n${inner}`],
        [[te('identity'), cl(3)], `0\r\n${inner}`],
        [['Transfer-Encoding : chunked'], `0\r\n\r\n${inner}`],
        [['Transfer-Encoding:\tchunked', cl(4)], `0\r\n\r\n${inner}`],
        [['Transfer-Encoding:\u000bchunked'], `0\r\n\r\n${inner}`],
        [[' Transfer-Encoding: chunked'], `0\r\n\r\n${inner}`],
        [['X: y\r\n Transfer-Encoding: chunked', cl(0)], `0\r\n\r\n${inner}`],
        [['X: y\nTransfer-Encoding: chunked'], `0\r\n\r\n${inner}`],
        [[cl(0), cl(inner.length)], inner],
        [[cl(`0, ${inner.length}`)], inner],
        [[cl(`+${inner.length}`)], inner],
        [[cl('-1')], inner],
        [[cl('0x10')], inner],
        [[cl('1e2')], inner],
        [[cl('18446744073709551616')], inner],
        [[cl('')], inner],
        [[te('chunked')], `5;${'x'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`],
        [[te('chunked')], 'ffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
        [[te('chunked')], '-5\r\nhello\r\n0\r\n\r\n'],
        [[te('chunked')], '5 \r\nhello\r\n0\r\n\r\n'],
        [[te('chunked')], '5\nhello\n0\n\n'],
        [[te('chunked')], '5\r\nhelloX\r\n0\r\n\r\n'],
        [[te('chunked')], '0\r\nMF-Original-URL: http://localhost/cdn-cgi/\r\n\r\n'],
        [[te('gzip, chunked')], '0\r\n\r\n'],
      ]);
      const path = dice.pick(['/segment/conversation', '/analyze', '/health', '/nowhere']);
      const pieces = [Buffer.concat([head(`POST ${path} HTTP/1.1`, host, ...lines), Buffer.from(body)])];
      return { kind: 'two readings of the length', pieces, mostAnswers: body.includes('smuggled') ? 2 : 1 };
    },
  ],
  [
    4,
    (dice) => {
      const lines = dice.pick([
        () => [`X-Long: ${'v'.repeat(dice.pick([8_000, 16_300, 17_000, 70_000, 300_000]))}`],
        () => Array.from({ length: dice.pick([99, 1999, 2001, 5000]) }, (_, i) => `X-${i}: v`),
        () => [`${'N'.repeat(20_000)}: v`],
        () => [`Cookie: ${'c=d; '.repeat(4000)}`],
      ])();
      const path = dice.chance(0.3) ? `/health?${'q'.repeat(dice.pick([8_000, 20_000, 100_000]))}` : '/health';
      return { kind: 'long heads', pieces: [get(path, ...lines)] };
    },
  ],
  [
    4,
    (dice, known) => {
      const expect = dice.pick(['100-continue', '100-Continue', '200-ok', '', '100-continue, x']);
      const first = head(
        'POST /segment/conversation HTTP/1.1',
        host,
        `X-API-Key: ${known.keys[0]}`,
        'Content-Type: application/json',
        `Expect: ${expect}`,
        'Content-Length: 2',
      );
      return {
        kind: 'Expect',
        hasKey: true,
        pieces: [first, ...(dice.chance(0.7) ? [100, Buffer.from('{}')] : ([] as Piece[]))],
      };
    },
  ],
  [
    5,
    (dice, known) => {
      const whole = requestBytes({
        method: 'POST',
        path: '/segment/conversation',
        headers: [
          ['X-API-Key', known.keys[0]!],
          ['Content-Type', 'application/json'],
        ],
        body: `{"timeline":"${dice.canary}"}`,
      });
      // Node treats a client that ends its side as one that left, so even a complete request may get no answer.
      const isWhole = dice.chance(0.5);
      const pieces: Piece[] = [isWhole ? whole : whole.subarray(0, dice.whole(1, whole.length - 1)), 'end'];
      return { kind: 'half-closed', hasKey: true, pieces };
    },
  ],
  [
    5,
    (dice, known) => {
      const requests = [
        get('/health'),
        get('/nowhere'),
        get('/metrics'),
        get('/metrics', `X-API-Key: ${known.keys[0]}`),
        requestBytes({ method: 'POST', path: '/segment/conversation', body: '{}' }),
        head('GET /nowhere HTTP/1.0', host),
        get('/health', 'Connection: close'),
      ];
      const count = dice.pick([2, 3, 10, 40]);
      const chosen = Array.from({ length: count }, () => dice.pick(requests.slice(0, dice.chance(0.8) ? 5 : 7)));
      return { kind: 'pipelining', hasKey: true, pieces: [Buffer.concat(chosen)], mostAnswers: count };
    },
  ],
  [
    3,
    (dice, known) => {
      const whole = requestBytes({
        method: 'POST',
        path: dice.pick(['/segment/conversation', '/analyze/live/start']),
        headers: [
          ['X-API-Key', known.keys[1]!],
          ['Content-Type', 'application/json'],
        ],
        body: '{"timeline":[]}',
      });
      const from = dice.chance(0.5) ? 0 : whole.length - 15;
      const drops = Array.from({ length: 12 }, (_, i): Piece[] => [whole.subarray(from + i, from + i + 1), 80]).flat();
      const pieces = [whole.subarray(0, from), ...drops, whole.subarray(from + 12)];
      return { kind: 'drop by drop', hasKey: true, pieces, mustAnswer: true, patience: 20_000 };
    },
  ],
  [
    6,
    (dice, known) => {
      const path = dice.pick(['/analyze', '/analyze/stream', '/segment/conversation', '/health', '/metrics']);
      const key: [string, string] = ['X-API-Key', known.keys[2]!];
      const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n${'R'.repeat(200_000)}`;
      const type: [string, string] = ['Content-Type', 'multipart/form-data; boundary=b'];
      const id: [string, string] = ['X-Request-Id', requestId(dice)];
      const whole = requestBytes({ method: 'POST', path, headers: [key, type, id], body: `${form}\r\n--b--\r\n` });
      const sent = dice.pick([20, 300, 100_000, whole.length - 5, whole.length]);
      return {
        kind: 'leaving early',
        hasKey: true,
        pieces: [whole.subarray(0, sent), dice.pick([0, 5, 100]), 'leave'],
      };
    },
  ],
  [
    4,
    (dice) => {
      const line = dice.pick([
        'CONNECT 127.0.0.1:22 HTTP/1.1',
        'CONNECT / HTTP/1.1',
        'GET /health HTTP/1.1',
        'GET /nowhere HTTP/1.1',
      ]);
      const upgrade = dice.pick(['websocket', 'h2c', 'TLS/1.0', 'x']);
      const more = [
        'Connection: Upgrade, HTTP2-Settings',
        `Upgrade: ${upgrade}`,
        'HTTP2-Settings: AAMAAABk',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version: 13',
      ];
      return {
        kind: 'CONNECT and Upgrade',
        pieces: [head(line, host, ...more)],
        method: line.slice(0, line.indexOf(' ')),
      };
    },
  ],
  [
    6,
    (dice) => {
      const line = dice.pick([
        'X: a\u0000b',
        'X\u0000: a',
        'X : a',
        'X a',
        ': a',
        'X: a\rY: b',
        ' X: a',
        'X: \u007f\u0001',
        'X: \u00ff\u00fe',
        `X-API-Key: ${dice.canary}\u0000`,
        'X-API-Key: a\r\n b',
        '__proto__: a',
        'constructor: a',
      ]);
      return { kind: 'header lines', pieces: [get(dice.pick(['/health', '/metrics', '/nowhere']), line)] };
    },
  ],
  [
    6,
    (dice) => {
      const bytes = dice.pick([
        text('GET /health', ''),
        text('GET /nowhere', ''),
        head('GET /health HTTP/1.0'),
        head('GET /nowhere HTTP/1.0', 'Connection: keep-alive'),
        head('GET /health HTTP/1.1'),
        head('GET /nowhere HTTP/1.1', host, 'Host: other'),
        head('GET /nowhere HTTP/1.1', 'Host: '),
        head('GET /nowhere HTTP/1.1', `Host: ${dice.canary}:99999`),
        head('GET /nowhere HTTP/1.1', 'Host: a b/c?d'),
        head('GET /nowhere HTTP/1.1', 'Host: [::1'),
        head('POST /segment/conversation HTTP/1.0', host, 'Transfer-Encoding: chunked'),
        text('POST /nowhere HTTP/1.0', host, '', 'body until the end'),
      ]);
      return { kind: 'other versions and hosts', pieces: [bytes, ...(dice.chance(0.3) ? (['end'] as const) : [])] };
    },
  ],
  [
    3,
    (dice, known) => {
      const named = dice.pick([
        'X-API-Key',
        'Content-Length',
        'Host',
        'X-Request-Id',
        'Transfer-Encoding',
        'close, keep-alive',
      ]);
      const lines = [
        `Connection: ${named}`,
        'TE: trailers',
        'Trailer: X-API-Key',
        'Keep-Alive: timeout=-1',
        'Proxy-Authorization: x',
      ];
      return {
        kind: 'hop headers',
        hasKey: true,
        pieces: [get('/metrics', `X-API-Key: ${known.keys[3]}`, ...lines)],
        mustAnswer: true,
      };
    },
  ],
  [
    3,
    (dice, known) => {
      const id = requestId(dice);
      const body = Buffer.concat(chunked(Buffer.from('{"timeline":[]}'), 4));
      const lines = [`X-API-Key: ${known.keys[0]}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
      const bytes = Buffer.concat([
        head('POST /segment/conversation HTTP/1.1', host, `X-Request-Id: ${id}`, ...lines),
        body,
      ]);
      return { kind: 'request ids', hasKey: true, pieces: [bytes], mustAnswer: id.length < 3000 };
    },
  ],
];

export function socketAttempt(dice: Dice): Draft {
  const say = dice.weighted(SAYINGS);
  // The known service affects only names and keys. The kind is fixed beforehand.
  const nobody: Known = { port: 0, keys: ['k', 'k', 'k', 'k'], uploadPath: 'u', session: '', admin: 'k', ids: {} };
  const state = dice.fork();
  const { kind, hasKey = false } = say(state(), nobody);
  const isDoor = ['/cdn-cgi/', 'dot segments', 'encoded paths'].includes(kind);
  return {
    route: `socket: ${kind}`,
    kind,
    key: hasKey ? 'unclear' : 'none',
    forbidden: isDoor && kind === '/cdn-cgi/',
    exchanges: (known): Exchange[] => {
      const {
        pieces,
        method = 'GET',
        mostAnswers = 1,
        mustAnswer = false,
        patience = PATIENCE_MS,
      } = say(state(), known);
      return [
        { pieces, method, mostAnswers, mustAnswer, patience: mustAnswer ? Math.max(patience, 20_000) : patience },
      ];
    },
  };
}
