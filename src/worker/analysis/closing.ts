import type { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';

/** The last two events of every completed analysis. They are sent once the result is stored. */
export const closingEvents = (conversationId: string): ServiceEvent[] => [
  { event: 'status', data: { phase: 'completed', progress: 1 } },
  { event: 'done', data: { conversation_id: conversationId } },
];

/** The last event of every failed analysis. */
export const errorEvent = ({
  code,
  detail,
  conversationId: conversation_id,
}: Pick<ServiceError, 'code' | 'detail' | 'conversationId'>): ServiceEvent => ({
  event: 'error',
  data: { code, message: detail, detail, ...(conversation_id !== undefined && { conversation_id }) },
});
