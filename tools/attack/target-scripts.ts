import type { Known } from './attempt.ts';
import { get, head, host, type ScriptChoice } from './socket-scripts.ts';

// Requests with an unusual target: other forms and spellings of a path, and the local runtime's own paths.

/** Paths of the local runtime, and of a bucket that was made public. */
const doors = ({ uploadPath }: Known): string[] => [
  `/cdn-cgi/local/r2/public/undertone-media/${uploadPath}`,
  `/cdn-cgi/local/r2/public/undertone-media/${uploadPath.replace(/[^/]*$/, 'result.json')}`,
  `/cdn-cgi/local/r2/public/MEDIA/${uploadPath}`,
  '/cdn-cgi/local/r2/s3/undertone-media?list-type=2',
  `/cdn-cgi/local/r2/s3/undertone-media/${uploadPath}`,
  '/cdn-cgi/local/explorer',
  '/cdn-cgi/local/explorer/api/r2/buckets',
  '/cdn-cgi/local/platform-proxy',
  '/cdn-cgi/local/scheduled',
  '/cdn-cgi/local/email',
  '/cdn-cgi/access/login',
  '/cdn-cgi/InspectorProxyWorker/websocket',
  '/cdn-cgi/ProxyWorker/pause',
  '/cdn-cgi/',
  '/cdn-cgi/mf/reload',
  '/core/user/undertone',
];

const MF_HEADERS = [
  'MF-Original-URL',
  'MF-Original-Hostname',
  'MF-Route-Override',
  'MF-Custom-Fetch-Service',
  'MF-Custom-Node-Service',
  'MF-Op',
  'MF-Op-Target',
  'MF-Op-Key',
  'MF-Op-Original-URL',
  'MF-Proxy-Shared-Secret',
  'MF-Op-Secret',
  'MF-Loopback-Secret',
  'MF-CF-Blob',
  'MF-Access-Blob',
  'MF-Disable-Pretty-Error',
  'MF-Experimental-Error-Stack',
  'mf-original-url',
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Host',
  'X-HTTP-Method-Override',
  'CF-Connecting-IP',
  'CF-Worker',
];

export const TARGET_SAYINGS: readonly ScriptChoice[] = [
  [
    4,
    (dice, known) => {
      const base = dice.pick([
        'http://localhost',
        'http://example.com',
        'https://127.0.0.1:1',
        'ftp://x',
        'HTTP://a@b',
        '//',
      ]);
      const path = dice.pick(['/health', '/metrics', '/nowhere', ...doors(known)]);
      return { kind: 'absolute form', pieces: [get(base + path)] };
    },
  ],
  [
    3,
    (dice) => {
      const method = dice.pick(['OPTIONS', 'OPTIONS', 'GET', 'POST', 'HEAD', 'TRACE']);
      return { kind: '* for a path', method, pieces: [head(`${method} * HTTP/1.1`, host, 'Content-Length: 0')] };
    },
  ],
  [
    8,
    (dice, known) => {
      const door = dice.pick(doors(known));
      const way = dice.pick([
        `/x/..${door}`,
        `/health/..${door}`,
        `/./${door.slice(1)}`,
        `/${door}`,
        `//localhost${door}`,
        door.replaceAll('/', '\\'),
        `/%2e%2e${door}`,
        `/x/%2e%2e${door}`,
        `/x/.%2E${door}`,
        `/..;${door}`,
        '/../../../../etc/passwd',
        '/health/../metrics',
        '/analyze/live/../../health',
        `/x/..\t${door}`,
      ]);
      return { kind: 'dot segments', pieces: [get(way)] };
    },
  ],
  [
    5,
    (dice, known) => {
      const door = dice.pick(doors(known));
      const coded = dice.pick([
        door.replaceAll('/', '%2f'),
        door.replace('/cdn-cgi', '/%63dn-cgi'),
        door.replace('/cdn-cgi', '/cdn%2dcgi'),
        door.replaceAll('/', '%252f'),
        `/%c0%ae%c0%ae${door}`,
        door.replace('cdn', 'CDN'),
        `${door}%00`,
        `/health%2f..%2f${door}`,
        `/health?${door}`,
        `/health#${door}`,
        `/%ff%fe${door}`,
      ]);
      return { kind: 'encoded paths', pieces: [get(coded)] };
    },
  ],
  [
    8,
    (dice, known) => {
      const method = dice.pick(['GET', 'GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);
      const keyed = dice.chance(0.3);
      const key = keyed ? [`X-API-Key: ${known.keys[0]}`] : [];
      return {
        kind: '/cdn-cgi/',
        method,
        hasKey: keyed,
        pieces: [head(`${method} ${dice.pick(doors(known))} HTTP/1.1`, host, ...key, 'Content-Length: 0')],
        mustAnswer: true,
      };
    },
  ],
  [
    8,
    (dice, known) => {
      const door = dice.pick(doors(known));
      const value = dice.pick([
        `http://localhost${door}`,
        door,
        'GET',
        'Proxy',
        '{}',
        'core:entry',
        '[object Object]',
        '1',
      ]);
      const name = dice.pick(MF_HEADERS);
      const name2 = dice.pick(MF_HEADERS);
      return {
        kind: "the runtime's headers",
        pieces: [get(dice.pick(['/health', '/nowhere', '/metrics']), `${name}: ${value}`, `${name2}: ${value}`)],
        mustAnswer: true,
      };
    },
  ],
];
