import type { WebhookEvent } from '../../sdk/wire.ts';
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

/** An event in words, with the code by which programs know it. */
export const EventName = ({ event }: { event: WebhookEvent }) => (
  <>
    {capital(EVENTS[event])} <small class="mono id2">{event}</small>
  </>
);
