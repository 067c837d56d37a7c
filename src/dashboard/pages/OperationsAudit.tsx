import type { AuditEntry, Operations } from '../../sdk/wire.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { shortDay, tenantName } from '../lib/format.ts';
import { useLoaded } from '../lib/load.ts';
import { Scrolling } from '../lib/scrolling.tsx';
import { asOperator, greet } from '../lib/session.ts';
import { Table } from './OperationsTable.tsx';

/** Limit on the tenants whose actions are shown with those of the service. Each tenant takes one request. */
const MOST_TENANTS = 20;
const MOST_ACTS = 50;

const ACTS: Readonly<Record<string, string>> = {
  'key.issued': 'issued the key',
  'key.changed': 'changed the key',
  'key.rotated': 'rotated the key',
  'key.revoked': 'revoked the key',
  'tenant.created': 'created the tenant',
  'tenant.changed': 'changed the tenant',
  'tenant.deleted': 'deleted the tenant',
  'session.opened': 'signed in',
  'session.closed': 'signed out',
  'conversation.retried': 're-analysed the conversation',
  'member.added': 'added the member',
  'member.changed': 'changed the role of',
  'member.removed': 'removed the member',
  'hold.set': 'put on hold',
  'hold.lifted': 'lifted the hold on',
  'delivery.repeated': 'sent the webhook message again',
};
const isOfSession = (act: string): boolean => act.startsWith('session.');

interface Act extends AuditEntry {
  /** Name of the tenant; undefined for an action that concerns none. */
  tenant: string | undefined;
}

/** Administrators' actions on keys, tenants and conversations, and their sign-ins. */
export function AuditLog({ now: { tenants, checked_at } }: { now: Operations }) {
  const asked = tenants.slice(0, MOST_TENANTS);
  const { value, error, again } = useLoaded((signal) => actsOf(asked, signal), [checked_at]);
  return (
    <Scrolling name="Audit log" kind="ops">
      <p class="muted in2">
        Administrators’ actions, kept for 400 days.
        {tenants.length > MOST_TENANTS &&
          ` Only the first ${MOST_TENANTS} tenants are shown; GET /audit?tenant= returns the others.`}
      </p>
      {error !== undefined && <ErrorMessage error={error} retry={again} refused={() => void greet()} />}
      {value && (
        <Table<Act>
          rows={value}
          keyOf={({ tenant, id }) => `${tenant} ${id}`}
          columns={[
            { name: 'When', width: '128px', kind: 'num', of: ({ at }) => shortDay(at) },
            { name: 'Who', width: '20%', of: ({ who }) => who, title: ({ who }) => who },
            {
              name: 'Did',
              of: ({ act, subject }) => (
                <>
                  {ACTS[act] ?? act} {!isOfSession(act) && <span class="mono muted">{subject}</span>}
                </>
              ),
              title: ({ act, subject, changes }) => `${act} ${subject} ${JSON.stringify(changes)}`,
            },
            {
              name: 'Tenant',
              width: '18%',
              of: ({ tenant }) => <bdi>{tenant ?? '–'}</bdi>,
              title: (one) => one.tenant ?? '',
            },
            {
              name: 'Request',
              width: '190px',
              kind: 'mono muted',
              of: ({ request_id: id }) => id,
              title: ({ request_id: id }) => id,
            },
          ]}
        />
      )}
    </Scrolling>
  );
}

/**
 * The newest actions of the service and of tenants. A tenant's creation is in both lists; the tenant's entry is shown.
 */
async function actsOf(tenants: Operations['tenants'], signal: AbortSignal): Promise<Act[]> {
  const ask = async (id?: string, tenant?: string): Promise<Act[]> =>
    (await asOperator().tenants.audit({ tenant: id, limit: MOST_ACTS, signal })).entries.map((entry) => ({
      ...entry,
      tenant,
    }));
  const [service, ...own] = await Promise.all([ask(), ...tenants.map((one) => ask(one.id, tenantName(one)))]);
  const told = new Set(own.flat().map(({ act, request_id }) => `${act} ${request_id}`));
  return [...service!.filter(({ act, request_id }) => !told.has(`${act} ${request_id}`)), ...own.flat()]
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST_ACTS);
}
