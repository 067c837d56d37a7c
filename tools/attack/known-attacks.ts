import { readdirSync, readFileSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDebugPort, listeningPorts } from './listening-ports.ts';
import type { Finding } from './verdict.ts';

// Attacks that once succeeded, each played once against the running service. Two more need a machine of their own and
// are tests: a full disk (`full-disk.worker.test.ts`), and a remote file with a content encoding
// (`elsewhere.worker.test.ts`), because this service does not fetch from private addresses.

const RECORDING = join(import.meta.dirname, '../../test/fixtures/short.wav');
/** A word of the recording. */
const SPOKEN = /thank/i;
/** Wrong admin tokens in a row: more than the brake lets through. */
const GUESSES = 60;

export interface AttackedService {
  port: number;
  /** Keys of two tenants. */
  keys: readonly [string, string];
  admin: string;
  /** The folder of its data. */
  state: string;
  /** Its processes. */
  pids: readonly number[];
}

/** @returns how many were played, and those that succeeded, with what was seen */
export async function playKnownAttacks(service: AttackedService): Promise<{ played: number; findings: Finding[] }> {
  const findings: Finding[] = [];
  for (const [what, attack] of Object.entries(ATTACKS)) {
    const seen = await attack(service).catch((error: unknown) => `not played: ${String(error)}`);
    if (seen !== undefined) findings.push({ what, seen });
  }
  return { played: Object.keys(ATTACKS).length, findings };
}

/** Each by its effect. It returns what was seen when it succeeded. */
const ATTACKS: Record<string, (service: AttackedService) => Promise<string | undefined>> = {
  'a debug port answers': async ({ pids }) => {
    for (const port of listeningPorts(pids)) if (await isDebugPort(port)) return `port ${port}`;
  },

  'a foreign Host is answered': async ({ port }) => {
    for (const host of ['attacker.example', 'localhost.attacker.example', '192.0.2.1']) {
      const status = await statusForHost(port, `${host}:${port}`);
      if (status !== 421) return `${host}: ${status}`;
    }
  },

  'the state is open to other users of the machine': async ({ state }) => {
    for (const name of ['.', 'v3', 'v3/r2', 'v3/do', 'admin-token', 'key-pepper'].filter((name) => exists(state, name)))
      if ((statSync(join(state, name)).mode & 0o077) !== 0) return name;
  },

  'wrong admin tokens lock out the right one': async (service) => {
    const guess = (_: unknown, i: number) => send(service, 'GET', '/tenants', { Authorization: `Bearer guess-${i}` });
    const braked = (await Promise.all(Array.from({ length: GUESSES }, guess))).filter(({ status }) => status === 429);
    if (braked.length === 0) return `${GUESSES} guesses were not slowed down`;
    const { status, text } = await send(service, 'GET', '/tenants', asOperator(service));
    if (status !== 200) return `${status} ${text}`;
  },

  'a session of another tenant is started, or an ended or invented one': async (service) => {
    const [theirs, ours] = service.keys.map((key) => ({ 'X-API-Key': key }));
    const started = await send(service, 'POST', '/analyze/live/start', theirs!, { suffix: '.wav' });
    const session = String(started.json.session_id);
    for (const state of ['open', 'ended']) {
      const minted = await send(service, 'POST', '/tokens', ours!, { for: { session } });
      if (minted.status === 201) {
        const begun = await send(service, 'POST', '/analyze/live/start', asBrowser(minted), { suffix: '.wav' });
        if (begun.status !== 404) return `${state}: ${begun.status} ${begun.text}`;
      }
      const cancelled = { action: 'cancel' };
      await send(service, 'POST', `/analyze/live/${session}/control`, theirs!, cancelled);
    }
    const invented = await send(service, 'POST', '/tokens', ours!, { for: { session: 'made-up' } });
    if (invented.status < 400) return `invented: ${invented.status}`;
  },

  'an upload token names a url or claims an idempotency key': async (service) => {
    const key = { 'X-API-Key': service.keys[0] };
    const mint = () => send(service, 'POST', '/tokens', key, { for: { upload: 'new' } });
    const named = await send(service, 'POST', '/analyze', asBrowser(await mint()), {
      url: 'http://192.0.2.1/call.wav',
    });
    if (named.status !== 403) return `url: ${named.status} ${named.text}`;
    const claim = { 'Idempotency-Key': 'order-of-the-attack' };
    const first = await mint();
    await send(service, 'POST', '/analyze', { ...asBrowser(first), ...claim }, recording('claimed.wav'));
    const own = await send(service, 'POST', '/analyze', { ...key, ...claim }, recording('own.wav'));
    const claimed = (first.json.for as { upload: string }).upload;
    if (own.status !== 200 || own.json.conversation_id === claimed)
      return `key: ${own.status} ${own.text.slice(0, 200)}`;
  },

  'a part without a place or with an impossible etag is accepted': async (service) => {
    const key = { 'X-API-Key': service.keys[0] };
    const opened = await send(service, 'POST', '/uploads', key, { filename: 'parts.wav', bytes: 1_000 });
    const parts = `/uploads/${String(opened.json.upload_id)}/parts`;
    const attempts = [
      send(service, 'PUT', `${parts}/0`, key, new Blob(['x'])),
      send(service, 'PUT', `${parts}/99999`, key, new Blob(['x'])),
      send(service, 'POST', `${parts}/1`, key, { etag: 'with spaces' }),
    ];
    const accepted = (await Promise.all(attempts)).find(({ status }) => status < 400);
    await send(service, 'DELETE', `/uploads/${String(opened.json.upload_id)}`, key);
    if (opened.status !== 201 || accepted) return `${opened.status}, ${accepted?.status} ${accepted?.text}`;
  },

  'announced bytes do not count as stored': async (service) => {
    const { id, key } = await ownTenant(service, { stored_gigabytes: 0.25 });
    const upload = { filename: 'large.wav', bytes: 0.25 * 1024 ** 3 };
    const first = await send(service, 'POST', '/uploads', key, upload);
    const second = await send(service, 'POST', '/uploads', key, upload);
    await send(service, 'DELETE', `/tenants/${id}`, asOperator(service));
    if (first.status !== 201 || second.status !== 429) return `${first.status}, ${second.status} ${second.text}`;
  },

  'a title keeps control characters that reorder text': async (service) => {
    const { key } = await ownTenant(service);
    const { json } = await send(service, 'POST', '/analyze', key, recording('short.wav'));
    const path = `/conversations/${String(json.conversation_id)}`;
    await send(service, 'PATCH', path, key, { title: 'paid\u202Egnp.exe\u2066' });
    const { text } = await send(service, 'GET', `${path}/record`, key);
    if (!text.includes('paid') || /[\u202A-\u202E\u2066-\u2069]/.test(text)) return text.slice(0, 200);
  },

  'a row keeps a word of a deleted conversation': async (service) => {
    const { key } = await ownTenant(service);
    const { json } = await send(service, 'POST', '/analyze', key, recording('short.wav'));
    const id = String(json.conversation_id);
    const file = databases(service.state).find((path) => tablesWith(path, new RegExp(id)).length > 0);
    if (file === undefined || tablesWith(file, SPOKEN).length === 0) return 'no database has its words before';
    await send(service, 'DELETE', `/conversations/${id}`, key);
    const kept = tablesWith(file, SPOKEN);
    if (kept.length > 0) return kept.join(', ');
  },
};

interface Answer {
  status: number;
  text: string;
  json: Record<string, unknown>;
}

async function send(
  { port }: AttackedService,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const isRaw = body instanceof FormData || body instanceof Blob;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: body && !isRaw ? { ...headers, 'Content-Type': 'application/json' } : headers,
    ...(body && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('Content-Type')?.includes('json') && text !== '';
  return { status: answer.status, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

const asOperator = ({ admin }: AttackedService) => ({ Authorization: `Bearer ${admin}` });
const asBrowser = ({ json }: Answer) => ({ Authorization: `Bearer ${String(json.token)}` });

/** A tenant that no attempt knows. */
async function ownTenant(service: AttackedService, limits = {}): Promise<{ id: string; key: { 'X-API-Key': string } }> {
  const made = await send(service, 'POST', '/tenants', asOperator(service), { name: 'Known attacks' });
  const id = String(made.json.id);
  await send(service, 'PATCH', `/tenants/${id}`, asOperator(service), { limits });
  const issued = await send(service, 'POST', '/keys', asOperator(service), { label: 'known attacks', tenant: id });
  return { id, key: { 'X-API-Key': String(issued.json.key) } };
}

function recording(name: string): FormData {
  const form = new FormData();
  form.set('file', new File([readFileSync(RECORDING)], name));
  return form;
}

/** The status of a request whose Host names another machine. */
const statusForHost = (port: number, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/health', headers: { Host: host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });

const exists = (state: string, name: string): boolean =>
  statSync(join(state, name), { throwIfNoEntry: false }) !== undefined;

/** The files of the tenants' databases. */
function databases(state: string): string[] {
  const folder = join(state, 'v3/do/undertone-Tenant');
  const names = readdirSync(folder).filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite');
  return names.map((name) => join(folder, name));
}

/** Tables of a database file, shadow tables of the search index included, that have a text in a row. */
function tablesWith(file: string, text: RegExp): string[] {
  const database = new DatabaseSync(file, { readOnly: true, readBigInts: true });
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as { name: string }[];
    const rows = ({ name }: { name: string }) => database.prepare(`SELECT * FROM "${name}"`).all();
    const holds = (value: unknown): boolean =>
      text.test(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value));
    return tables.filter((table) => rows(table).some((row) => Object.values(row).some(holds))).map(({ name }) => name);
  } finally {
    database.close();
  }
}
