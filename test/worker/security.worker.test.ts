import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ACCESS } from '../../src/contract/access.ts';
import { AccessLogSchema, LOGGED } from '../../src/contract/access-log.ts';
import { type IssuedKey, SCOPES, type Scope } from '../../src/contract/keys.ts';
import { TokenSchema } from '../../src/contract/tokens.ts';
import { app } from '../../src/worker/app.ts';
import { linesOf, type PipelineAnswer, SPOKEN, write } from '../../support/fake-pipeline.ts';
import {
  ADMIN_TOKEN,
  KEY_PEPPER,
  PIPELINE_TOKEN,
  startService,
  type TestService,
} from '../../support/service-under-test.ts';
import { type AttackersRequest, attemptsOn, type Loot } from './security-attackers.ts';
import { ROUTES } from './security-routes.ts';
import {
  asOwner,
  newComment,
  newConversation,
  newHold,
  newPerson,
  newPlaylist,
  newRule,
  newShare,
  newUpload,
  newView,
  newWebhook,
  recording,
  type Victim,
} from './security-victim.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
let service: TestService;
let target: Victim;
let loot: Loot;
/** Every secret that was sent over the wire. */
let secrets: string[];
let addresses = 0;
/** Concurrent attempts. */
const AT_ONCE = 8;

beforeAll(async () => {
  // Addresses are signed without asking the bucket.
  const s3 = { S3_BUCKET_URL: 'https://s3.example/bucket', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
  service = await startService({ KEY_TRUST_SECONDS: '0.2', ALLOW_PRIVATE_TARGETS: 'true', ...s3 });
  target = await newTarget('Attacked');
  loot = await plunder(target);
  // Waits until isolates have forgotten keys that were valid a moment ago.
  await vi.waitFor(async () => {
    const over = [loot.expired.key, loot.revoked.key].map((key) => ({ headers: { 'X-API-Key': key } }));
    const all = [...over, { headers: { Authorization: `Bearer ${loot.orphanToken}` } }];
    for (const attempt of all) expect((await ask('POST /analyze/live/start', target, attempt)).status).toBe(401);
  }, 20_000);
  secrets = [ADMIN_TOKEN, KEY_PEPPER, PIPELINE_TOKEN, loot.openCookie.split('=')[1]!, loot.sessionToken];
  for (const { key } of [
    target.key,
    target.spare,
    loot.expired,
    loot.revoked,
    loot.stranger,
    ...Object.values(loot.without),
  ])
    secrets.push(key.split('_').at(-1)!);
});
afterAll(() => service.stop());

/** A conversation in which something is promised. */
const sayPromise: PipelineAnswer = (response, { options }) => {
  write(response, linesOf(options.conversation_id, [...SPOKEN, 'Yes.', "I'll send you the contract by Friday."]));
  response.end();
};

async function newTarget(name: string): Promise<Victim> {
  const tenant = ((await (await service.admin('POST', '/tenants', { name })).json()) as { id: string }).id;
  const key = await service.issue({ tenant, scopes: [...SCOPES] });
  const spare = await service.issue({ tenant });
  const headers = { 'X-API-Key': key.key };
  const start = await service.post('/analyze/live/start', '', headers);
  const { session_id: session } = (await start.json()) as { session_id: string };
  const bare = {
    tenant,
    key,
    spare,
    session,
    conversation: '',
    upload: '',
    webhook: '',
    rule: '',
    person: '',
    commitment: '',
    playlist: '',
    item: '',
    share: '',
    hold: '',
    comment: '',
    delivery: '',
    view: '',
  };
  const { webhook } = await newWebhook(service, bare);
  service.pipeline.answer = sayPromise;
  const analysed = await service.post('/analyze', recording(), headers);
  const { conversation_id: conversation } = (await analysed.json()) as { conversation_id: string };
  const delivery = await vi.waitFor(async () => {
    const told = await fetch(new URL(`/webhooks/${webhook}/deliveries`, service.url), { headers });
    const { deliveries } = (await told.json()) as { deliveries: { id: string }[] };
    expect(deliveries).not.toEqual([]);
    return deliveries[0]!.id;
  }, 20_000);
  const { rule } = await newRule(service, bare);
  const { comment } = await newComment(service, { ...bare, conversation });
  const { person } = await newPerson(service, bare);
  const pieces = await newPlaylist(service, { ...bare, conversation });
  const { view } = await newView(service, bare);
  const { share } = await newShare(service, { ...bare, conversation });
  const { hold } = await newHold(service, bare);
  const commitment = `${conversation}_utt_${SPOKEN.length + 1}_commitment_0`;
  return {
    ...bare,
    webhook,
    rule,
    person,
    commitment,
    ...pieces,
    view,
    share,
    hold,
    comment,
    delivery,
    conversation,
    ...(await newUpload(service, bare)),
  };
}

async function plunder(victim: Victim): Promise<Loot> {
  const { tenant, key: own, session } = victim;
  const [expired, revoked, minter] = [
    await service.issue({ tenant, expires_at: new Date(Date.now() + 1_000).toISOString() }),
    await service.issue({ tenant }),
    await service.issue({ tenant }),
  ];
  const mint = async (of: object, key = own.key): Promise<string> => {
    const minted = await service.post('/tokens', JSON.stringify({ for: of }), { 'X-API-Key': key, ...JSON_TYPE });
    return TokenSchema.parse(await minted.json()).token;
  };
  const orphanToken = await mint({ session }, minter.key);
  const spentToken = await mint({ upload: 'new' });
  const used = await service.post('/analyze', recording(), { 'X-API-Key': '', Authorization: `Bearer ${spentToken}` });
  expect(used.status).toBe(200);
  await used.text();
  const without = {} as Record<Scope, IssuedKey>;
  for (const scope of SCOPES)
    without[scope] = await service.issue({ tenant, scopes: SCOPES.filter((other) => other !== scope) });
  for (const { id } of [revoked, minter]) await service.admin('DELETE', `/keys/${id}`);
  const closedCookie = await signIn();
  await service.admin('DELETE', '/session', undefined, { Authorization: '', Cookie: closedCookie });
  const another = await service.issue({ tenant: (await newTarget('Another')).tenant, scopes: [...SCOPES] });
  return {
    expired,
    revoked,
    own,
    stranger: another,
    without,
    closedCookie: closedCookie,
    openCookie: await signIn(),
    sessionToken: await mint({ session: 'new' }),
    conversationToken: await mint(await newConversation(service, victim)),
    orphanToken,
    spentToken,
  };
}

async function signIn(): Promise<string> {
  const answer = await fetch(new URL('/session', service.url), {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ token: ADMIN_TOKEN }),
  });
  await answer.text();
  return answer.headers.get('Set-Cookie')!.split(';')[0]!;
}

async function ask(
  route: string,
  at: Victim,
  { headers = {}, query = '' }: Partial<AttackersRequest>,
): Promise<Response> {
  const { path, body, json, accept = '*/*' } = ROUTES[route]!;
  const own = path(at);
  const url = new URL(`${own}${query && (own.includes('?') ? '&' : '?')}${query}`, service.url);
  // Each from its own address, so that none is delayed by another's failures.
  const from = { 'CF-Connecting-IP': `2001:db8::${(++addresses).toString(16)}` };
  const sent = json ? JSON.stringify(json(at, service)) : body?.();
  return fetch(url, {
    method: route.split(' ')[0],
    headers: { Accept: accept, ...from, ...(json && JSON_TYPE), ...headers },
    body: sent,
  });
}

/** Words of the target's conversation. */
const WORDS = /thanks for calling|too high for us|meet on Tuesday|contract by Friday/;
/** Routes whose requests in this test show nothing of a conversation, although others do. */
const LOGGED_WHEN_SHOWN: Readonly<Record<string, false>> = {
  // Nothing can be fetched.
  'POST /analyze/url': false,
  'POST /analyze/stream/url': false,
  // Nothing is kept.
  'GET /conversations/:conversation_id/unredacted': false,
  'GET /conversations/:conversation_id/unredacted/media': false,
  // Nothing matches.
  'POST /redactions': false,
  // The token is for a session.
  'POST /tokens': false,
  // The recording is no real one, and cannot be cut.
  'GET /playlists/:playlist_id/items/:item_id/media': false,
};

/** The text of an answer. The events of a live session do not end. */
async function shownBy(route: string, answer: Response): Promise<string> {
  if (!route.startsWith('GET /analyze/live')) return answer.text();
  await answer.body?.cancel();
  return '';
}

/** The routes in the tenant's access log that were requested since a time. */
async function loggedSince(begun: number): Promise<string[]> {
  const log = await service.admin('GET', `/access-log?tenant=${target.tenant}`);
  const { entries } = AccessLogSchema.parse(await log.json());
  return entries.filter(({ until }) => Date.parse(until) >= begun).map((entry) => entry.route);
}

const rightful = (route: string): Partial<AttackersRequest> =>
  ACCESS[route] === 'operator' || ACCESS[route] === 'pipeline'
    ? { headers: { Authorization: `Bearer ${ACCESS[route] === 'operator' ? ADMIN_TOKEN : PIPELINE_TOKEN}` } }
    : ACCESS[route] === 'open'
      ? {}
      : { headers: { 'X-API-Key': target.key.key } };

it('every route of the service is attacked here', () => {
  const routes = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
  expect(new Set(Object.keys(ROUTES))).toEqual(new Set(routes));
});

describe.each(Object.keys(ROUTES).filter((route) => ACCESS[route] !== 'open'))('%s', (route) => {
  it('admits nobody without access', async () => {
    const access = ACCESS[route]!;
    if (access === 'open') return;
    const wrong: object[] = [];
    const attempts = Object.entries(await attemptsOn(access, loot));
    const tryOne = async ([name, attempt]: (typeof attempts)[number]): Promise<void> => {
      const answer = await ask(route, target, attempt);
      const text = await answer.text();
      const isRefusal = /^\{"detail":"[^"]+","code":"(INVALID_KEY|FORBIDDEN)","request_id":"[^"]+"\}$/.test(
        text.replaceAll('\\"', "'"),
      );
      const leaked = secrets.some((secret) => text.includes(secret));
      if (!attempt.answers.includes(answer.status) || leaked || !isRefusal)
        wrong.push({ name, status: answer.status, expected: attempt.answers, text: text.slice(0, 200) });
    };
    for (let i = 0; i < attempts.length; i += AT_ONCE) await Promise.all(attempts.slice(i, i + AT_ONCE).map(tryOne));
    expect(wrong).toEqual([]);
  });

  it('shows a stranger nothing, not even its existence', async () => {
    const { stranger } = ROUTES[route]!;
    if (stranger === undefined) return;
    const answer = await ask(route, target, { headers: { 'X-API-Key': loot.stranger.key } });
    expect({ status: answer.status, text: await answer.text() }).toMatchObject({ status: stranger });
  });

  it('answers its rightful caller, and logs what it shows of a conversation', async () => {
    service.pipeline.answer = sayPromise;
    const at = { ...target, ...(await ROUTES[route]?.renew?.(service, target)) };
    const begun = Date.now();
    const answer = await ask(route, at, rightful(route));
    expect(answer.status).toBe(ROUTES[route]?.rightful);
    const text = await shownBy(route, answer);
    if (WORDS.test(text)) expect(LOGGED).toHaveProperty([route]);
    if (LOGGED[route] && LOGGED_WHEN_SHOWN[route] !== false)
      await vi.waitFor(async () => expect(await loggedSince(begun)).toContain(route), 10_000);
  });
});

it('no attempt changed anything', async () => {
  for (const path of [`/uploads/${target.upload}`, `/conversations/${target.conversation}`]) {
    const answer = await fetch(new URL(path, service.url), { headers: asOwner(target) });
    expect(answer.status).toBe(200);
    expect(await answer.json()).not.toMatchObject({ parts: [expect.anything()] });
  }
  const tenant = await (await service.admin('GET', `/tenants/${target.tenant}`)).json();
  expect(tenant).toMatchObject({ name: 'Attacked', affect: 'full' });
  const keys = (await (await service.admin('GET', `/keys?tenant=${target.tenant}`)).json()) as { keys: IssuedKey[] };
  expect(keys.keys.find(({ id }) => id === target.spare.id)).toMatchObject({ label: 'test', status: 'active' });
  expect((await service.admin('GET', '/tenants/nobody')).status).toBe(404);
});

it('no secret is in a log, an artifact or the audit', async () => {
  const logs = JSON.stringify(service.harness.getLogs());
  const audit = await (await service.admin('GET', `/audit?tenant=${target.tenant}`)).text();
  const operators = await (await service.admin('GET', '/audit')).text();
  const stored = [];
  for (const key of await service.stored()) stored.push(key, await service.text(key));
  expect(stored.length).toBeGreaterThan(0);
  const told = [logs, audit, operators, ...stored].join('\n');
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
});
