import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/openapi/document.ts';
import { type Json, operationsOf, Reader } from '../../../support/openapi/reader.ts';
import {
  ADMIN_TOKEN,
  KEY,
  PIPELINE_TOKEN,
  startService,
  type TestService,
} from '../../../support/service-under-test.ts';

// Every field, query parameter and tool argument in the service's own document, each misspelt once.

/** Entries of a timeline may come from any version of the service, or from another one. */
const TOLERATED = [
  /^POST \/segment\/conversation timeline\./,
  /^POST \/segment\/conversation (moments|transitions)\./,
  // Messages of the protocol, which its own package reads.
  /^POST \/mcp /,
  // Identity providers add parameters of their own.
  /^GET \/sign-in\/callback\?/,
];

const document: Json = JSON.parse(JSON.stringify(openApiDocument()));
const reader = new Reader(document);
let service: TestService;
/** Objects that exist, by path parameter. */
const ids: Record<string, string> = { number: '1' };

beforeAll(async () => {
  service = await startService();
  const made = async (path: string, body: object): Promise<Json> =>
    (await service.post(path, JSON.stringify(body), { 'Content-Type': 'application/json' })).json();
  ids.session_id = (await made('/analyze/live/start', {})).session_id;
  ids.upload_id = (await made('/uploads', { filename: 'call.wav', bytes: 5 })).id;
  ids.key_id = (await service.issue()).id;
  ids.tenant_id = ((await (await service.admin('POST', '/tenants', { name: 'Acme' })).json()) as Json).id;
});
afterAll(() => service?.stop());

/** Two letters in the wrong order, or the only one twice. */
function misspelt(name: string): string {
  const at = [...name].findLastIndex((letter, i) => i > 0 && letter !== name[i - 1]);
  return at < 1 ? name + name : name.slice(0, at - 1) + name[at] + name[at - 1] + name.slice(at + 1);
}

interface Misspelling {
  /** `METHOD /path field`. */
  place: string;
  wrong: string;
  right: string;
  send: () => Promise<Response>;
}

function ask(method: string, path: string, operation: Json, query: string, body?: BodyInit): Promise<Response> {
  const place = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'some');
  const security = JSON.stringify(operation.security);
  const token = security.includes('operator') ? ADMIN_TOKEN : security.includes('pipeline') ? PIPELINE_TOKEN : null;
  const headers = new Headers(token === null ? { 'X-API-Key': KEY } : { Authorization: `Bearer ${token}` });
  if (typeof body === 'string') headers.set('Content-Type', 'application/json');
  return fetch(new URL(place + query, service.url), { method, headers, body, redirect: 'manual' });
}

/** The members of a JSON schema, each with its path: `for.session`. A schema that contains itself is entered once. */
function membersOf(given: Json, path: readonly string[] = [], around: readonly string[] = []): string[][] {
  const schema = reader.at(given);
  const within = given.$ref ? [...around, given.$ref] : around;
  const own = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, member]) => [
    [...path, name],
    ...(Reader.isRecursive(member, within) ? [] : membersOf(member, [...path, name], within)),
  ]);
  const branches = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const entries = schema.items ? membersOf(schema.items, [...path, '0'], within) : [];
  return [...own, ...branches.flatMap((one: Json) => membersOf(one, path, within)), ...entries];
}

/** A body with one member only, which is misspelt. */
function bodyOf(path: readonly string[], wrong: string): Json {
  const [first = '', ...rest] = path;
  if (rest.length === 0) return { [wrong]: 'x' };
  if (rest[0] === '0') return { [first]: [bodyOf(rest.slice(1), wrong)] };
  return { [first]: bodyOf(rest, wrong) };
}

function misspellings(): Misspelling[] {
  return operationsOf(document).flatMap(({ method, path, operation }) => {
    const route = `${method} ${path}`;
    const found: Misspelling[] = [];
    const parameters = (operation.parameters ?? []).map((one: Json) => reader.at(one));
    for (const { name } of parameters.filter((one: Json) => one.in === 'query'))
      found.push({
        place: `${route}?${name}`,
        right: name,
        wrong: misspelt(name),
        send: () => ask(method, path, operation, `?${misspelt(name)}=1`),
      });
    const content = operation.requestBody?.content ?? {};
    for (const members of membersOf(content['application/json']?.schema ?? {})) {
      const right = members.at(-1)!;
      const wrong = misspelt(right);
      const body = JSON.stringify(bodyOf(members, wrong));
      found.push({
        place: `${route} ${members.join('.')}`,
        right,
        wrong,
        send: () => ask(method, path, operation, '', body),
      });
    }
    for (const [right] of membersOf(content['multipart/form-data']?.schema ?? {})) {
      const form = new FormData();
      form.set(misspelt(right!), 'x');
      found.push({
        place: `${route} form ${right}`,
        right: right!,
        wrong: misspelt(right!),
        send: () => ask(method, path, operation, '', form),
      });
    }
    return found;
  });
}

it('refuses every misspelt field and query parameter, and names the one that was meant', async () => {
  const tried = misspellings();
  expect(tried.length).toBeGreaterThan(100);
  const faults: string[] = [];
  for (const { place, wrong, right, send } of tried) {
    if (TOLERATED.some((one) => one.test(place))) continue;
    const response = await send();
    const text = await response.text();
    const isRefused =
      response.status === 400 && text.includes(`\\"${wrong}\\"`) && text.includes(`did you mean \\"${right}\\"?`);
    if (!isRefused) faults.push(`${place} as ${wrong}: ${response.status} ${text.slice(0, 200)}`);
  }
  expect(faults).toEqual([]);
});

it('tolerates other query parameters on the routes of the specification alone', async () => {
  const get = (path: string) => fetch(new URL(path, service.url), { headers: { 'X-API-Key': KEY } });
  for (const path of ['/health?_=17', '/metrics?cachebuster=1&utm_source=mail', '/docs?utm_source=mail'])
    expect((await get(path)).status, path).not.toBe(400);
  for (const path of ['/conversations?_=17', '/webhooks?x=1', '/metrics?tokn=1'])
    expect((await get(path)).status, path).toBe(400);
  expect(await (await get('/conversations?utm_source=mail')).json()).toMatchObject({
    code: 'INVALID_REQUEST',
    detail: expect.stringMatching(/^Unknown query parameter "utm_source"; known: q, cursor, /),
  });
});

it('refuses a misspelt argument of every tool for language models', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { 'X-API-Key': KEY } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', service.url), { requestInit }));
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(5);
  for (const { name, inputSchema } of tools)
    for (const right of Object.keys(inputSchema.properties ?? {})) {
      const result = await client
        .callTool({ name, arguments: { [misspelt(right)]: 'x' } })
        .then(JSON.stringify, (error: Error) => JSON.stringify(error.message));
      expect(result, `${name} ${right}`).toContain(`did you mean \\"${right}\\"?`);
    }
  await client.close();
});
