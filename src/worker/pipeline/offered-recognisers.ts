import * as z from 'zod';
import { type RecogniserOffer, RecogniserOfferSchema } from '../../contract/analysis.ts';
import { within } from '../http/deadline.ts';
import type { Env } from '../identity/env.ts';
import { watchedHosts } from './hosts.ts';

/** Whether the service lives must be told at once, whatever becomes of its pipelines. */
const WITHIN_MS = 500;
/** Whoever asks how it lives asks often, without a key: pipelines are asked so often at most by an isolate. */
const KEPT_MS = 10_000;

const PipelineHealthSchema = z.object({ recognisers: z.array(RecogniserOfferSchema) });

/** What was told, and until when that counts. */
interface Known {
  offers: RecogniserOffer[] | undefined;
  until: number;
}
/** By deployment. */
const known = new WeakMap<object, Known>();

/**
 * Who hears the words, as the first pipeline says that answers; undefined while none does. Only the first question of an isolate
 * waits for it; later ones are told what is known, and it is asked again meanwhile. Never rejects.
 */
export async function offeredRecognisers(
  env: Env,
  { waitUntil }: { waitUntil: (work: Promise<unknown>) => void },
): Promise<RecogniserOffer[] | undefined> {
  const before = known.get(env);
  if (!before) return (await asked(env)).offers;
  if (Date.now() >= before.until) {
    known.set(env, { ...before, until: Date.now() + KEPT_MS });
    waitUntil(asked(env));
  }
  return before.offers;
}

async function asked(env: Env): Promise<Known> {
  const ended = new AbortController();
  const hosts = watchedHosts(env).map(async ({ health }) => {
    const answer = await health(ended.signal);
    return PipelineHealthSchema.parse(await answer.json()).recognisers;
  });
  const told = await within(
    Promise.any(hosts).catch(() => undefined),
    WITHIN_MS,
  );
  ended.abort();
  const now = { offers: told === 'late' ? undefined : told, until: Date.now() + KEPT_MS };
  known.set(env, now);
  return now;
}
