import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv, Env } from '../identity/env.ts';
import { Tally } from '../metrics/metrics.ts';
import { routeOf } from './route-of.ts';

/**
 * How often an isolate reports the times of its requests, ms. An isolate that ends between reports loses its counts.
 */
const REPORT_MS = 5_000;

let tally = new Tally();
/** Unix time by which the pending report will have been sent, ms. */
let reportedBy = 0;

/** Measures the time from the arrival of each request to the headers of its response. */
export const observeRequests = createMiddleware<AppEnv>(async (c, next) => {
  const begun = Date.now();
  await next();
  // A refusal for lack of a slot is not a fault, so it is counted apart.
  const status = c.res.status === 503 ? '503' : `${Math.floor(c.res.status / 100)}xx`;
  tally.observe('request_seconds', (Date.now() - begun) / 1000, routeOf(c) ?? 'none', status);
  reportSoon(c);
});

/** Sends the times that this isolate has collected. */
export async function reportRequests(env: Env): Promise<void> {
  const collected = tally;
  tally = new Tally();
  await collected.flush(env);
}

/**
 * Keeps one of many requests alive after its response, to report for all of them. If that request dies, its report is
 * lost.
 */
function reportSoon(c: Context<AppEnv>): void {
  const now = Date.now();
  if (now < reportedBy) return;
  reportedBy = now + REPORT_MS;
  c.executionCtx.waitUntil(scheduler.wait(REPORT_MS).then(() => reportRequests(c.env)));
}
