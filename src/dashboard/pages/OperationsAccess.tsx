import { useState } from 'preact/hooks';
import type { AccessAct, AccessEntry, Operations } from '../../sdk/wire.ts';
import '../style/pills.css';
import { ACCESS_ACTS, deedOf, keyName } from '../lib/access-acts.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { shortDay, tenantName } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Scrolling } from '../lib/scrolling.tsx';
import { asOperator, greet } from '../lib/session.ts';
import { type Column, Table } from './OperationsTable.tsx';

const ENTRIES = 50;

/** The access log of one tenant, chosen here where there are several. */
export function AccessTable({ now: { tenants, checked_at } }: { now: Operations }) {
  const [tenant, setTenant] = useState(tenants.length === 1 ? (tenants[0]?.id ?? '') : '');
  const [act, setAct] = useState<AccessAct | ''>('');
  const { value, error, again } = useLoaded(
    async (signal) =>
      tenant === ''
        ? []
        : (await asOperator().tenants.accessLog({ tenant, act: act || undefined, limit: ENTRIES, signal })).entries,
    [tenant, act, checked_at],
  );
  return (
    <Scrolling name="Access log" kind="ops">
      <div class="in2 row asked">
        <label>
          Tenant{' '}
          <select class="pill" value={tenant} onChange={(event) => setTenant(event.currentTarget.value)}>
            {tenant === '' && <option value="">choose one</option>}
            {tenants.map((one) => (
              <option key={one.id} value={one.id}>
                {tenantName(one)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Action{' '}
          <select class="pill" value={act} onChange={(event) => setAct(event.currentTarget.value as AccessAct | '')}>
            <option value="">all</option>
            {Object.entries(ACCESS_ACTS).map(([name, word]) => (
              <option key={name} value={name}>
                {word}
              </option>
            ))}
          </select>
        </label>
        {tenant !== '' && (
          <a class="btn sm" href={`/access-log/export?tenant=${tenant}${act && `&act=${act}`}`} download>
            <Icon name="download" size={14} /> CSV
          </a>
        )}
      </div>
      {error !== undefined && <ErrorMessage error={error} retry={again} refused={() => void greet()} />}
      {tenant === '' && <p class="muted in2">Each tenant has a log of its own. Choose whose to read.</p>}
      {tenant !== '' && value?.length === 0 && (
        <p class="muted in2">{act === '' ? 'No access is recorded.' : 'No such access is recorded.'}</p>
      )}
      {value && value.length > 0 && <Table<AccessEntry> rows={value} keyOf={({ id }) => id} columns={COLUMNS} />}
    </Scrolling>
  );
}

const COLUMNS: readonly Column<AccessEntry>[] = [
  { name: 'When', width: '128px', kind: 'num', of: ({ until }) => shortDay(until) },
  {
    name: 'Key',
    width: '22%',
    of: (entry) => (
      <>
        <bdi>{keyName(entry)}</bdi>
        {entry.by_token && <span class="muted"> by token</span>}
      </>
    ),
    title: ({ key_id: id }) => id,
  },
  { name: 'Did', width: '26%', of: deedOf, title: ({ route, requests }) => `${route}, ${requests} times` },
  {
    name: 'Conversation',
    of: (entry) => <Conversation of={entry} />,
    title: ({ title, conversation_id: id }) => title ?? id ?? '',
  },
  {
    name: 'From',
    width: '130px',
    kind: 'mono muted',
    of: ({ address }) => address || '–',
    title: ({ address }) => address,
  },
];

function Conversation({ of: { conversation_id: id, title, act } }: { of: AccessEntry }) {
  if (id === null) return <>several</>;
  if (act === 'deleted') return <span class="mono muted">{id}</span>;
  return (
    <a class={title === null ? 'mono und' : 'und'} href={`/app/conversations/${id}`}>
      <bdi>{title ?? id}</bdi>
    </a>
  );
}
