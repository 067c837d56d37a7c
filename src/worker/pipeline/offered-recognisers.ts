import * as z from 'zod';
import { type RecogniserOffer, RecogniserOfferSchema } from '../../contract/analysis.ts';
import { within } from '../deadline.ts';
import type { Env } from '../identity/env.ts';
import { idleHosts, type WatchedHost, watchedHosts } from './hosts.ts';

/** Time limit of a check, ms. A monitor gets a prompt response, whatever state the pipelines are in. */
const CHECK_MS = 500;
/** Wait before the next pipeline is asked as well, ms. */
const NEXT_MS = 100;
/** How long an isolate reuses an answer, ms. Monitors call often, and without a key. */
const CACHE_MS = 10_000;

const PipelineHealthSchema = z.object({ recognisers: z.array(RecogniserOfferSchema) });

/** An answer and when it expires (Unix time, ms). */
interface CachedOffers {
  offers: RecogniserOffer[] | undefined;
  /** Index of the pipeline that answered. It is asked first the next time. */
  place: number;
  until: number;
}
/** Reads the addresses of the pipelines that joined the pool themselves. It never rejects. */
type Announced = () => Promise<readonly string[]>;
/** Cached answers by deployment. */
const cache = new WeakMap<object, CachedOffers>();

/**
 * The recognisers of the first pipeline that answers. Each request to a container wakes its object and the route is
 * public, so another pipeline is asked only while there is no answer. Undefined as long as no pipeline answers. Only
 * the first call in an isolate waits; later calls return the last answer while it is refreshed. Never rejects.
 */
export async function offeredRecognisers(
  env: Env,
  { waitUntil, announced }: { waitUntil: (work: Promise<unknown>) => void; announced: Announced },
): Promise<RecogniserOffer[] | undefined> {
  const last = cache.get(env);
  if (!last) return (await refreshed(env, 0, announced)).offers;
  if (Date.now() >= last.until) {
    cache.set(env, { ...last, until: Date.now() + CACHE_MS });
    waitUntil(refreshed(env, last.place, announced));
  }
  return last.offers;
}

async function refreshed(env: Env, from: number, announced: Announced): Promise<CachedOffers> {
  const addresses = await within(announced(), CHECK_MS);
  const hosts = watchedHosts(env, addresses === 'late' ? [] : addresses);
  const ended = new AbortController();
  const answer = await within(
    firstAnswer(hosts, from, ended.signal).catch(() => undefined),
    CHECK_MS,
  );
  ended.abort();
  const { offers, place } = answer === 'late' || !answer ? { offers: undefined, place: from } : answer;
  const now = { offers, place, until: Date.now() + CACHE_MS };
  cache.set(env, now);
  return now;
}

/**
 * Asks the pipelines in turn, each once the earlier ones have failed or are late.
 * @throws Error when all failed
 */
async function firstAnswer(
  hosts: readonly WatchedHost[],
  from: number,
  signal: AbortSignal,
): Promise<Omit<CachedOffers, 'until'>> {
  const asked: Promise<Omit<CachedOffers, 'until'>>[] = [];
  for (let n = 0; n < hosts.length && !signal.aborted; n++) {
    const place = (from + n) % hosts.length;
    asked.push(offersOf(hosts[place]!, signal).then((offers) => ({ offers, place })));
    const answer = await within(
      Promise.any(asked).catch(() => undefined),
      NEXT_MS,
    );
    if (answer && answer !== 'late') return answer;
  }
  return Promise.any(asked);
}

async function offersOf({ health }: WatchedHost, signal: AbortSignal): Promise<RecogniserOffer[]> {
  const response = await health(signal);
  return PipelineHealthSchema.parse(await response.json()).recognisers;
}

const count = z.number().int().min(0).default(0);
const PipelineWorkSchema = z.object({ running: count, waiting: count, live: count });

/** A group of pipelines and its work. */
export interface PipelineGroup {
  total: number;
  /** How many respond now. */
  ready: number;
  /** Analyses and live sessions on those that respond. */
  work: number;
}

/** The pipelines that get new work. Starts none. Never rejects. @param announced see `watchedHosts` */
export const respondingPipelines = (env: Env, announced: readonly string[]): Promise<PipelineGroup> =>
  groupOf(watchedHosts(env, announced));

/** The application that gets no new work. Starts none. Undefined where there are no containers. */
export async function idleApplication(env: Env): Promise<PipelineGroup | undefined> {
  const hosts = await idleHosts(env);
  return hosts.length === 0 ? undefined : groupOf(hosts);
}

async function groupOf(hosts: readonly WatchedHost[]): Promise<PipelineGroup> {
  const ended = new AbortController();
  const checks = hosts.map(async ({ health }) => {
    const response = await health(ended.signal);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return PipelineWorkSchema.parse(await response.json());
  });
  const answers = await Promise.all(
    checks.map((check) =>
      within(
        check.catch(() => null),
        CHECK_MS,
      ),
    ),
  );
  ended.abort();
  const ready = answers.filter((answer) => answer !== 'late' && answer !== null);
  const work = ready.reduce((sum, { running, waiting, live }) => sum + running + waiting + live, 0);
  return { total: hosts.length, ready: ready.length, work };
}
