import type { Delivery, WebhookEvent } from '../../sdk/wire.ts';
import { capital } from './format.ts';

/** Every event that a webhook can receive, in words. */
export const EVENTS: Readonly<Record<WebhookEvent, string>> = {
  'analysis.completed': 'an analysis is completed',
  'analysis.failed': 'an analysis failed',
  'analysis.cancelled': 'an analysis was cancelled',
  'rule.matched': 'a rule matches',
  'view.matched': 'a saved view matches',
  'commitment.made': 'something is promised',
};

/** The event of a message in words, with the code by which programs know it. */
export const EventName = ({ event }: { event: Delivery['event'] }) => (
  <>
    {event === 'webhook.test' ? 'A test' : capital(EVENTS[event])} <small class="mono id2">{event}</small>
  </>
);
