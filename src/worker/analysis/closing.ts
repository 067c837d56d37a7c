import type { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';

/** The last two events of every completed analysis; they follow the storing of the result. */
export const closingEvents = (conversationId: string): ServiceEvent[] => [
  { event: 'status', data: { phase: 'completed', progress: 1 } },
  { event: 'done', data: { conversation_id: conversationId } },
];

/** The last event of every failed analysis. */
export const errorEvent = ({ code, detail: message, conversationId: conversation_id }: ServiceError): ServiceEvent => ({
  event: 'error',
  data: { code, message, ...(conversation_id !== undefined && { conversation_id }) },
});
