import { ask, type Draft, type Header, idleHeaders, type Known, keyUse, withQuery } from './attempt.ts';
import type { Dice } from './dice.ts';
import { sessionId } from './json-attempts.ts';

// Attempts with little or no body: requests of an operator's routes, of a session's events, and of unknown paths and
// methods.

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ODD_METHODS = ['TRACE', 'PROPFIND', 'SEARCH', 'LOCK', 'PURGE', 'SUBSCRIBE', 'M-SEARCH', 'LINK'];

const PATHS = [
  '/health',
  '/metrics',
  '/analyze',
  '/analyze/stream',
  '/analyze/live/start',
  '/segment/conversation',
  '/analyze/live/x/chunk',
  '/analyze/live/x/events',
  '/analyze/live/x/control',
];

const UNKNOWN_PATHS = [
  '/index.html.bak',
  '/favicon.ico',
  '/robots.txt',
  '/.env',
  '/.git/config',
  '/analyze/',
  '/Analyze',
  '/analyze/live',
  '/analyze/live/',
  '/analyze/live//chunk',
  '/health/',
  '/healthz',
  '/analyses',
  '/sessions/x/lines',
  '/events',
  '/__proto__',
  '/constructor',
  '/%00',
  '/%E0%A4%A',
  '/%zz',
  '/health%00',
  '/health%2f',
  '/health;x=1',
  '/server-status',
  `/${'a'.repeat(4000)}`,
  `/${'a/'.repeat(2000)}`,
  '/conversations/x/media',
];

/** One request without a body, or with an unexpected one. */
function bare(
  dice: Dice,
  route: string,
  kind: string,
  method: string,
  path: string | ((known: Known) => string),
): Draft {
  const key = keyUse(dice);
  const headers = idleHeaders(dice);
  const body = dice.chance(0.05) ? dice.bytes(dice.pick([1, 100, 70_000])) : undefined;
  return {
    route,
    kind,
    key: key.state,
    exchanges: (known) => [
      ask({
        method,
        path: withQuery(typeof path === 'string' ? path : path(known), key.query(known)),
        headers: [...key.headers(known), ...headers],
        body,
      }),
    ],
  };
}

const oddQuery = (dice: Dice, path: string): string =>
  withQuery(path, dice.chance(0.3) ? dice.pick([`x=${dice.canary}`, '%00=%ff', 'a[]=1&a[]=2', '?', '%', '&&&=']) : '');

export const metricsAttempt = (dice: Dice): Draft =>
  bare(dice, 'GET /metrics', 'asked', dice.pick(['GET', 'GET', 'HEAD']), oddQuery(dice, '/metrics'));

export const healthAttempt = (dice: Dice): Draft =>
  bare(dice, 'GET /health', 'asked', dice.pick(['GET', 'GET', 'HEAD']), oddQuery(dice, '/health'));

export function unknownAttempt(dice: Dice): Draft {
  if (dice.chance(0.5)) {
    const method = dice.pick(dice.chance(0.7) ? METHODS : ODD_METHODS);
    const path = dice.pick(PATHS);
    const draft = bare(dice, 'other methods', method, method, oddQuery(dice, path));
    // The one path that is open to all.
    return method === 'HEAD' && path === '/health' ? { ...draft, key: 'unclear' } : draft;
  }
  const method = dice.pick(METHODS);
  const draft = bare(dice, 'unknown paths', 'path', method, oddQuery(dice, dice.pick(UNKNOWN_PATHS)));
  return { ...draft, forbidden: method !== 'OPTIONS' };
}

/** Time for which a consumer of an open session stays, ms. */
const STAY_MS = 300;

export function eventsAttempt(dice: Dice): Draft {
  const key = keyUse(dice);
  const last = dice.pick(['0', '-1', '1e3', '999999999999', '', ' ', 'abc', '0x1', '٣', '1.5', 'NaN', `${2 ** 63}`]);
  const headers: Header[] = dice.chance(0.6) ? [['Last-Event-ID', last]] : [];
  const method = dice.pick(['GET', 'GET', 'GET', 'HEAD']);
  const id = sessionId(dice);
  const cancelled = dice.chance(0.5);
  return {
    route: 'GET …/events',
    kind: headers.length > 0 ? 'odd Last-Event-ID' : 'plain',
    key: key.state,
    session: { suffix: '.wav', tenant: key.tenant },
    exchanges: (known) => {
      const path = withQuery(`/analyze/live/${id(known)}/events`, key.query(known));
      const events = ask({ method, path, headers: [...key.headers(known), ...headers] }, STAY_MS);
      const ownKey: Header = ['X-API-Key', known.keys[key.tenant]!];
      const headersOfControl: Header[] = [ownKey, ['Content-Type', 'application/json']];
      const at = `/analyze/live/${known.session}/control`;
      const body = '{"action":"cancel"}';
      const control = ask({ method: 'POST', path: at, headers: headersOfControl, body }, undefined, 'good');
      // On an ended session, the stream ends. On an open one, the client leaves.
      return cancelled ? [control, { ...events, patience: 5_000 }] : [{ ...events, mustAnswer: false }, control];
    },
  };
}
