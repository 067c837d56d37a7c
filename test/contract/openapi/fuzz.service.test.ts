import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EchoPipeline, startEchoPipeline } from '../../../support/echo-pipeline.ts';
import { CLIENT_ID, CLIENT_SECRET, type FakeIssuer, startFakeIssuer } from '../../../support/fake-issuer.ts';
import { type LocalServer, startServer } from '../../../support/local-server.ts';
import { faultsOf, type ReceivedResponse } from '../../../support/openapi/judge.ts';
import { type DescribedOperation, type Json, operationsOf, Reader } from '../../../support/openapi/reader.ts';
import { type FuzzedRequest, requestsOf } from '../../../support/openapi/requests.ts';
import {
  ADMIN_TOKEN,
  DEMO_KEY,
  form,
  KEY,
  startService,
  type TestService,
} from '../../../support/service-under-test.ts';

// Sends valid and invalid requests that are generated from the service's own document. The service must not fail
// internally, and the document must describe every response. `npm run test:fuzz` sends 5,000 with a new seed each time.
// FUZZ_REQUESTS=50000 FUZZ_MINUTES=40 sends as many of 50,000 as that time allows.

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 560);
const SEED = Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_REQUESTS ? Date.now() % 2 ** 31 : 20_261_122));
/** How long an endless stream is read, ms. */
const STREAM_MS = 400;
const AT_ONCE = 4;
/** Number of requests to each operation after which objects are created anew, because deletions by a filter leave none. */
const FURNISH_EVERY = 5;
/** Codes of errors for a connection that the other side closed. */
const CLOSED: unknown[] = ['UND_ERR_SOCKET', 'EPIPE', 'ECONNRESET'];
/** Time after which no more requests are sent, for a large number on a slow machine. */
const MINUTES = Number(process.env.FUZZ_MINUTES ?? Number.POSITIVE_INFINITY);

let service: TestService;
let echo: EchoPipeline;
/** Resolves no name, and is every other host. */
let outside: LocalServer;
let document: Json;
let reader: Reader;
/** Existing ids by path parameter. */
const known: Record<string, string[]> = {
  number: ['1'],
  page: ['first-analysis', 'no-such-page', 'style.css', 'first-analysis.md'],
  name: ['events.json', 'webhooks.json'],
  id: ['some'],
  email: ['anna@example.com', 'ben@example.com', 'carla@example.com', 'dora@example.com'],
  admin_token: [ADMIN_TOKEN],
};
/** The id of the owner, by the id of what it owns. */
const owners = new Map<string, string>();
let token = '';
let issuer: FakeIssuer;

beforeAll(async () => {
  echo = await startEchoPipeline();
  // A host that does not respond would occupy one of the tenant's downloads for 30 s.
  outside = await startServer((_, response) => void response.end('{"Status":3}'));
  issuer = await startFakeIssuer();
  const settings = {
    DNS_RESOLVER_URL: outside.url,
    ALLOW_PRIVATE_TARGETS: 'true',
    MAX_SESSIONS_PER_KEY: '1000',
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
  };
  service = await startService({ RUNTIME_URL: echo.url, ...settings });
  document = await (await fetch(new URL('/openapi.json', service.url))).json();
  reader = new Reader(document);
});
afterAll(async () => {
  await service?.stop();
  await echo?.close();
  await outside?.close();
  issuer?.close();
});

/** Creates one object for every path parameter. */
async function furnish(): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const isFirst = known.conversation_id === undefined;
  const made = async (path: string, body: object): Promise<Json> => {
    const response = await service.post(path, JSON.stringify(body), headers);
    const text = await response.text();
    // Later, a limit on the number of such objects may have been reached.
    if (!response.ok && isFirst) throw new Error(`${path}: ${text}`);
    return JSON.parse(text);
  };
  for (let n = 0; n < 3; n++) {
    learn(await made('/analyze/live/start', { suffix: '.wav' }));
    learn(await made('/uploads', { filename: 'call.wav', bytes: 5 }), 'upload_id');
    learn(await made('/webhooks', { url: 'https://example.com/hook' }), 'webhook_id');
    learn(await (await service.admin('POST', '/tenants', { name: 'fuzz' })).json(), 'tenant_id');
    learn(await service.issue(), 'key_id');
    learn(await (await service.post('/analyze', form('call.wav', 'x'.repeat(20_000)))).json());
    const conversation_id = known.conversation_id!.at(-1)!;
    learn(await made('/rules', { name: `rule ${n}`, when: { said: { phrases: ['price'] } } }), 'rule_id');
    learn(await made('/people', { name: `Anna ${n}` }), 'person_id');
    learn(
      await made('/views', { name: crypto.randomUUID(), page: 'patterns', query: 'category=objection' }),
      'view_id',
    );
    learn(await made('/shares', { conversation_id }), 'share_id');
    learn(await made('/playlists', { name: `playlist ${n}` }), 'playlist_id');
    const playlist = known.playlist_id!.at(-1)!;
    const item = await made(`/playlists/${playlist}/items`, { conversation_id, from: 0, to: 1 });
    learn(item, 'item_id', { playlist_id: playlist });
    learn(await made(`/conversations/${conversation_id}/comments`, { at: 0, text: 'listen' }), undefined, {
      conversation_id,
    });
  }
  // The examples of the document filter by this label.
  await made('/conversations/batch', { ids: known.conversation_id!.slice(-3), labels: { add: ['acme'] } });
  token = (await made('/tokens', { for: { conversation: known.conversation_id?.[0] } })).token;
}

/** The kind of the owner, for each kind of id that has one. */
const OWNERS: Readonly<Record<string, string>> = {
  comment_id: 'conversation_id',
  delivery_id: 'webhook_id',
  item_id: 'playlist_id',
};

/** The kind of the ids in members and query parameters that have another name than its path parameter. */
const NAMES: Readonly<Record<string, string>> = {
  tenant: 'tenant_id',
  person: 'person_id',
  rule: 'rule_id',
  token: 'admin_token',
};

/**
 * A copy of a value with the ids of existing things in place of its own.
 * @param conversation whose first utterance it names
 */
function linked(value: Json, to: number, conversation = ''): Json {
  if (Array.isArray(value)) return value.map((one) => linked(one, to, conversation));
  if (typeof value !== 'object' || value === null) return value;
  const own = 'conversation_id' in value ? taken(known.conversation_id!, to, false) : conversation;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member !== 'string') return [name, linked(member, to, own)];
      if (name === 'utterance_id') return [name, `${own}_utt_0`];
      const there = name in NAMES || name.endsWith('_id') ? known[NAMES[name] ?? name] : undefined;
      return [name, there ? taken(there, to, false) : member];
    }),
  );
}

/**
 * Collects the ids in a response for later requests.
 * @param idIs the kind of its `id`
 * @param path the path parameters of the request
 */
function learn(body: Json, idIs?: string, path: Record<string, string> = {}): void {
  const learnt = Object.entries<Json>(body ?? {}).filter(([name]) => name.endsWith('_id'));
  if (idIs !== undefined) learnt.push([idIs, body?.id]);
  for (const [kind, id] of learnt) {
    // A live session has no result yet.
    if (typeof id !== 'string' || (kind === 'conversation_id' && body.session_id !== undefined)) continue;
    if (!known[kind]?.includes(id)) known[kind] = [...(known[kind] ?? []), id];
    const owner = path[OWNERS[kind] ?? ''];
    if (owner !== undefined) owners.set(id, owner);
  }
}

/** One of the newest ids, or the oldest for deletions, so that some remain for other requests. */
function taken(there: string[], value: number, isLast: boolean): string {
  if (!isLast) return there.at(-1 - (value % Math.min(there.length, 6)))!;
  return there.length > 2 ? there.shift()! : 'none';
}

/** The path parameter of the object that an operation creates. */
const MAKES: Readonly<Record<string, string>> = {
  openUpload: 'upload_id',
  addWebhook: 'webhook_id',
  issueKey: 'key_id',
  rotateKey: 'key_id',
  addTenant: 'tenant_id',
  addRule: 'rule_id',
  addPerson: 'person_id',
  addView: 'view_id',
  makeShare: 'share_id',
  sharePlaylist: 'share_id',
  addPlaylist: 'playlist_id',
  addPlaylistItem: 'item_id',
  holdConversation: 'hold_id',
  holdMatching: 'hold_id',
  redactConversation: 'redaction_id',
  redactMatching: 'redaction_id',
};

/** The path parameters of a request. An owned thing comes with the id of its owner. */
function idsOf({ operation, path }: FuzzedRequest): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [name, value] of Object.entries(path).reverse()) {
    const owned = Object.entries(ids).find(([kind]) => OWNERS[kind] === name)?.[1];
    const there = known[name] ?? ['none'];
    ids[name] =
      owners.get(owned ?? '') ??
      (typeof value === 'number' ? taken(there, value, operation.method === 'DELETE' && owned === undefined) : value);
  }
  return ids;
}

async function send(request: FuzzedRequest, ids: Record<string, string>): Promise<ReceivedResponse> {
  const { operation, headers, caller, linkedTo } = request;
  const query: FuzzedRequest['query'] = linkedTo === undefined ? request.query : linked(request.query, linkedTo);
  const place = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name]!).replace(/^\.+$/, 'dots'),
  );
  const url = new URL(place, service.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const sent = new Headers(headers);
  if (operation.operation.operationId === 'mcp') sent.set('Accept', 'application/json, text/event-stream');
  if (caller === 'key') sent.set('X-API-Key', KEY);
  if (caller === 'demo') sent.set('X-API-Key', DEMO_KEY);
  if (caller === 'wrong') sent.set('X-API-Key', 'nobody');
  if (caller === 'address') url.searchParams.set('api_key', KEY);
  if (caller === 'token') sent.set('Authorization', `Bearer ${token}`);
  if (caller === 'operator') sent.set('Authorization', `Bearer ${ADMIN_TOKEN}`);
  const ask = (): Promise<Response> =>
    fetch(url, {
      method: operation.method,
      headers: sent,
      body: bodyOf(request, sent, ids.conversation_id),
      redirect: 'manual',
      // An address without a name may not respond for 30 s, and a tenant's downloads wait for one another.
      signal: AbortSignal.timeout(200_000),
    });
  // The local runtime closes a connection after an answer that did not want the body, and an idle one after 5 s, also
  // while a request is on its way. The front door of `npm start` survives both.
  const response = await ask()
    .catch((error) => (CLOSED.includes(error.cause?.code) ? ask() : Promise.reject(error)))
    .catch((cause) => {
      const asked = JSON.stringify(request).slice(0, 500);
      throw new Error(`${operation.method} ${url.pathname} was not answered: ${asked}`, { cause });
    });
  return received(response);
}

function bodyOf(
  { operation, body, linkedTo }: FuzzedRequest,
  headers: Headers,
  conversation?: string,
): BodyInit | undefined {
  if (operation.method === 'GET' || body.kind === 'none') return undefined;
  if (body.kind === 'json') {
    headers.set('Content-Type', 'application/json');
    // Nothing outside the test may be called.
    const text = JSON.stringify(linkedTo === undefined ? body.value : linked(body.value, linkedTo, conversation));
    return text?.replaceAll(/"https?:[^"]*"/g, `"${outside.url}/call.wav"`);
  }
  if (body.kind === 'text') {
    if (body.type !== '') headers.set('Content-Type', body.type);
    return body.text;
  }
  const fields = new FormData();
  for (const [name, value] of Object.entries(body.fields)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    if (name === 'file' || name === 'chunk') fields.set(name, new File([text], 'call.wav'));
    else fields.set(name, text);
  }
  return fields;
}

async function received(response: Response): Promise<ReceivedResponse> {
  const { status, headers } = response;
  if (!headers.get('Content-Type')?.startsWith('text/event-stream'))
    return { status, headers, text: await response.text(), isWhole: true };
  const decoder = new TextDecoder();
  const bodyReader = response.body!.getReader();
  let text = '';
  const until = Date.now() + STREAM_MS;
  for (;;) {
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, Math.max(0, until - Date.now()), 'late'));
    const next = await Promise.race([bodyReader.read(), late]);
    if (next === 'late') {
      await bodyReader.cancel();
      return { status, headers, text, isWhole: false };
    }
    if (next.done) return { status, headers, text, isWhole: true };
    text += decoder.decode(next.value, { stream: true });
  }
}

it(
  `${REQUESTS} requests, good and bad, over every route: no fault of the service, no answer outside its document`,
  async () => {
    const operations = operationsOf(document);
    const each = Math.ceil(REQUESTS / operations.length);
    const perOperation = operations.map((described, i) =>
      fc.sample(requestsOf(reader, described), { seed: SEED + i, numRuns: each }),
    );
    // Interleaved, so that operations can use what others create.
    const rounds = Array.from({ length: each }, (_, n) => perOperation.map((ones) => ones[n]!));
    const found: string[] = [];
    const statuses = new Map<string, Set<number>>();
    const until = Date.now() + MINUTES * 60_000;
    let sent = 0;
    const one = async (work: Iterable<FuzzedRequest>): Promise<void> => {
      for (const request of work) {
        if (Date.now() > until) return;
        sent++;
        const { method, path, operation } = request.operation;
        const ids = idsOf(request);
        const answer = await send(request, ids);
        const route = `${method} ${path}`;
        statuses.set(route, (statuses.get(route) ?? new Set()).add(answer.status));
        for (const fault of faultsOf(reader, request.operation, answer))
          found.push(
            `${route} by ${request.caller}: ${fault}\n  asked ${JSON.stringify({ ...request, operation: undefined }).slice(0, 800)}`,
          );
        if (
          answer.status < 300 &&
          method !== 'DELETE' &&
          /^application\/json/.test(answer.headers.get('Content-Type') ?? '') &&
          answer.status !== 206
        ) {
          const body = JSON.parse(answer.text);
          learn(body, MAKES[operation.operationId], ids);
          for (const delivery of body?.deliveries ?? []) learn(delivery, 'delivery_id', ids);
        }
      }
    };
    for (let n = 0; n < rounds.length && Date.now() < until; n += FURNISH_EVERY) {
      await furnish();
      const work = rounds
        .slice(n, n + FURNISH_EVERY)
        .flat()
        .values();
      await Promise.all(Array.from({ length: AT_ONCE }, () => one(work)));
    }
    const summary = [...statuses].map(([route, seen]) => `${route}: ${[...seen].sort().join(' ')}`);
    console.log(`${sent} requests, seed ${SEED}\n${summary.join('\n')}`);
    expect(found.slice(0, 20).join('\n')).toBe('');
    const never = (is: (status: number) => boolean) =>
      operations.map(routeOf).filter((route) => ![...statuses.get(route)!].some(is));
    // Both valid and invalid requests occur. Among the four that a small run sends to each operation, there is often no
    // valid one: 41 of 148 operations never succeed then.
    const neverSucceeds = REQUESTS < 5000 ? 2 / 5 : 1 / 10;
    expect(never((status) => status < 400).length).toBeLessThan(operations.length * neverSucceeds);
    expect(never((status) => status >= 400).length).toBeLessThan(operations.length / 2);
  },
  60_000 + REQUESTS * 500,
);

const routeOf = ({ method, path }: DescribedOperation): string => `${method} ${path}`;
