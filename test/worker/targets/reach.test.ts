import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { callOnce, getFrom, type TargetRules, targetOf } from '../../../src/worker/targets/reach.ts';
import { startServer } from '../../../support/local-server.ts';

const STRICT: TargetRules = { allowPrivateTargets: false, dnsResolverUrl: undefined };
const OPEN: TargetRules = { allowPrivateTargets: true, dnsResolverUrl: undefined };

const closings: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(closings.splice(0).map((close) => close())));

async function serve(answer: RequestListener): Promise<string> {
  const server = await startServer(answer);
  closings.push(server.close);
  return server.url;
}

/** A resolver that knows these names; it returns their addresses behind an alias, as resolvers do. */
const resolver = (names: Record<string, string[]>) =>
  serve((request, response) => {
    const url = new URL(request.url ?? '/', 'http://resolver');
    const type = url.searchParams.get('type') === 'A' ? 1 : 28;
    const addresses = names[url.searchParams.get('name') ?? ''] ?? [];
    const records = addresses.filter((address) => address.includes(':') === (type === 28));
    const alias = { name: 'x', type: 5, data: 'alias.example.com.' };
    response.setHeader('Content-Type', 'application/dns-json');
    response.end(JSON.stringify({ Status: 0, Answer: [alias, ...records.map((data) => ({ name: 'x', type, data }))] }));
  });

describe('an address that a client gives', () => {
  it.each(['', 'a.wav', '//example.com/a.wav', 'https://', `https://example.com/${'a'.repeat(2_048)}`])(
    '%.40s is refused by the name of its field',
    (text) => {
      expect(() => targetOf(text, 'url', STRICT)).toThrow('url: must be an absolute URL');
    },
  );

  it('is refused when it is not public, unless the operator allows it', () => {
    expect(() => targetOf('http://127.0.0.1:8080/', 'url', STRICT)).toThrow('url: must be a public address');
    expect(targetOf('http://127.0.0.1:1/', 'url', OPEN).port).toBe('1');
  });
});

describe('redirects', () => {
  it('are followed one by one, relative ones too', async () => {
    const base = await serve((request, response) => {
      if (request.url === '/first') response.writeHead(302, { Location: '/second' }).end();
      else if (request.url === '/second') response.writeHead(307, { Location: 'third?x=1' }).end();
      else response.end(request.url);
    });
    const { response, url } = await getFrom(new URL('/first', base), {}, OPEN);
    expect(await response.text()).toBe('/third?x=1');
    expect(url.href).toBe(`${base}/third?x=1`);
  });

  it.each([
    'file:///etc/passwd',
    'http://user:secret@127.0.0.1/',
    'ftp://example.com/',
    'javascript:alert(1)',
    'http://[',
  ])('to %s are refused', async (location) => {
    const base = await serve((_, response) => void response.writeHead(301, { Location: location }).end());
    await expect(getFrom(new URL(base), {}, OPEN)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining('url: a redirect'),
    });
  });

  it('to private addresses are refused by the rule of the first address', async () => {
    const rules = { allowPrivateTargets: true, dnsResolverUrl: undefined };
    const base = await serve((_, response) => {
      // From here on the rules are those of production.
      rules.allowPrivateTargets = false;
      response.writeHead(302, { Location: 'http://0x7f.1/' }).end();
    });
    await expect(getFrom(new URL(base), {}, rules)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('without an end are abandoned', async () => {
    let asked = 0;
    const base = await serve((_, response) => {
      asked++;
      response.writeHead(302, { Location: '/again' }).end();
    });
    await expect(getFrom(new URL(base), {}, OPEN)).rejects.toMatchObject({ code: 'SOURCE_FAILED' });
    expect(asked).toBe(6);
  });
});

describe('names', () => {
  const PUBLIC = '93.184.215.14';

  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['a private address among public ones', [PUBLIC, '192.168.0.1']],
    ['a private IPv6 address', [PUBLIC, 'fd00::1']],
    ['a mapped address', ['::ffff:169.254.169.254']],
  ])('that mean %s are refused before they are called', async (_, addresses) => {
    const dnsResolverUrl = await resolver({ 'trick.example.com': addresses });
    const calling = callOnce(new URL('http://trick.example.com/'), {}, { ...STRICT, dnsResolverUrl });
    await expect(calling).rejects.toMatchObject({ code: 'INVALID_REQUEST', detail: expect.stringContaining('public') });
  });

  it('that do not resolve, or cannot be looked up, get an error that says so', async () => {
    const dnsResolverUrl = await resolver({});
    const url = new URL('http://nobody.example.com/');
    await expect(callOnce(url, {}, { ...STRICT, dnsResolverUrl })).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      detail: 'nobody.example.com does not resolve',
      isFinal: true,
    });
    const broken = await serve((_, response) => void response.writeHead(500).end('no'));
    await expect(callOnce(url, {}, { ...STRICT, dnsResolverUrl: broken })).rejects.toMatchObject({
      code: 'SOURCE_FAILED',
      detail: 'nobody.example.com cannot be looked up',
      isFinal: false,
    });
    const failing = await serve((_, response) => void response.end('{"Status": 2}'));
    await expect(callOnce(url, {}, { ...STRICT, dnsResolverUrl: failing })).rejects.toMatchObject({
      detail: 'nobody.example.com cannot be looked up',
      isFinal: false,
    });
  });
});

it('names the unreachable host, and nothing else of the address', async () => {
  const url = new URL('http://127.0.0.1:1/path?token=secret');
  const refusal = await callOnce(url, {}, OPEN).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'SOURCE_FAILED', detail: '127.0.0.1 cannot be reached' });
});
