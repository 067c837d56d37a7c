import type { DeadLetter, Failure, Operations } from '../../sdk/wire.ts';
import { reasonOf } from '../lib/error-texts.ts';
import { shortDay } from '../lib/format.ts';
import { asOperator } from '../lib/session.ts';
import { AgainButton, type Column, conversationColumn, TableCard, tenantColumn } from './OperationsTable.tsx';

type FailedRequest = Failure['requests'][number] & Pick<Failure, 'code' | 'is_ours'>;

interface CardProps {
  now: Operations;
  again: () => void;
}

/** The newest failures, each with its reason, its conversation, and a button to analyse it again where that can help. */
export function Failures({ now, again }: CardProps) {
  const { failures, dead_letters: letters = [] } = now;
  const kept = new Map(letters.map(({ conversation_id: id, kept_until }) => [id, kept_until]));
  const keptColumn: Column<FailedRequest> = {
    name: 'Recording kept until',
    width: '150px',
    kind: 'num',
    of: ({ conversation_id: id }) => {
      const until = kept.get(id);
      return until && shortDay(until);
    },
  };
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  const newest = failures
    .flatMap(({ requests, code, is_ours }): FailedRequest[] => requests.map((one) => ({ ...one, code, is_ours })))
    .sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
  return (
    <TableCard<FailedRequest>
      name="Failures"
      empty="Nothing failed."
      below="Opening a conversation needs a key of its tenant. When the service is at fault, it keeps the recording for some hours so that the analysis can be repeated."
      rows={newest}
      keyOf={({ request_id }) => request_id}
      columns={[
        { name: 'When', width: '128px', kind: 'num', of: ({ at }) => (at === undefined ? '' : shortDay(at)) },
        reasonColumn<FailedRequest>(({ request_id }) => `\nrequest ${request_id}`),
        { name: 'Whose', width: '104px', of: (one) => (one.is_ours ? 'ours' : 'the sender’s') },
        tenantColumn(now),
        conversationColumn(),
        ...(kept.size > 0 ? [keptColumn] : []),
        againColumn<FailedRequest>(again, ({ can_retry }) => can_retry === true),
      ]}
    >
      {total > 0 && (
        <p class="in2 codes num">
          <span class="muted">{total > newest.length ? `The newest ${newest.length} of ${total}. ` : ''}By cause:</span>
          {failures.map(({ code, count, is_ours: isOurs }) => (
            <span key={code} class="chip" title={code}>
              {reasonOf(code)} {count} {isOurs && '(ours)'}
            </span>
          ))}
        </p>
      )}
    </TableCard>
  );
}

/** Analyses that the service gave up before the failures on the page, each with a button to start it again. */
export function DeadLetters({ now, again }: CardProps) {
  const shown = new Set(now.failures.flatMap(({ requests }) => requests.map(({ conversation_id: id }) => id)));
  const letters = (now.dead_letters ?? []).filter(({ conversation_id: id }) => !shown.has(id));
  if (letters.length === 0) return null;
  return (
    <TableCard<DeadLetter>
      name="Given up earlier"
      empty=""
      rows={letters}
      keyOf={({ conversation_id: id }) => id}
      columns={[
        { name: 'When', width: '128px', kind: 'num', of: ({ failed_at }) => shortDay(failed_at) },
        reasonColumn(),
        tenantColumn(now),
        conversationColumn(),
        { name: 'Recording kept until', width: '150px', kind: 'num', of: ({ kept_until }) => shortDay(kept_until) },
        againColumn(again),
      ]}
      below="They failed in every attempt. Their recordings are kept until the time named, to be analysed again."
    />
  );
}

function reasonColumn<T extends { code: string; reason?: string }>(more: (row: T) => string = () => ''): Column<T> {
  return {
    name: 'What happened',
    of: ({ code, reason }) => (
      <>
        {reasonOf(code)} <small class="id2">{reason}</small>
      </>
    ),
    title: (row) => `${row.code}: ${row.reason ?? ''}${more(row)}`,
  };
}

/** @param isOffered whether analysing again can help */
function againColumn<T extends { tenant: string; conversation_id: string }>(
  again: () => void,
  isOffered: (row: T) => boolean = () => true,
): Column<T> {
  return {
    name: 'Again',
    isUnnamed: true,
    width: '150px',
    kind: 'r',
    of: (row) =>
      isOffered(row) && (
        <AgainButton
          name="Analyse again"
          done="The conversation is being analysed again"
          run={() => asOperator().tenants.retry(row.tenant, row.conversation_id)}
          again={again}
        />
      ),
  };
}
