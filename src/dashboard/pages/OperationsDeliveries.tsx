import type { Operations, Undelivered } from '../../sdk/wire.ts';
import { shortDay } from '../lib/format.ts';
import { asOperator } from '../lib/session.ts';
import { EventName } from '../lib/webhook-events.tsx';
import { AgainButton, TableCard, tenantColumn } from './OperationsTable.tsx';

const sentenceOn = (waiting: number): string =>
  waiting === 0
    ? 'Every message was delivered.'
    : `No message has been given up. ${waiting} ${waiting === 1 ? 'waits or is' : 'wait or are'} tried again.`;

/** Webhook messages whose attempts are used up, each with a button to send it again. */
export function UndeliveredMessages({ now, again }: { now: Operations; again: () => void }) {
  return (
    <TableCard<Undelivered>
      name="Undelivered webhook messages"
      empty={sentenceOn(now.tenants.reduce((sum, { deliveries }) => sum + deliveries.pending, 0))}
      rows={now.undelivered ?? []}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'Last attempt',
          width: '128px',
          kind: 'num',
          of: ({ last_attempt_at: at }) => (at === null ? '–' : shortDay(at)),
        },
        {
          name: 'Event',
          width: '170px',
          kind: 'whole',
          of: ({ event }) => <EventName event={event} />,
          title: ({ event, conversation_id: id }) => `${event}, conversation ${id}`,
        },
        { name: 'Receiver', of: ({ url }) => url, title: ({ url }) => url },
        {
          name: 'Answer',
          width: '180px',
          of: ({ last_status: status, attempts }) => (
            <>
              {status ?? 'none'}{' '}
              <span class="muted">
                after {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
              </span>
            </>
          ),
          title: ({ last_error: error }) => error ?? '',
        },
        tenantColumn(now),
        {
          name: 'Again',
          isUnnamed: true,
          width: '140px',
          kind: 'r',
          of: ({ tenant, webhook_id, id }) => (
            <AgainButton
              name="Send again"
              done="The message is being sent again"
              run={() => asOperator().tenants.redeliver(tenant, webhook_id, id)}
              again={again}
            />
          ),
        },
      ]}
    />
  );
}
