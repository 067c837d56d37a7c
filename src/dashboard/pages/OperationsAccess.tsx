import { useState } from 'preact/hooks';
import type { AccessAct, AccessEntry, Operations } from '../../sdk/wire.ts';
import { ACCESS_ACTS, deedOf } from '../lib/access-acts.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Scrolling } from '../lib/scrolling.tsx';
import { asOperator, greet } from '../lib/session.ts';

const ENTRIES = 50;

/** The access log of one tenant, chosen here. */
export function AccessTable({ now: { tenants, checked_at } }: { now: Operations }) {
  const [tenant, setTenant] = useState(tenants[0]?.id ?? '');
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
          <select value={tenant} onChange={(event) => setTenant(event.currentTarget.value)}>
            {tenants.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Act{' '}
          <select value={act} onChange={(event) => setAct(event.currentTarget.value as AccessAct | '')}>
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
      {value?.length === 0 && <p class="muted in2">No access is recorded.</p>}
      {value && value.length > 0 && (
        <table class="fix access">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Key</th>
              <th scope="col">Did</th>
              <th scope="col">Conversation</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {value.map((entry) => (
              <tr key={entry.id}>
                <td class="num">{shortDay(entry.until)}</td>
                <td class="ell" title={entry.key_id}>
                  <bdi>{entry.key_label ?? entry.key_id}</bdi>
                  {entry.by_token && <span class="muted"> by token</span>}
                </td>
                <td class="ell" title={`${entry.route}, ${entry.requests} times`}>
                  {deedOf(entry)}
                </td>
                <td class="ell" title={entry.conversation_id ?? ''}>
                  <Conversation of={entry} />
                </td>
                <td class="mono muted ell" title={entry.address}>
                  {entry.address || '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Scrolling>
  );
}

function Conversation({ of: { conversation_id: id, title, act } }: { of: AccessEntry }) {
  if (id === null) return <>several</>;
  if (act === 'deleted') return <span class="mono muted">{id}</span>;
  return (
    <a class={title === null ? 'mono und' : 'und'} href={`/app/conversations/${id}`}>
      <bdi>{title ?? id}</bdi>
    </a>
  );
}
