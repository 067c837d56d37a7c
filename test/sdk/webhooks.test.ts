import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/sdk/webhooks.ts';

// Signed with the library of Standard Webhooks.
const SECRET = `whsec_${btoa('a secret of some length')}`;
const BODY = '{"type":"analysis.completed","timestamp":"2026-11-22T12:00:00.000Z","data":{"conversation_id":"c1"}}';

function message({ at = new Date(), secret = SECRET, body = BODY } = {}) {
  return {
    body,
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    },
  };
}

const told = { id: 'msg_1', type: 'analysis.completed', data: { conversation_id: 'c1' } };
const refused = { name: 'UndertoneError', code: 'INVALID_SIGNATURE' };

describe('a webhook message', () => {
  it('is accepted when it was signed with the secret', async () => {
    expect(await verify(message(), SECRET)).toMatchObject(told);
  });

  it('may be a request, bytes, or have the headers of Node', async () => {
    const { headers, body } = message();
    const request = new Request('https://example.com/hook', { method: 'POST', headers, body });
    expect(await verify(request, SECRET)).toMatchObject(told);
    const bytes = new TextEncoder().encode(body);
    expect(await verify({ headers: new Headers(headers), body: bytes }, SECRET)).toMatchObject(told);
    const whole = new Uint8Array([0, ...bytes, 0]);
    expect(await verify({ headers, body: whole.subarray(1, -1) }, SECRET)).toMatchObject(told);
    expect(await verify({ headers, body: bytes.buffer }, SECRET)).toMatchObject(told);
  });

  it('may be signed with one of several secrets, and several times', async () => {
    const other = `whsec_${btoa('another one')}`;
    expect(await verify(message(), [other, SECRET])).toMatchObject(told);
    const { headers, body } = message();
    const both = { ...headers, 'webhook-signature': `v1,AAAA v1a,x ${headers['webhook-signature']}` };
    expect(await verify({ headers: both, body }, SECRET)).toMatchObject(told);
  });

  it('is refused when any part was changed', async () => {
    const { headers, body } = message();
    const changed = [
      { headers, body: `${body} ` },
      { headers: { ...headers, 'webhook-id': 'msg_2' }, body },
      { headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, body },
      { headers: { ...headers, 'webhook-signature': 'v1,!!! v1, v2,abc' }, body },
      { headers: { ...headers, 'webhook-signature': undefined }, body },
      { headers: {}, body },
      message({ secret: `whsec_${btoa('not this one')}` }),
    ];
    for (const one of changed) await expect(verify(one, SECRET)).rejects.toMatchObject(refused);
  });

  it('is refused when it is too old or from the future', async () => {
    for (const minutes of [-6, 6]) {
      const at = new Date(Date.now() + minutes * 60_000);
      await expect(verify(message({ at }), SECRET)).rejects.toMatchObject(refused);
      expect(await verify(message({ at }), SECRET, { toleranceSeconds: 600 })).toMatchObject(told);
    }
  });

  it('is not checked with a malformed secret', async () => {
    await expect(verify(message(), 'secret')).rejects.toThrow(TypeError);
    await expect(verify(message(), 'whsec_§')).rejects.toThrow(TypeError);
  });
});
