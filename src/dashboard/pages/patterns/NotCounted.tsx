import type { MomentQueryInput } from '../../../sdk/wire.ts';
import { hourOn } from '../../lib/format.ts';
import { useLoaded } from '../../lib/load.ts';
import { service } from '../../lib/session.ts';

/** Conversations that are looked through for those that wait. */
const LOOKED_THROUGH = 100;

interface Waiting {
  count: number;
  /** When the analysis of the last one is expected to begin, ISO 8601. Undefined: nobody can say. */
  until: string | undefined;
}

/** The conversations of a period that wait in the queue. */
async function waitingIn(query: MomentQueryInput, signal: AbortSignal): Promise<Waiting> {
  const { conversations } = service();
  const { from, to, tz } = query;
  const period = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(tz !== undefined && { tz }),
  };
  const { conversations: queued } = await conversations.list(
    { ...period, status: 'queued', limit: LOOKED_THROUGH },
    { signal },
  );
  // The newest is the last of the tenant's.
  const last = queued.reduce<(typeof queued)[number] | undefined>(
    (latest, one) => (latest && latest.created_at > one.created_at ? latest : one),
    undefined,
  );
  const job = last && (await conversations.peek(last.conversation_id, { signal }));
  const wait = job && 'queue' in job ? job.queue : undefined;
  return { count: queued.length, until: wait && new Date(Date.now() + wait.eta_seconds * 1000).toISOString() };
}

/** How many conversations of a period are not counted yet, how many of them wait, and until about when. */
export function NotCounted({ count, query }: { count: number; query: MomentQueryInput }) {
  const { value: waiting } = useLoaded((signal) => waitingIn(query, signal), [count, JSON.stringify(query)]);
  const queued = Math.min(count, waiting?.count ?? 0);
  return (
    <span>
      {' '}
      · <b class="num">{count}</b> not counted yet
      {queued > 0 && (
        <>
          , <b class="num">{queued}</b> of them waiting
          {waiting?.until !== undefined && ` until about ${hourOn(waiting.until)}`}
        </>
      )}
    </span>
  );
}
