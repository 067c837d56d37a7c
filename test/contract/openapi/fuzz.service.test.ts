import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EchoPipeline, startEchoPipeline } from '../../../support/echo-pipeline.ts';
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
/** Codes of errors for a connection that the other side closed. */
const CLOSED: unknown[] = ['UND_ERR_SOCKET', 'EPIPE', 'ECONNRESET'];
/** Time after which no more requests are sent, for a large number on a slow machine. */
const MINUTES = Number(process.env.FUZZ_MINUTES ?? Number.POSITIVE_INFINITY);

let service: TestService;
let echo: EchoPipeline;
let resolver: LocalServer;
let document: Json;
let reader: Reader;
/** Existing ids by path parameter. */
const known: Record<string, string[]> = {
  number: ['1'],
  page: ['first-analysis', 'no-such-page', 'style.css', 'first-analysis.md'],
  name: ['events.json', 'webhooks.json'],
  id: ['some'],
};
let token = '';

beforeAll(async () => {
  echo = await startEchoPipeline();
  // No name resolves. A host that does not respond would occupy one of the tenant's downloads for 30 s.
  resolver = await startServer((_, response) => void response.end('{"Status":3}'));
  const settings = { DNS_RESOLVER_URL: resolver.url, MAX_SESSIONS_PER_KEY: '1000' };
  service = await startService({ RUNTIME_URL: echo.url, ...settings });
  document = await (await fetch(new URL('/openapi.json', service.url))).json();
  reader = new Reader(document);
  await furnish();
});
afterAll(async () => {
  await service?.stop();
  await echo?.close();
  await resolver?.close();
});

/** Creates one object for every path parameter. */
async function furnish(): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const made = async (path: string, body: object): Promise<Json> =>
    (await service.post(path, JSON.stringify(body), headers)).json();
  for (let n = 0; n < 3; n++) {
    learn(await made('/analyze/live/start', { suffix: '.wav' }));
    learn(await made('/uploads', { filename: 'call.wav', bytes: 5 }), 'upload_id');
    learn(await made('/webhooks', { url: 'https://example.com/hook' }), 'webhook_id');
    learn(await (await service.admin('POST', '/tenants', { name: 'fuzz' })).json(), 'tenant_id');
    learn(await service.issue(), 'key_id');
    learn(await (await service.post('/analyze', form('call.wav', 'x'.repeat(20_000)))).json());
    const conversation_id = known.conversation_id!.at(-1)!;
    learn(await made('/rules', { name: `rule ${n}`, when: { any_of: [{ text: 'price' }] } }), 'rule_id');
    learn(await made('/people', { name: `Anna ${n}` }), 'person_id');
    learn(await made('/views', { name: `view ${n}`, page: 'patterns', query: 'category=objection' }), 'view_id');
    learn(await made('/shares', { conversation_id }), 'share_id');
    learn(await made('/playlists', { name: `playlist ${n}` }), 'playlist_id');
    const playlist = known.playlist_id!.at(-1)!;
    learn(await made(`/playlists/${playlist}/items`, { conversation_id, from: 0, to: 1 }), 'item_id');
    const comment = await made(`/conversations/${conversation_id}/comments`, { at: 0, text: 'listen' });
    learn({ id: comment.comment_id }, 'comment_id');
  }
  known.delivery_id = ['none'];
  token = (await made('/tokens', { for: { conversation: known.conversation_id?.[0] } })).token;
}

/** Collects the ids in a response for later requests. */
function learn(body: Json, idIs?: string): void {
  // A live session has no result yet.
  const name = body?.session_id === undefined ? 'conversation_id' : 'session_id';
  const learnt = [
    [name, body?.[name]],
    [idIs, body?.id],
  ];
  for (const [kind, id] of learnt)
    if (kind !== undefined && typeof id === 'string') known[kind] = [...(known[kind] ?? []), id];
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

async function send(request: FuzzedRequest): Promise<ReceivedResponse> {
  const { operation, path, query, headers, caller } = request;
  const place = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    const there = known[name] ?? ['none'];
    const text = typeof value === 'number' ? taken(there, value, operation.method === 'DELETE') : String(value);
    return encodeURIComponent(text).replace(/^\.+$/, 'dots');
  });
  const url = new URL(place, service.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const sent = new Headers(headers);
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
      body: bodyOf(request, sent),
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

function bodyOf({ operation, body }: FuzzedRequest, headers: Headers): BodyInit | undefined {
  if (operation.method === 'GET' || body.kind === 'none') return undefined;
  if (body.kind === 'json') {
    headers.set('Content-Type', 'application/json');
    // Nothing outside the test may be called.
    const text = JSON.stringify(body.value);
    return text?.replaceAll(/"https?:[^"]*"/g, `"${echo.url}/hook"`);
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
    const requests = Array.from({ length: each }, (_, n) => perOperation.map((ones) => ones[n]!)).flat();
    const found: string[] = [];
    const statuses = new Map<string, Set<number>>();
    const work = requests.values();
    const until = Date.now() + MINUTES * 60_000;
    let sent = 0;
    const one = async (): Promise<void> => {
      for (const request of work) {
        if (Date.now() > until) return;
        sent++;
        const { method, path, operation } = request.operation;
        const answer = await send(request);
        const route = `${method} ${path}`;
        statuses.set(route, (statuses.get(route) ?? new Set()).add(answer.status));
        for (const fault of faultsOf(reader, request.operation, answer))
          found.push(
            `${route} by ${request.caller}: ${fault}\n  asked ${JSON.stringify({ ...request, operation: undefined }).slice(0, 800)}`,
          );
        if (
          answer.status < 300 &&
          /^application\/json/.test(answer.headers.get('Content-Type') ?? '') &&
          answer.status !== 206
        )
          learn(JSON.parse(answer.text), MAKES[operation.operationId]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    const summary = [...statuses].map(([route, seen]) => `${route}: ${[...seen].sort().join(' ')}`);
    console.log(`${sent} requests, seed ${SEED}\n${summary.join('\n')}`);
    expect(found.slice(0, 20).join('\n')).toBe('');
    const never = (is: (status: number) => boolean) =>
      operations.map(routeOf).filter((route) => ![...statuses.get(route)!].some(is));
    // Both valid and invalid requests occur. A small run sends five requests to each operation, and many succeed only
    // while ids that other requests create or remove exist. That depends on the speed of the machine: with one seed, 64
    // to 66 of 131 operations never succeed. Hence a small run asks for success of two fifths only.
    const neverSucceeds = REQUESTS < 5000 ? 3 / 5 : 1 / 10;
    expect(never((status) => status < 400).length).toBeLessThan(operations.length * neverSucceeds);
    expect(never((status) => status >= 400).length).toBeLessThan(operations.length / 2);
  },
  60_000 + REQUESTS * 500,
);

const routeOf = ({ method, path }: DescribedOperation): string => `${method} ${path}`;
