import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import { within } from '../deadline.ts';
import { faultOfTarget, ipOf, isPublicIp, NOT_PUBLIC } from './public-address.ts';

/** Length limit of a URL that a client gives, characters. */
const MAX_URL_CHARS = 2_048;
/** Limit on the number of redirects. */
const MAX_HOPS = 5;
/** Time limits for looking up a name, and for the headers of a target's response, ms. */
const LOOK_UP_MS = 5_000;
const ANSWER_MS = 30_000;
/** Record types of RFC 1035 and 3596. */
const ADDRESS_RECORDS = [1, 28];
/** Status codes of an answer for a name that exists and for one that does not (RFC 1035 4.1.1). */
const CONCLUSIVE = [0, 3];

/** The operator's rules for targets (settings ALLOW_PRIVATE_TARGETS and DNS_RESOLVER_URL). */
export interface TargetRules {
  /** For developers and tests: allows any address and any name, also over http. */
  allowPrivateTargets: boolean;
  /**
   * A resolver that answers in JSON (`application/dns-json`, like those of Cloudflare and Google). Undefined: names are
   * not looked up. A name may resolve differently by the time it is called.
   */
  dnsResolverUrl: string | undefined;
}

/**
 * Parses a client's text as a URL that this service may call, judging by its spelling.
 * @param field named in the error
 * @throws ServiceError INVALID_REQUEST
 */
export function targetOf(text: string, field: string, rules: TargetRules): URL {
  const url = text.length <= MAX_URL_CHARS ? URL.parse(text) : null;
  const fault = url ? faultOfTarget(url, rules.allowPrivateTargets) : 'must be an absolute URL';
  if (!url || fault) throw new ServiceError('INVALID_REQUEST', `${field}: ${fault}`);
  return url;
}

/** The same for a webhook, which receives news of conversations. It must use https, unless the operator allows http. */
export function webhookTargetOf(text: string, rules: TargetRules): URL {
  const url = targetOf(text, 'url', rules);
  if (url.protocol === 'https:' || rules.allowPrivateTargets) return url;
  throw new ServiceError('INVALID_REQUEST', 'url: must begin with https://');
}

/**
 * Sends a GET, and follows redirects itself so that each one is checked like the first URL.
 * @param init options of the request
 * @returns the response, and the URL that it came from
 * @throws ServiceError INVALID_REQUEST for a URL that may not be called, SOURCE_FAILED for one that does not respond
 */
export async function getFrom(
  first: URL,
  init: RequestInit,
  rules: TargetRules,
): Promise<{ response: Response; url: URL }> {
  for (let url = first, hop = 0; hop <= MAX_HOPS; hop++) {
    const response = await callOnce(url, init, rules);
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('Location') : null;
    if (location === null) return { response, url };
    await response.body?.cancel();
    url = targetOf(URL.parse(location, url)?.href ?? '', 'url: a redirect', rules);
  }
  throw new ServiceError('SOURCE_FAILED', `url: redirects more than ${MAX_HOPS} times`);
}

/**
 * Calls a URL once. A redirect counts as a response.
 * @throws ServiceError INVALID_REQUEST for a name that is not public, SOURCE_FAILED for a URL that does not respond
 */
export async function callOnce(
  url: URL,
  init: RequestInit,
  rules: TargetRules,
  withinMs = ANSWER_MS,
): Promise<Response> {
  await requirePublicName(url, rules);
  const late = new AbortController();
  const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
  const answering = fetch(url, { ...init, redirect: 'manual', signal }).catch((cause: unknown) => {
    throw new ServiceError('SOURCE_FAILED', `${url.hostname} cannot be reached`, { cause: String(cause) });
  });
  const answer = await within(answering, withinMs);
  if (answer !== 'late') return answer;
  answering.catch(() => undefined);
  late.abort();
  throw new ServiceError('SOURCE_FAILED', `${url.hostname} did not respond within ${withinMs / 1000} s`);
}

const ResolutionSchema = z.object({
  Status: z.literal(CONCLUSIVE).default(0),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).default([]),
});

/** If a resolver is configured, refuses a name that resolves to a private address. */
async function requirePublicName(url: URL, { allowPrivateTargets, dnsResolverUrl }: TargetRules): Promise<void> {
  if (allowPrivateTargets || dnsResolverUrl === undefined || ipOf(url) !== undefined) return;
  const addresses = (await Promise.all(['A', 'AAAA'].map((type) => lookUp(url.hostname, type, dnsResolverUrl)))).flat();
  // This is usually a typing error, so a job reports it immediately.
  if (addresses.length === 0)
    throw new ServiceError('SOURCE_FAILED', `${url.hostname} does not resolve`, { isFinal: true });
  if (!addresses.every(isPublicIp)) throw new ServiceError('INVALID_REQUEST', `${url.hostname} ${NOT_PUBLIC}`);
}

async function lookUp(name: string, type: string, resolverUrl: string): Promise<string[]> {
  const question = new URL(resolverUrl);
  question.searchParams.set('name', name);
  question.searchParams.set('type', type);
  try {
    const headers = { Accept: 'application/dns-json' };
    const response = await fetch(question, { headers, signal: AbortSignal.timeout(LOOK_UP_MS) });
    const { Answer: records } = ResolutionSchema.parse(await response.json());
    return records.filter((record) => ADDRESS_RECORDS.includes(record.type)).map(({ data }) => data);
  } catch (cause) {
    throw new ServiceError('SOURCE_FAILED', `${name} cannot be looked up`, { cause: String(cause) });
  }
}
