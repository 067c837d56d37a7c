/**
 * Decides which network addresses a client can make this service call. Pure. A host is examined in the spelling of the
 * WHATWG URL parser, which `fetch` uses as well. The parser resolves percent-encoding, full-width digits, dots of other
 * scripts and upper case, and writes every number (octal, hex, one long decimal) as a dotted quad.
 */

/**
 * Names outside the public DNS (RFC 6761, 6762, 7686, 8375, 9476; ICANN's `internal`; and conventions of local
 * networks).
 */
const PRIVATE_DOMAINS = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'onion',
  'alt',
  'test',
  'example',
  'invalid',
] as const;

/**
 * IPv4 ranges that are not globally reachable: those in IANA's special-purpose registry, multicast and reserved
 * addresses.
 */
const PRIVATE_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
].map((block) => {
  const [address = '', bits] = block.split('/');
  return { first: number(address), size: 2 ** (32 - Number(bits)) };
});

/** Converts a dotted quad to a number. */
function number(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/**
 * Address ranges. In IPv6 only 2000::/3 is public unicast. Within it, 2001::/23 is for protocols (Teredo, ORCHID,
 * benchmarks), 2001:db8::/32 and 3fff::/20 are for documentation, and 2002::/16 (6to4) embeds an IPv4 address. Mapped
 * and NAT64 addresses (::ffff:0:0/96, 64:ff9b::/96) are outside of it. The first two groups are sufficient to decide.
 */
function isPublicIpv6(address: string): boolean {
  const [first = 0, second = 0] = address.split(':', 2).map((group) => (group === '' ? 0 : Number.parseInt(group, 16)));
  if (!(first >= 0x2000 && first <= 0x3fff)) return false;
  if (first === 0x2001) return second >= 0x200 && second !== 0xdb8;
  return first !== 0x2002 && !(first === 0x3fff && second < 0x1000);
}

/**
 * Whether an IP address is public. False for a string that is not an address.
 * @param address in the spelling of the URL parser or a resolver, without brackets for IPv6
 */
export function isPublicIp(address: string): boolean {
  if (address.includes(':')) return isPublicIpv6(address);
  const value = number(address);
  return isIpv4(address) && !PRIVATE_IPV4.some(({ first, size }) => value >= first && value < first + size);
}

const isIpv4 = (host: string): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(host);

/** The IP address in a URL's host. Undefined when the host is a name. */
export function ipOf({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return isIpv4(hostname) ? hostname : undefined;
}

/** Excludes the ports of system services, mail and shells, which could misread a request as their own protocol. */
const isWebPort = (port: string): boolean => port === '' || port === '80' || port === '443' || Number(port) >= 1024;

/**
 * The reason why this service refuses to call an address for a client. Undefined when the call is allowed.
 * @param isPrivateAllowed for developers and tests: allows any address and any name
 */
export function faultOfTarget(url: URL, isPrivateAllowed: boolean): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (isPrivateAllowed) return undefined;
  if (!isWebPort(url.port)) return BAD_PORT;
  return isPublicHost(url) ? undefined : NOT_PUBLIC;
}

/** Whether the host is a public address, or a name that may resolve to one. */
function isPublicHost(url: URL): boolean {
  const ip = ipOf(url);
  if (ip !== undefined) return isPublicIp(ip);
  const labels = url.hostname.replace(/\.$/, '').split('.');
  return labels.length > 1 && !PRIVATE_DOMAINS.some((domain) => domain === labels.at(-1));
}

/**
 * The reason why an address with which a pipeline announces itself is refused. The pipeline holds the operator's token,
 * so it may be on a private network. Recordings and the token pass a public one encrypted only.
 */
export function faultOfPipelineUrl(url: URL): string | undefined {
  const isPlain = url.protocol === 'http:';
  if (!isPlain && url.protocol !== 'https:') return 'must begin with https:// or http://';
  if (url.href !== `${url.origin}/`) return 'must be a scheme, a host and a port, and nothing else';
  if (!isWebPort(url.port)) return BAD_PORT;
  return isPlain && isPublicHost(url) ? 'must begin with https:// unless it is on a private network' : undefined;
}

const BAD_PORT = 'must use port 80, 443, or 1024 and above';

/** Addressed to developers, since most who see it are trying a receiver on their own machine. */
export const NOT_PUBLIC = 'must be a public address, unless the service runs with ALLOW_PRIVATE_TARGETS=true';
