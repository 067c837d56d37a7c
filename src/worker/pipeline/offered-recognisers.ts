import * as z from 'zod';
import { type RecogniserOffer, RecogniserOfferSchema } from '../../contract/analysis.ts';
import { within } from '../deadline.ts';
import type { Env } from '../identity/env.ts';
import { watchedHosts } from './hosts.ts';

/** Time limit of a check, ms. A monitor receives its answer soon, whatever state the pipelines are in. */
const CHECK_MS = 500;
/** How long an isolate reuses an answer, ms. Monitors call often, and without a key. */
const CACHE_MS = 10_000;

const PipelineHealthSchema = z.object({ recognisers: z.array(RecogniserOfferSchema) });

/** An answer and when it expires (Unix time, ms). */
interface CachedOffers {
  offers: RecogniserOffer[] | undefined;
  until: number;
}
/** Cached answers by deployment. */
const cache = new WeakMap<object, CachedOffers>();

/**
 * The recognisers of the first pipeline that answers. Undefined as long as none does. Only the first call in an isolate
 * waits; later calls return the last answer while it is refreshed. Never rejects.
 */
export async function offeredRecognisers(
  env: Env,
  { waitUntil }: { waitUntil: (work: Promise<unknown>) => void },
): Promise<RecogniserOffer[] | undefined> {
  const last = cache.get(env);
  if (!last) return (await refreshed(env)).offers;
  if (Date.now() >= last.until) {
    cache.set(env, { ...last, until: Date.now() + CACHE_MS });
    waitUntil(refreshed(env));
  }
  return last.offers;
}

async function refreshed(env: Env): Promise<CachedOffers> {
  const ended = new AbortController();
  const hosts = watchedHosts(env).map(async ({ health }) => {
    const response = await health(ended.signal);
    return PipelineHealthSchema.parse(await response.json()).recognisers;
  });
  const offers = await within(
    Promise.any(hosts).catch(() => undefined),
    CHECK_MS,
  );
  ended.abort();
  const now = { offers: offers === 'late' ? undefined : offers, until: Date.now() + CACHE_MS };
  cache.set(env, now);
  return now;
}

/** The number of pipelines, and of those that respond now. Starts none. Never rejects. */
export async function respondingPipelines(env: Env): Promise<{ total: number; ready: number }> {
  const hosts = watchedHosts(env);
  const ended = new AbortController();
  const checks = hosts.map(async ({ health }) => {
    const response = await health(ended.signal);
    await response.body?.cancel();
    return response.ok;
  });
  const answers = await Promise.all(
    checks.map((check) =>
      within(
        check.catch(() => false),
        CHECK_MS,
      ),
    ),
  );
  ended.abort();
  return { total: hosts.length, ready: answers.filter((answer) => answer === true).length };
}
