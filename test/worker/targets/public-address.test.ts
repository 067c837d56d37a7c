import { describe, expect, it } from 'vitest';
import { faultOfPipelineUrl, faultOfTarget, isPublicIp } from '../../../src/worker/targets/public-address.ts';

const faultOf = (text: string): string | undefined => faultOfTarget(new URL(text), false);

/** Spellings of addresses that are not public. */
const PRIVATE = [
  'http://localhost/',
  'http://LOCALHOST:8080/',
  'http://localhost./',
  'http://localhost.localdomain/',
  'http://api.localhost/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'http://loc%61lhost/',
  'http://intranet/',
  'http://router.lan/',
  'http://printer.local/',
  'http://printer.local./',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://nas.home.arpa/',
  'http://ipv4only.arpa/',
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://127.0.0.0x1/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http:\\\\127.0.0.1\\x',
  'http:/127.0.0.1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://10.0.0.1/',
  'http://10.255.255.255/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://3232235521/',
  'http://192.0.0.8/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.19.255.255/',
  'http://198.51.100.7/',
  'http://203.0.113.7/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[0:0:0:0:0:ffff:0a00:0001]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::a00:1]/',
  'http://[100::1]/',
  'http://[2001::1]/',
  'http://[2001:2::1]/',
  'http://[2001:20::1]/',
  'http://[2001:db8::1]/',
  'http://[2002:7f00:1::]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456:789a::1]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
];

it.each(PRIVATE)('%s is not public', (text) => {
  expect(faultOf(text)).toMatch(/^must be a public address, unless .*ALLOW_PRIVATE_TARGETS=true$/);
});

it.each([
  'https://hooks.example.com/undertone',
  'http://example.org:8080/a.wav',
  'https://EXAMPLE.com./a.wav',
  'https://bücher.example.com/',
  'https://local.example.net/',
  'https://8.8.8.8/',
  'https://9.255.255.255/',
  'https://11.0.0.1/',
  'https://100.63.255.255/',
  'https://100.128.0.1/',
  'https://126.255.255.255/',
  'https://128.0.0.1/',
  'https://172.15.255.255/',
  'https://172.32.0.1/',
  'https://192.169.0.1/',
  'https://223.255.255.255/',
  'https://[2606:4700::1111]/',
  'https://[2001:4860:4860::8888]/',
  'https://[2a00:1450:4001::200e]/',
])('%s is public', (text) => {
  expect(faultOf(text)).toBeUndefined();
});

describe('an address that is never a target', () => {
  it.each([
    ['ftp://example.com/a.wav', 'must begin with'],
    ['file:///etc/passwd', 'must begin with'],
    ['javascript:alert(1)', 'must begin with'],
    ['data:audio/wav;base64,AAAA', 'must begin with'],
    ['gopher://example.com/', 'must begin with'],
    ['https://user:secret@example.com/', 'must not contain'],
    ['https://user@example.com/', 'must not contain'],
    ['https://8.8.8.8@127.0.0.1/', 'must not contain'],
    ['http://example.com:25/', 'must use port'],
    ['http://example.com:22/', 'must use port'],
  ])('%s', (text, fault) => {
    expect(faultOf(text)).toContain(fault);
  });

  it('a user name or another scheme stays refused where private addresses are allowed', () => {
    expect(faultOfTarget(new URL('http://user@127.0.0.1/'), true)).toContain('must not contain');
    expect(faultOfTarget(new URL('file:///etc/passwd'), true)).toContain('must begin with');
    expect(faultOfTarget(new URL('http://127.0.0.1:25/'), true)).toBeUndefined();
  });
});

it('judges addresses in a resolver’s notation', () => {
  expect(['127.0.0.1', '10.1.2.3', '::1', '::ffff:10.0.0.1', 'fe80::1', '', 'x', 'x:y'].filter(isPublicIp)).toEqual([]);
  expect(['1.1.1.1', '2606:4700:4700::1111'].filter((ip) => !isPublicIp(ip))).toEqual([]);
});

describe('the address of a pipeline that joins the pool', () => {
  const faultOfPipeline = (text: string): string | undefined => faultOfPipelineUrl(new URL(text));

  it.each([
    'https://pipeline-0.example.com',
    'https://pipeline-0.example.com:8443/',
    'https://203.0.114.1',
    'http://pipeline-0:8080',
    'http://10.0.0.7:8080',
    'http://[fd00::7]:8080',
    'http://127.0.0.1:8791',
    'http://pipeline-0.undertone-pipeline.svc.cluster.local:8080',
  ])('may be %s', (url) => expect(faultOfPipeline(url)).toBeUndefined());

  it.each([
    ['ftp://pipeline-0.internal', /https:/],
    ['http://pipeline-0.example.com', /https:.* private network/],
    ['http://pipeline-0.example.com.', /private network/],
    ['http://203.0.114.1:8080', /private network/],
    ['http://134744072', /private network/],
    ['https://user@pipeline-0.example.com', /nothing else/],
    ['https://pipeline-0.example.com/base', /nothing else/],
    ['https://pipeline-0.example.com/?token=x', /nothing else/],
    ['https://pipeline-0.example.com/#x', /nothing else/],
    ['http://10.0.0.7:25', /port/],
    ['https://pipeline-0.example.com:22', /port/],
  ])('is not %s', (url, fault) => expect(faultOfPipeline(url)).toMatch(fault));
});
