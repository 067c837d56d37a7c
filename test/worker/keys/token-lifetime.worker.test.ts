import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import type { LiveSessionBody } from '../../../src/contract/live.ts';
import { type TokenBody, TokenSchema } from '../../../src/contract/tokens.ts';
import type { UploadBody } from '../../../src/contract/uploads.ts';
import { expired, resigned } from '../../../support/browser-token.ts';
import { clear, form, KEY, OTHER_KEY, startService, type TestService } from '../../../support/service-under-test.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_FILE_SIZE_MB: '64' });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const PART_BYTES = 16 * 1024 * 1024;
const WEEK_S = 7 * 86_400;

/** A request with a token. An object is sent as JSON. */
async function ask(method: string, path: string, token: string, body?: object | FormData | Uint8Array<ArrayBuffer>) {
  const isJson = body !== undefined && !(body instanceof FormData) && !(body instanceof Uint8Array);
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(isJson && JSON_TYPE) },
    ...(body && { body: isJson ? JSON.stringify(body) : (body as FormData) }),
  });
  const text = await response.text();
  const challenge = response.headers.get('WWW-Authenticate');
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  return { status: response.status, challenge, body: text.startsWith('{') ? (JSON.parse(text) as any) : text };
}

async function mint(of: object, key = KEY): Promise<Required<TokenBody>> {
  const answer = await service.post('/tokens', JSON.stringify({ for: of }), { 'X-API-Key': key, ...JSON_TYPE });
  return TokenSchema.required().parse(await answer.json());
}

const chunk = (seq: number) => {
  const body = new FormData();
  body.set('chunk_seq', String(seq));
  body.set('chunk', new File([`chunk ${seq}`], 'chunk'));
  return body;
};
const start = async (token: string): Promise<LiveSessionBody> =>
  (await ask('POST', '/analyze/live/start', token, { suffix: '.wav' })).body;

describe('an expired token', () => {
  it('serves the session it opened to the end, and opens no other', async () => {
    const { token, conversation_id } = await mint({ session: 'new' });
    const session = await start(token);
    expect(session.conversation_id).toBe(conversation_id);
    const late = await expired(token, 3600);
    expect((await ask('POST', session.chunk_endpoint, late, chunk(0))).status).toBe(200);
    expect((await ask('POST', session.control_endpoint, late, { action: 'keepalive' })).status).toBe(200);
    expect((await ask('POST', '/analyze/live/start', late)).status).toBe(401);
    const events = await fetch(new URL(`${session.events_endpoint}?token=${late}`, service.url));
    expect(events.status).toBe(200);
    await events.body?.cancel();
    expect((await ask('POST', session.control_endpoint, late, { action: 'finalize' })).status).toBe(200);
  });

  it('is told apart from one that is not valid, and from none, in WWW-Authenticate (RFC 6750)', async () => {
    const { token } = await mint({ session: 'new' });
    const challengeOf = async (bearer: string) => (await ask('POST', '/analyze/live/start', bearer)).challenge;
    const said = (fault: string) => `Bearer realm="undertone", error="invalid_token", error_description="${fault}"`;
    expect(await challengeOf(await expired(token))).toBe(said('The token has expired'));
    const invalid = said('The token is not valid; a key belongs in the header X-API-Key');
    expect(await challengeOf(KEY)).toBe(invalid);
    expect(await challengeOf(await resigned(token, { kid: 'none' }))).toBe(invalid);
    const without = await fetch(new URL('/conversations', service.url), { headers: { Origin: 'https://app.example' } });
    expect([without.status, without.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="undertone"']);
    expect(without.headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate');
    expect((await ask('POST', '/analyze/live/start', token)).challenge).toBeNull();
    const upload = await mint({ upload: 'new' });
    expect((await ask('POST', '/uploads', upload.token, { filename: 'call.wav', bytes: 10 })).status).toBe(201);
    expect((await ask('POST', '/analyze', upload.token, form('call.wav', 'media'))).challenge).toBe(
      said('This token has already been used'),
    );
  });

  it('reaches nothing when it opened nothing', async () => {
    const { token, for: of } = await mint({ session: 'new' });
    const late = await expired(token);
    expect((await ask('POST', '/analyze/live/start', late)).status).toBe(401);
    expect((await ask('POST', `/analyze/live/${of.session}/chunk`, late, chunk(0))).status).toBe(404);
    const upload = await mint({ upload: 'new' });
    const spoilt = await expired(upload.token);
    expect((await ask('POST', '/analyze', spoilt, form('call.wav', 'media'))).status).toBe(401);
    expect((await ask('POST', '/uploads', spoilt, { filename: 'call.wav', bytes: 10 })).status).toBe(401);
    expect((await ask('PUT', `/uploads/${upload.for.upload}/parts/1`, spoilt, randomBytes(10))).status).toBe(404);
  });

  it('for a session that somebody else opened, or for a conversation, is over', async () => {
    const opened = (await (await service.post('/analyze/live/start', '')).json()) as LiveSessionBody;
    const joined = TokenSchema.parse(
      await (await service.post('/tokens', JSON.stringify({ for: { session: opened.session_id } }), JSON_TYPE)).json(),
    );
    expect(joined.conversation_id).toBeUndefined();
    const late = await expired(joined.token);
    expect((await ask('POST', opened.chunk_endpoint, joined.token, chunk(0))).status).toBe(200);
    expect((await ask('POST', opened.chunk_endpoint, late, chunk(1))).status).toBe(401);
    const reads = TokenSchema.parse(
      await (
        await service.post('/tokens', JSON.stringify({ for: { conversation: opened.conversation_id } }), JSON_TYPE)
      ).json(),
    );
    expect((await ask('GET', `/conversations/${opened.conversation_id}`, await expired(reads.token))).status).toBe(401);
  });

  it('is over for everything after a week, and cannot claim what another opened', async () => {
    const { token } = await mint({ session: 'new' });
    const session = await start(token);
    expect((await ask('POST', session.chunk_endpoint, await expired(token, WEEK_S + 60), chunk(0))).status).toBe(401);
    const other = await mint({ session: 'new' });
    expect((await ask('POST', session.chunk_endpoint, await expired(other.token), chunk(0))).status).toBe(403);
    const stranger = await mint({ session: 'new' }, OTHER_KEY);
    const forged = await resigned(stranger.token, { sub: session.session_id });
    expect((await ask('POST', session.chunk_endpoint, forged, chunk(0))).status).toBe(404);
  });
});

describe('the token that made a conversation', () => {
  it('reads its result, media and events for an hour after the end, and nothing else', async () => {
    const { token, conversation_id: id } = await mint({ upload: 'new' });
    expect((await ask('POST', '/analyze', token, form('call.wav', 'media'))).status).toBe(200);
    for (const with_ of [token, await expired(token, 300)]) {
      expect(AnalysisResponseSchema.parse((await ask('GET', `/conversations/${id}`, with_)).body)).toMatchObject({
        conversation_id: id,
      });
      for (const part of ['media?original=true', 'events'])
        expect({ part, status: (await ask('GET', `/conversations/${id}/${part}`, with_)).status }).toEqual({
          part,
          status: 200,
        });
      for (const [method, path] of [
        ['GET', `/conversations/${id}/record`],
        ['GET', `/conversations/${id}/export?format=txt`],
        ['GET', '/conversations'],
        ['GET', '/conversations/another'],
        ['PATCH', `/conversations/${id}`],
        ['DELETE', `/conversations/${id}`],
      ] as const)
        expect({ path, status: (await ask(method, path, with_)).status }).toEqual({ path, status: 403 });
    }
  });

  it('reads the conversation of its session', async () => {
    const { token, conversation_id: id } = await mint({ session: 'new' });
    const session = await start(token);
    await ask('POST', session.chunk_endpoint, token, chunk(0));
    expect((await ask('GET', `/conversations/${id}`, token)).body).toMatchObject({ conversation_id: id });
    const stranger = await mint({ session: 'new' }, OTHER_KEY);
    const forged = await resigned(stranger.token, { makes: id });
    expect((await ask('GET', `/conversations/${id}`, forged)).status).toBe(404);
  });

  it('says what it is for where it is refused', async () => {
    const { token } = await mint({ upload: 'new' });
    const refused = await ask('GET', '/conversations/another', token);
    expect(refused.body.detail).toMatch(/only valid for the upload .*a token for the conversation$/);
  });
});

describe('a token for an upload', () => {
  it('uploads one file in parts, goes on with it when it has expired, and waits for the result', async () => {
    const bytes = PART_BYTES + 1000;
    const { token, for: of } = await mint({ upload: 'new' });
    const opened = await ask('POST', '/uploads', token, { filename: 'call.wav', bytes });
    expect(opened).toMatchObject({ status: 201, body: { id: of.upload, part_count: 2 } });
    // The response was lost.
    expect((await ask('POST', '/uploads', token, { filename: 'call.wav', bytes })).body.id).toBe(of.upload);
    const { id } = opened.body as UploadBody;
    expect((await ask('PUT', `/uploads/${id}/parts/1`, token, randomBytes(PART_BYTES))).status).toBe(200);
    const late = await expired(token);
    expect((await ask('GET', `/uploads/${id}`, late)).body.parts).toHaveLength(1);
    expect((await ask('PUT', `/uploads/${id}/parts/2`, late, randomBytes(1000))).status).toBe(200);
    const done = await ask('POST', `/uploads/${id}/complete`, late);
    expect(done).toMatchObject({ status: 200, body: { conversation_id: id } });
    expect((await ask('GET', `/conversations/${id}`, late)).status).toBe(200);
  });

  it('is spent by the upload it opens, and reaches no other', async () => {
    const [mine, other] = [await mint({ upload: 'new' }), await mint({ upload: 'new' })];
    await ask('POST', '/uploads', mine.token, { filename: 'call.wav', bytes: 10 });
    expect((await ask('POST', '/uploads', mine.token, { filename: 'call.wav', bytes: 11 })).status).toBe(401);
    expect((await ask('POST', '/analyze', mine.token, form('call.wav', 'media'))).status).toBe(401);
    expect((await ask('GET', `/uploads/${mine.for.upload}`, other.token)).status).toBe(403);
    expect((await ask('DELETE', `/uploads/${mine.for.upload}`, mine.token)).status).toBe(204);
    expect((await ask('POST', '/analyze', other.token, form('call.wav', 'media'))).status).toBe(200);
    expect((await ask('POST', '/uploads', other.token, { filename: 'call.wav', bytes: 10 })).status).toBe(401);
  });
});
