import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { type TokenBody, TokenSchema } from '../../../src/contract/tokens.ts';
import {
  clear,
  form,
  KEY,
  KEY_PEPPER,
  startService,
  statusOf,
  type TestService,
} from '../../../support/service-under-test.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ KEY_TRUST_SECONDS: '0.2' });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const ask = (method: string, path: string, headers: Record<string, string>, body?: BodyInit): Promise<Response> =>
  fetch(new URL(path, service.url), { method, headers, body });
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
async function mint(of: object, more: object = {}, key = KEY): Promise<TokenBody> {
  const response = await ask(
    'POST',
    '/tokens',
    { 'X-API-Key': key, ...JSON_TYPE },
    JSON.stringify({ for: of, ...more }),
  );
  if (!response.ok) throw new Error(await response.text());
  expect(response.headers.get('Cache-Control')).toBe('no-store');
  return TokenSchema.parse(await response.json());
}
const recording = () => form('call.wav', 'media');
const chunk = (seq: number) => {
  const body = new FormData();
  body.set('chunk_seq', String(seq));
  body.set('chunk', new File(['x'], 'c'));
  return body;
};

describe('a token for a session', () => {
  it('starts that session, sends to it, reads its events and ends it; a repeated start is the same', async () => {
    const { token, for: of } = await mint({ session: 'new' });
    const started = await ask('POST', '/analyze/live/start', { ...bearer(token), ...JSON_TYPE }, '{"suffix":".wav"}');
    const session = (await started.json()) as { session_id: string; chunk_endpoint: string };
    expect(session.session_id).toBe(of.session);
    expect(await statusOf(ask('POST', session.chunk_endpoint, bearer(token), chunk(0)))).toBe(200);
    const again = await ask('POST', '/analyze/live/start', bearer(token));
    expect(await again.json()).toMatchObject({ session_id: of.session, next_chunk_seq: 1 });
    // Like an EventSource, which sets no header.
    const events = await ask('GET', `/analyze/live/${of.session}/events?token=${token}`, {});
    expect(events.status).toBe(200);
    await events.body?.cancel();
    const control = ask(
      'POST',
      `/analyze/live/${of.session}/control`,
      { ...bearer(token), ...JSON_TYPE },
      '{"action":"cancel"}',
    );
    expect(await statusOf(control)).toBe(200);
  });

  it('may be for an open session, and is for no other', async () => {
    const start = async () => (await (await service.post('/analyze/live/start', '')).json()) as { session_id: string };
    const [mine, other] = [await start(), await start()];
    const { token } = await mint({ session: mine.session_id });
    expect(await statusOf(ask('POST', `/analyze/live/${mine.session_id}/chunk`, bearer(token), chunk(0)))).toBe(200);
    for (const id of [other.session_id, other.session_id.toUpperCase(), 'x'])
      expect(await statusOf(ask('POST', `/analyze/live/${id}/chunk`, bearer(token), chunk(0)))).toBe(403);
  });

  it('opens no second session after the first is gone', async () => {
    const brief = await startService({
      LIVE_GRACE_SECONDS: '0.1',
      LIVE_TTL_MIN_SECONDS: '0.1',
      LIVE_TTL_DEFAULT_SECONDS: '0.5',
    });
    try {
      const minted = await fetch(new URL('/tokens', brief.url), {
        method: 'POST',
        headers: { 'X-API-Key': KEY, ...JSON_TYPE },
        body: '{"for":{"session":"new"}}',
      });
      const short = TokenSchema.parse(await minted.json());
      const open = async () => {
        const answer = await fetch(new URL('/analyze/live/start', brief.url), {
          method: 'POST',
          headers: bearer(short.token),
        });
        await answer.text();
        return answer.status;
      };
      expect(await open()).toBe(200);
      await vi.waitFor(async () => expect(await open()).toBe(404), 20_000);
    } finally {
      await brief.stop();
    }
  });

  it('for another tenant’s session opens nothing', async () => {
    const theirs = (await (await service.post('/analyze/live/start', '', { 'X-API-Key': 'test-key-two' })).json()) as {
      session_id: string;
    };
    const { token } = await mint({ session: theirs.session_id });
    expect(await statusOf(ask('POST', `/analyze/live/${theirs.session_id}/chunk`, bearer(token), chunk(0)))).toBe(404);
  });
});

describe('a session of another tenant', () => {
  const OTHERS = { 'X-API-Key': 'test-key-two' };
  const start = async (headers: Record<string, string>) => {
    const answer = await ask('POST', '/analyze/live/start', { ...headers, ...JSON_TYPE }, '{"suffix":".wav"}');
    return { status: answer.status, text: await answer.text() };
  };
  const conversations = async (key: string): Promise<string> =>
    (await ask('GET', '/conversations', { 'X-API-Key': key })).text();

  it('is not started, shown or listed by a token for its id, neither open nor ended', async () => {
    const theirs = JSON.parse((await start(OTHERS)).text) as { session_id: string; conversation_id: string };
    const { token } = await mint({ session: theirs.session_id });
    const before = await conversations(KEY);
    for (const state of ['open', 'ended']) {
      const { status, text } = await start(bearer(token));
      expect({ state, status }).toEqual({ state, status: 404 });
      expect(text).toContain('UNKNOWN_SESSION');
      expect(text).not.toContain(theirs.conversation_id);
      expect(await conversations(KEY)).toBe(before);
      const control = `/analyze/live/${theirs.session_id}/control`;
      await statusOf(ask('POST', control, { ...OTHERS, ...JSON_TYPE }, '{"action":"cancel"}'));
    }
  });

  it('cannot be taken before its own token starts it', async () => {
    const { token: theirs, for: of } = await mint({ session: 'new' }, {}, 'test-key-two');
    const { token } = await mint({ session: of.session });
    expect((await start(bearer(token))).status).toBe(404);
    expect((await start(bearer(theirs))).status).toBe(200);
  });
});

it('an ended session begins no conversation, whoever starts it again', async () => {
  const started = await service.post('/analyze/live/start', '');
  const { session_id, conversation_id } = (await started.json()) as { session_id: string; conversation_id: string };
  const { token } = await mint({ session: session_id });
  expect(await statusOf(ask('POST', `/analyze/live/${session_id}/chunk`, bearer(token), chunk(0)))).toBe(200);
  const cancel = ask(
    'POST',
    `/analyze/live/${session_id}/control`,
    { ...bearer(token), ...JSON_TYPE },
    '{"action":"cancel"}',
  );
  expect(await statusOf(cancel)).toBe(200);
  const own = { 'X-API-Key': KEY };
  await vi.waitFor(
    async () => expect(await statusOf(ask('DELETE', `/conversations/${conversation_id}`, own))).toBe(200),
    10_000,
  );
  expect(await (await ask('POST', '/analyze/live/start', bearer(token))).json()).toMatchObject({ status: 'aborted' });
  expect(await statusOf(ask('GET', `/conversations/${conversation_id}`, own))).toBe(404);
});

describe('a token for an upload', () => {
  it('uploads once, as the conversation it was minted for', async () => {
    const { token, for: of } = await mint({ upload: 'new' });
    const answer = await ask('POST', '/analyze', bearer(token), recording());
    expect(await answer.json()).toMatchObject({ conversation_id: of.upload });
    for (const path of ['/analyze', '/analyze/stream', '/analyze?stream=true']) {
      const again = await ask('POST', path, bearer(token), recording());
      expect(again.status).toBe(401);
      expect(ErrorBodySchema.parse(await again.json()).detail).toBe('This token has already been used');
    }
  });

  it('takes no Idempotency-Key of the tenant, and learns nothing from one', async () => {
    const key = { 'Idempotency-Key': 'order-7' };
    const first = await mint({ upload: 'new' });
    const body = () => form('call.wav', 'media');
    const made = await ask('POST', '/analyze', { ...bearer(first.token), ...key }, body());
    expect(await made.json()).toMatchObject({ conversation_id: first.for.upload });
    // The server's own request under that key is the first.
    const own = await ask('POST', '/analyze', { 'X-API-Key': KEY, ...key }, form('own.wav', 'other media'));
    expect(own.status).toBe(200);
    const { conversation_id } = (await own.json()) as { conversation_id: string };
    expect(conversation_id).not.toBe(first.for.upload);
    const { token, for: of } = await mint({ upload: 'new' });
    const again = await ask('POST', '/analyze', { ...bearer(token), ...key }, form('own.wav', 'other media'));
    expect(await again.json()).toMatchObject({ conversation_id: of.upload });
  });

  it('names no url', async () => {
    const { token } = await mint({ upload: 'new' });
    for (const path of ['/analyze', '/analyze/stream', '/analyze?stream=true'])
      for (const prefer of ['wait', 'respond-async']) {
        const headers = { ...bearer(token), ...JSON_TYPE, Prefer: prefer };
        const answer = await ask('POST', path, headers, '{"url":"http://192.0.2.1/call.wav"}');
        expect({ path, status: answer.status }).toEqual({ path, status: 403 });
        expect(ErrorBodySchema.parse(await answer.json()).detail).toContain('not a url');
      }
    expect(await statusOf(ask('POST', '/analyze', bearer(token), recording()))).toBe(200);
  });

  it('may be used again for an incomplete upload', async () => {
    const { token } = await mint({ upload: 'new' });
    expect(await statusOf(ask('POST', '/analyze', bearer(token), form('call.txt', 'media')))).toBe(400);
    const half = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nhalf';
    const headers = { ...bearer(token), 'Content-Type': 'multipart/form-data; boundary=b' };
    expect(await statusOf(ask('POST', '/analyze', headers, half))).toBe(400);
    await vi.waitFor(
      async () => expect(await statusOf(ask('POST', '/analyze', bearer(token), recording()))).toBe(200),
      5_000,
    );
  });
});

describe('a token that fixes options', () => {
  const options = { affect: 'none', quality: 'fast', redact: ['phone'] };
  const asked = { affect: 'full', quality: 'best', redact: 'email' };
  const seen = () => service.pipeline.seen.at(-1)!.options;

  it('applies them to what the page uploads, which can only redact more', async () => {
    const { token } = await mint({ upload: 'new' }, { options });
    expect(await statusOf(ask('POST', '/analyze', bearer(token), form('call.wav', 'media', asked)))).toBe(200);
    expect(seen()).toMatchObject({ affect: 'none', quality: 'fast', redact: ['email', 'phone'] });
  });

  it('applies them to an upload in parts', async () => {
    const { token, for: of } = await mint({ upload: 'new' }, { options });
    const upload = { filename: 'call.wav', bytes: 5, affect: 'full' };
    await ask('POST', '/uploads', { ...bearer(token), ...JSON_TYPE }, JSON.stringify(upload));
    await ask('PUT', `/uploads/${of.upload}/parts/1`, bearer(token), 'media');
    expect(await statusOf(ask('POST', `/uploads/${of.upload}/complete`, bearer(token)))).toBe(200);
    expect(seen()).toMatchObject({ affect: 'none', quality: 'fast', redact: ['phone'] });
  });

  it('is minted only for something new, with options that exist and fit', async () => {
    const { conversation_id } = (await (await service.post('/analyze', recording())).json()) as Record<string, string>;
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`role:${'x'.repeat(20)}${i}`, 'none']));
    for (const [of, fixed, detail] of [
      [{ conversation: conversation_id }, options, 'options: only a token for a new session or upload fixes options'],
      [{ upload: 'new' }, { afect: 'none' }, 'options: Unknown field "afect"; did you mean "affect"?'],
      [{ upload: 'new' }, { affect: many }, 'options: too long for a token'],
    ])
      await expect(mint(of as object, { options: fixed })).rejects.toThrow(JSON.stringify(detail).slice(1, -1));
  });
});

it('a token allows nothing but its purpose', async () => {
  const made = (await (await service.post('/analyze', recording())).json()) as { conversation_id: string };
  const own = { conversation: made.conversation_id };
  const tokens = [await mint({ session: 'new' }), await mint({ upload: 'new' }), await mint(own)];
  const [session, upload, conversation] = tokens.map(({ token }) => token);
  const refused = [
    ask('GET', '/metrics', bearer(session!)),
    ask('GET', '/metrics', bearer(conversation!)),
    ask('POST', '/analyze', bearer(session!), recording()),
    ask('POST', '/analyze', bearer(conversation!), recording()),
    ask('POST', '/analyze/live/start', bearer(upload!)),
    ask('POST', '/analyze/live/start', bearer(conversation!)),
    ask('POST', '/segment/conversation', { ...bearer(upload!), ...JSON_TYPE }, '{}'),
    ask('POST', '/tokens', { ...bearer(session!), ...JSON_TYPE }, '{"for":{"session":"new"}}'),
  ];
  expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => 403));
  // If two routes match a path, the one that answers counts.
  expect(await statusOf(ask('GET', '/conversations/export', bearer(conversation!)))).toBe(403);
  // A token gives no access to administrators' routes.
  for (const [method, path] of [
    ['GET', '/keys'],
    ['GET', '/tenants'],
    ['GET', '/audit'],
    ['GET', '/session'],
  ] as const)
    for (const token of [session!, upload!, conversation!])
      expect(await statusOf(ask(method, path, bearer(token)))).toBe(401);
  expect(await statusOf(ask('GET', `/keys?token=${session}`, {}))).toBe(401);
});

it('a token ends with the key that minted it', async () => {
  const key = await service.issue();
  const { token } = await mint({ session: 'new' }, {}, key.key);
  expect(await statusOf(ask('POST', '/analyze/live/start', bearer(token)))).toBe(200);
  await service.admin('DELETE', `/keys/${key.id}`);
  await vi.waitFor(
    async () => expect(await statusOf(ask('POST', '/analyze/live/start', bearer(token)))).toBe(401),
    10_000,
  );
});

it('a key mints only for its own scopes', async () => {
  const { key } = await service.issue({ scopes: ['read'] });
  const minted = async (of: string) =>
    statusOf(ask('POST', '/tokens', { 'X-API-Key': key, ...JSON_TYPE }, JSON.stringify({ for: { [of]: 'new' } })));
  expect([await minted('session'), await minted('upload'), await minted('conversation')]).toEqual([403, 403, 404]);
});

it.each(['nope', 'export'])(
  'no token is minted for the conversation %s, which does not exist',
  async (conversation) => {
    const body = JSON.stringify({ for: { conversation } });
    const answer = await ask('POST', '/tokens', { 'X-API-Key': KEY, ...JSON_TYPE }, body);
    expect(ErrorBodySchema.parse(await answer.json())).toMatchObject({
      code: 'NOT_FOUND',
      detail: 'Unknown conversation',
    });
  },
);

it('no token is minted for a conversation of another tenant', async () => {
  const made = (await (await service.post('/analyze', recording())).json()) as { conversation_id: string };
  const body = JSON.stringify({ for: { conversation: made.conversation_id } });
  const asked = (key: string) => statusOf(ask('POST', '/tokens', { 'X-API-Key': key, ...JSON_TYPE }, body));
  expect([await asked(KEY), await asked('test-key-two')]).toEqual([201, 404]);
});

it.each([
  ['nothing', {}],
  ['nothing in particular', { for: {} }],
  ['two things', { for: { session: 'new', upload: 'new' } }],
  ['something else', { for: { world: 'all' } }],
  ['too long', { for: { session: 'new' }, ttl_seconds: 3601 }],
  ['too short', { for: { session: 'new' }, ttl_seconds: 59 }],
  ['an endless name', { for: { conversation: 'x'.repeat(200) } }],
])('for %s none is minted', async (_, body) => {
  const answer = await ask('POST', '/tokens', { 'X-API-Key': KEY, ...JSON_TYPE }, JSON.stringify(body));
  expect({ status: answer.status, ...ErrorBodySchema.parse(await answer.json()) }).toMatchObject({
    status: 400,
    detail: expect.stringMatching(/^(for|ttl_seconds|Unrecognized)/),
  });
});

it('no token is minted for an impossible session', async () => {
  const answer = await ask('POST', '/tokens', { 'X-API-Key': KEY, ...JSON_TYPE }, '{"for":{"session":"made-up"}}');
  expect(ErrorBodySchema.parse(await answer.json()).code).toBe('UNKNOWN_SESSION');
});

it('no token can be forged, changed, or used after it expires', async () => {
  const { token } = await mint({ session: 'new' });
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = (secret: string, change: object = {}) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret));
  const purpose = new Uint8Array(
    await crypto.subtle.sign(
      'HMAC',
      await crypto.subtle.importKey(
        'raw',
        new TextEncoder().encode(KEY_PEPPER),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
      ),
      new TextEncoder().encode('browser tokens'),
    ),
  );
  const own = (change: object) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256' }).sign(purpose);
  const start = (forged: string) => statusOf(ask('POST', '/analyze/live/start', bearer(forged)));
  // A token signed like the service's is accepted, so that the following ones are refused for their content.
  expect(await start(await own({}))).toBe(200);
  for (const forged of [
    'x',
    `${header}.${payload}.`,
    `${encoded({ alg: 'none' })}.${payload}.`,
    `${header}.${encoded({ ...claims, exp: claims.exp + 9999 })}.${signature}`,
    `${header}.${payload}.${signature.slice(0, -3)}AAA`,
    `${token}x`,
    `${token}.${signature}`,
    await signed('another secret, long enough to be one'),
    await signed(KEY_PEPPER),
    await own({ exp: Math.floor(Date.now() / 1000) - 1 }),
    await own({ exp: undefined }),
    await own({ aud: 'operator' }),
    await own({ aud: undefined }),
    await own({ tenant: 'another' }),
    await own({ kid: 'nobody000000' }),
    await own({ kind: 'issued' }),
    await own({ for: 'everything' }),
    await own({ sub: 5 }),
    `${token}${'x'.repeat(10_000)}`,
  ])
    expect({ forged: forged.slice(0, 40), status: await start(forged) }).toMatchObject({ status: 401 });
});

it('without a pepper no token is minted, and earlier ones are refused', async () => {
  const { token } = await mint({ session: 'new' });
  const bare = await startService({ KEY_PEPPER: '' });
  try {
    const asked = await bare.post('/tokens', '{"for":{"session":"new"}}', JSON_TYPE);
    expect(ErrorBodySchema.parse(await asked.json()).code).toBe('KEYS_DISABLED');
    const start = fetch(new URL('/analyze/live/start', bare.url), { method: 'POST', headers: bearer(token) });
    expect(await statusOf(start)).toBe(401);
  } finally {
    await bare.stop();
  }
});
