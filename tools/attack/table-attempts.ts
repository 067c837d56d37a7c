import fc from 'fast-check';
import { ACCESS, type Access } from '../../src/contract/access.ts';
import type { DescribedOperation } from '../../support/openapi/reader.ts';
import { type FuzzedRequest, requestsOf } from '../../support/openapi/requests.ts';
import { ask, type Draft, type Header, idleHeaders, type KeyUse, type Known, keyUse, withQuery } from './attempt.ts';
import { describedAs, reader } from './description.ts';
import type { Dice } from './dice.ts';
import { hostileText, textLength } from './hostile-texts.ts';
import { ODD_VALUES } from './json-attempts.ts';
import { encodeForm, field, filePart } from './upload-attempts.ts';

// Attempts on every route of the service's table (contract/access.ts). They are requests made from its own description,
// valid or invalid, with hostile texts and values in any position, and mostly with existing ids.

interface Row {
  /** In the form of the table. */
  route: string;
  access: Access;
  described: DescribedOperation;
  requests: fc.Arbitrary<FuzzedRequest>;
}

const ROWS: readonly Row[] = Object.entries(ACCESS).map(([route, access]) => {
  const described = describedAs(route);
  return { route, access, described, requests: requestsOf(reader, described) };
});

/** The id in a route's answer, by the parameter of the paths that take it, and its member in the answer. */
const MAKES: Readonly<Record<string, readonly [parameter: string, member: string]>> = {
  'POST /analyze': ['conversation_id', 'conversation_id'],
  'POST /uploads': ['upload_id', 'id'],
  'POST /webhooks': ['webhook_id', 'id'],
  'POST /rules': ['rule_id', 'id'],
  'POST /playlists': ['playlist_id', 'id'],
  'POST /playlists/:playlist_id/items': ['item_id', 'id'],
  'POST /shares': ['share_id', 'id'],
  'POST /holds': ['hold_id', 'id'],
  'POST /people': ['person_id', 'id'],
  'POST /keys': ['key_id', 'id'],
  'POST /tenants': ['tenant_id', 'id'],
  'POST /tokens': ['token', 'token'],
};

/** Existing names that never change. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  number: ['1', '2'],
  page: ['first-analysis', 'no-such-page', 'style.css', 'first-analysis.md', 'conversations'],
  name: ['events.json', 'webhooks.json'],
  id: ['some'],
};

/** URLs that a client may send, of this machine and of nobody. None may ever be called. */
const targets = ({ port }: Known): readonly string[] => [
  `http://127.0.0.1:${port}/health`,
  `http://localhost:${port}/metrics`,
  `http://[::ffff:127.0.0.1]:${port}/`,
  `http://0x7f.1:${port}/`,
  `http://2130706433:${port}/`,
  `http://127.1:${port}/x#@example.com`,
  `http://user@127.0.0.1:${port}/`,
  'http://169.254.169.254/latest/meta-data/',
  'http://[fe80::1%25lo]/',
  'http://10.0.0.1/a.wav',
  'https://nobody.invalid/hook',
  'http://nobody.invalid:99999/',
  'file:///etc/passwd',
];

/** The caller, who is mostly one that is allowed. */
function callerOf(dice: Dice, access: Access): KeyUse {
  const use = keyUse(dice);
  if (access === 'open') return { ...use, state: 'unclear' };
  const isForOperator = access === 'operator' || access === 'admin';
  const bearer = (token: (known: Known) => string): KeyUse['headers'] => {
    return (known) => [['Authorization', `Bearer ${token(known)}`]];
  };
  const query = (): string => '';
  if (isForOperator && dice.chance(0.85))
    return { ...use, state: 'good', headers: bearer(({ admin }) => admin), query };
  // A wrong operator token delays everyone at the same address, so it is rare.
  if (isForOperator && dice.chance(0.05))
    return { ...use, state: 'none', headers: bearer(() => 'x'.repeat(40)), query };
  if (access === 'operator' || access === 'pipeline') return { ...use, state: 'none' };
  if (access === 'admin') return { ...use, state: 'unclear' };
  if (typeof access === 'object' && access.token && dice.chance(0.1)) {
    const at = dice.whole(0, 1e6);
    const token = ({ ids }: Known): string => taken(ids.token, at);
    if (dice.chance(0.5)) return { ...use, state: 'unclear', headers: bearer(token), query };
    return { ...use, state: 'unclear', headers: () => [], query: (known) => `token=${token(known)}` };
  }
  return use;
}

const taken = (there: readonly string[] | undefined, at: number): string =>
  there === undefined || there.length === 0 ? 'none' : there.at(-1 - (at % Math.min(there.length, 20)))!;

/** The path of a request, with the ids known at its time. */
function pathOf(
  { described, path }: { described: DescribedOperation; path: FuzzedRequest['path'] },
  known: Known,
): string {
  return described.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? 0;
    if (name === 'session_id' && typeof value === 'number') return known.session;
    const text = typeof value === 'number' ? taken(FIXED[name] ?? known.ids[name], value) : value;
    return encodeURIComponent(text.toWellFormed()).replace(/^\.*$/, 'dots');
  });
}

/** A text in which the value of one member, at any depth, becomes hostile. */
function spoiled(dice: Dice, json: string): string {
  const places = [...json.matchAll(/(?<=[:[,])(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(?=[,\]}])/g)];
  const place = places[dice.whole(0, Math.max(0, places.length - 1))];
  if (!place) return dice.pick(ODD_VALUES);
  const other = dice.chance(0.6)
    ? JSON.stringify(`${dice.canary} ${hostileText(dice, textLength(dice, 300_000))}`)
    : dice.pick(ODD_VALUES);
  return `${json.slice(0, place.index)}${other}${json.slice(place.index + place[0].length)}`;
}

interface Sent {
  type?: string;
  body?: (known: Known) => Buffer | string;
}

function bodyOf(dice: Dice, { body, operation }: FuzzedRequest): Sent {
  if (operation.method === 'GET' || body.kind === 'none') return {};
  if (body.kind === 'text') return { type: body.type, body: () => body.text };
  if (body.kind === 'json') {
    const text = JSON.stringify(body.value) ?? '';
    const said = dice.chance(0.35) ? spoiled(dice, text) : text;
    const at = dice.whole(0, 1e6);
    const target = (known: Known): string => JSON.stringify(targets(known)[at % targets(known).length]);
    return { type: 'application/json', body: (known) => said.replaceAll(/"https?:[^"]*"/g, () => target(known)) };
  }
  const boundary = `t${dice.whole(0, 1e9)}`;
  const parts = Object.entries(body.fields).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    // Excludes names that break the form itself: other attempts do that.
    const plain = name.replaceAll(/[^\w-]/g, '_');
    if (name === 'file' || name === 'chunk') return filePart(plain, 'call.wav', Buffer.from(text));
    return field(plain, dice.chance(0.1) ? hostileText(dice, textLength(dice, 70_000)) : text);
  });
  return { type: `multipart/form-data; boundary=${boundary}`, body: () => encodeForm(parts, boundary) };
}

/** A header that can be written at all. */
const writable = (value: string): string => value.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?');
/** A stream that continues is left after this time, ms. */
const STREAM_MS = 5_000;
/** Looking up an address, and giving up on its host, takes half a minute. */
const PATIENCE_MS = 90_000;

export function tableAttempt(dice: Dice, { route, access, described, requests } = dice.pick(ROWS)): Draft {
  const seed = dice.whole(0, 2 ** 31 - 1);
  const [request] = fc.sample(requests, { seed, numRuns: 1 });
  if (!request) throw new Error(`no request of ${route}`);
  const key = callerOf(dice, access);
  const { type, body } = bodyOf(dice, request);
  const own = Object.entries(request.headers).map(([name, value]): Header => [name, writable(value)]);
  const idle = idleHeaders(dice).filter(([name]) => !own.some(([other]) => other.toLowerCase() === name.toLowerCase()));
  const contentType: Header[] = type === undefined || type === '' ? [] : [['Content-Type', type]];
  const query = Object.entries(request.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`,
  );
  const isStream = described.path.endsWith('/events');
  return {
    route,
    kind: `described, ${request.body.kind}`,
    key: key.state,
    described,
    tenant: key.tenant,
    makes: MAKES[route],
    session: route.includes(':session_id') ? { suffix: '.wav', tenant: key.tenant } : undefined,
    exchanges: (known) => [
      ask(
        {
          method: described.method,
          path: withQuery(pathOf({ described, path: request.path }, known), key.query(known), ...query),
          headers: [...key.headers(known), ...contentType, ...own, ...idle],
          body: body?.(known),
        },
        isStream ? STREAM_MS : PATIENCE_MS,
      ),
    ],
  };
}

/** Every route of the table. */
export const TABLE: readonly string[] = ROWS.map(({ route }) => route);
