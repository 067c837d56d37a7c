import { Webhook } from 'standardwebhooks';
import { ServiceError } from '../../../contract/errors.ts';
import { callOnce, type TargetRules, webhookTargetOf } from '../../targets/reach.ts';
import type { DeliveryAttempt, Outgoing, Webhooks } from './webhooks.ts';

/** Time limit for a receiver's response, ms. */
const ANSWER_MS = 10_000;

/**
 * Sends all due messages concurrently, each to its own receiver.
 * @returns when the next one is due, Unix time, ms; null when none is
 */
export async function deliverDue(webhooks: Webhooks, now: number, rules: TargetRules): Promise<number | null> {
  const outgoing = webhooks.take(now);
  await Promise.all(outgoing.map(async (message) => webhooks.settle(message, await send(message, rules))));
  return webhooks.dueAt();
}

/**
 * Makes one attempt, signed according to Standard Webhooks. The URL is checked again. Any status other than 2xx is a
 * failure, including redirects.
 */
async function send({ id, url, secret, body }: Outgoing, rules: TargetRules): Promise<DeliveryAttempt> {
  const at = new Date();
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Undertone-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  try {
    const target = webhookTargetOf(url, rules);
    const { status, ok, body: answer } = await callOnce(target, { method: 'POST', headers, body }, rules, ANSWER_MS);
    await answer?.cancel();
    return ok ? { status, error: null } : { status, error: `The receiver returned ${status}` };
  } catch (error) {
    return { status: null, error: error instanceof ServiceError ? error.detail : 'The message could not be sent' };
  }
}
