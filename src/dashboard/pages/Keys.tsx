import { type Signal, useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { IssuedKey, Key, KeyUsage, TenantList } from '../../sdk/wire.ts';
import '../style/forms.css';
import '../style/keys.css';
import { ErrorMessage } from '../lib/error-message.tsx';
import { ago, shortDate, shortDay, tenantName } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { administration, greet, isOperator, welcome } from '../lib/session.ts';
import { Terms } from '../lib/Terms.tsx';
import { Issue, NewKey, Revoke, Rotate } from './KeyCards.tsx';
import { Members } from './Members.tsx';
import { NewTenant, TenantSettings } from './TenantCards.tsx';
import { Deleted, type DeletedTenant, TenantData } from './TenantData.tsx';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Remaining time below which an expiry is shown as a warning, ms. */
const SOON_MS = 14 * DAY_MS;
/** Limit on the keys with a chart of days, since each chart takes one request. */
const MOST_CHARTED = 25;

const TERMS = [
  ['Tenant', 'A customer, and everything it owns: keys, members, conversations, people and rules.'],
  ['Permission', 'What a key may do. The API calls it a scope.'],
  ['Rotate', 'Issues a new key with the same permissions. The old one works on for the time that you choose.'],
  ['Analysed', `Minutes of audio that the key had analysed in the last ${DAYS} days.`],
  ['Refused', `Requests with the key that were refused in the last ${DAYS} days: beyond a limit, or after its end.`],
  [
    'Role of a member',
    'What a person may do here: a viewer reads, an analyst also edits, a manager may do everything.',
  ],
  [
    'Role on a channel',
    'What the person on that channel is in a conversation, such as agent. Rules and searches use it.',
  ],
  ['Limits', 'The service refuses what goes beyond them, and says so. An empty field has the limit of the service.'],
  ['Hold', 'Keeps conversations from being deleted until somebody lifts it, for example during a dispute.'],
] as const;

/** The open card. */
export type Open =
  | { kind: 'issue' | 'tenant' }
  | { kind: 'rotate' | 'revoke'; of: Key }
  | { kind: 'made'; key: IssuedKey }
  | { kind: 'deleted'; of: DeletedTenant };

/**
 * The keys of one tenant or, for the operator, of every tenant. The page issues, rotates and revokes keys and shows
 * their usage.
 */
export function KeysPage() {
  /** The chosen tenant; empty: the first; null: none, after one was deleted. */
  const tenant = useSignal<string | null>(new URLSearchParams(location.search).get('tenant') ?? '');
  const open = useSignal<Open | undefined>(undefined);
  const isFree = isOperator.value === true;
  const tenants = useLoaded(
    async (signal) => (isFree ? (await administration().tenants.list({ signal })).tenants : undefined),
    [isFree],
  );
  const chosen = isFree && tenant.value !== null ? tenant.value || tenants.value?.[0]?.id : undefined;
  const isNone = isFree && tenants.value !== undefined && chosen === undefined;
  const keys = useLoaded(async (signal) => allKeys(chosen, isFree, signal), [chosen, isFree]);
  const settings = useLoaded(
    async (signal) => (chosen ? administration().tenants.get(chosen, { signal }) : undefined),
    [chosen],
  );
  const error = keys.error ?? tenants.error;
  const below = [...(welcome.value?.has_sign_in ? ['members'] : []), ...(settings.value ? ['settings'] : [])];
  const retry = (): void => {
    tenants.again();
    keys.again();
  };
  return (
    <Page
      title="API keys"
      lead={`One key per application. A tenant’s keys share its conversations. Only a digest of each key is stored, so a key cannot be shown again.${below.length > 0 ? ` Below the keys: the tenant’s ${below.join(' and ')}.` : ''}`}
      tools={
        <div class="row">
          {isFree && (
            <ChooseTenant
              tenants={tenants.value}
              chosen={chosen}
              tenant={tenant}
              add={() => (open.value = { kind: 'tenant' })}
            />
          )}
          {!isFree && (
            <a class="btn" href="/app/webhooks">
              <Icon name="bell" size={16} /> Webhooks
            </a>
          )}
          <button
            type="button"
            class="btn pri"
            // Without a tenant, the operator's key would belong to the service's own tenant.
            disabled={isFree && chosen === undefined}
            onClick={() => (open.value = { kind: 'issue' })}
          >
            <Icon name="plus" size={16} /> Issue a key
          </button>
        </div>
      }
    >
      {error !== undefined && (
        <ErrorMessage error={error} retry={retry} {...(isFree && { refused: () => void greet() })} />
      )}
      <Card
        open={open}
        tenant={chosen}
        changed={() => {
          keys.again();
          settings.again();
        }}
        made={(id) => {
          tenant.value = id;
          tenants.again();
        }}
      />
      {isNone && (
        <div class="card empty">
          <b>No tenant is chosen.</b>
          <p class="muted">Choose one above, or make a new one.</p>
        </div>
      )}
      <Terms terms={TERMS} />
      {!isNone && (keys.value !== undefined || error === undefined) && <List keys={keys.value} open={open} />}
      {(!isFree || chosen !== undefined) && <Members key={chosen ?? ''} tenant={chosen} />}
      {settings.value && settings.value.id === chosen && (
        <TenantSettings key={settings.value.id} tenant={settings.value} changed={settings.again} />
      )}
      {settings.value && settings.value.id === chosen && (
        <TenantData
          key={`data ${settings.value.id}`}
          tenant={settings.value}
          isInSettings={keys.value?.some(({ source }) => source === 'settings') ?? false}
          deleted={(of) => {
            open.value = { kind: 'deleted', of };
            tenant.value = null;
            history.replaceState(history.state, '', location.pathname);
            tenants.again();
          }}
        />
      )}
      <div class="notice">
        <Icon name="info" size={16} />
        <span>A revoked key stops working everywhere within a minute. The tenant keeps what it created.</span>
      </div>
    </Page>
  );
}

const isOff = ({ status }: Key): boolean => status !== 'active';

/** The keys of a tenant. Keys in use come first. */
async function allKeys(tenant: string | undefined, isFree: boolean, signal: AbortSignal): Promise<Key[]> {
  if (isFree && tenant === undefined) return [];
  const all: Key[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await administration().keys.list({ tenant, cursor, signal });
    all.push(...page.keys);
    if (page.next_cursor === null) return all.toSorted((a, b) => Number(isOff(a)) - Number(isOff(b)));
    cursor = page.next_cursor;
  }
}

function ChooseTenant(p: {
  tenants: TenantList['tenants'] | undefined;
  chosen: string | undefined;
  tenant: Signal<string | null>;
  add: () => void;
}) {
  return (
    <>
      <select
        class="btn who1"
        aria-label="Tenant"
        title={p.tenants?.find(({ id }) => id === p.chosen)?.name}
        value={p.chosen ?? ''}
        onChange={(e) => {
          p.tenant.value = e.currentTarget.value;
          // The choice survives a reload.
          history.replaceState(history.state, '', `?${new URLSearchParams({ tenant: e.currentTarget.value })}`);
        }}
      >
        {p.chosen === undefined && (
          <option value="" disabled>
            Choose a tenant
          </option>
        )}
        {p.tenants?.map(({ id, name }) => (
          <option key={id} value={id}>
            {tenantName({ id, name })}
          </option>
        ))}
      </select>
      <button type="button" class="btn" onClick={p.add}>
        New tenant
      </button>
    </>
  );
}

function Card(p: {
  open: Signal<Open | undefined>;
  tenant: string | undefined;
  changed: () => void;
  made: (tenant: string) => void;
}) {
  const { open, tenant } = p;
  const close = (): void => {
    open.value = undefined;
  };
  const show = (key: IssuedKey): void => {
    open.value = { kind: 'made', key };
    p.changed();
  };
  const shown = open.value;
  if (!shown) return null;
  if (shown.kind === 'issue') return <Issue tenant={tenant} close={close} issued={show} />;
  if (shown.kind === 'deleted') return <Deleted key={shown.of.receipt.id} of={shown.of} close={close} />;
  if (shown.kind === 'made') return <NewKey key={shown.key.id} made={shown.key} close={close} />;
  if (shown.kind === 'rotate') return <Rotate key={shown.of.id} of={shown.of} close={close} issued={show} />;
  if (shown.kind === 'revoke')
    return (
      <Revoke
        key={shown.of.id}
        of={shown.of}
        close={() => {
          close();
          p.changed();
        }}
      />
    );
  return (
    <NewTenant
      close={close}
      made={(id) => {
        close();
        p.made(id);
      }}
    />
  );
}

function List({ keys, open }: { keys: Key[] | undefined; open: Signal<Open | undefined> }) {
  if (keys?.length === 0)
    return (
      <div class="card empty">
        <b>No key yet.</b>
        <p class="muted">Issue one for each application that calls the service.</p>
      </div>
    );
  return (
    <div class="card kt">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Status</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Last {DAYS} days</th>
            <th scope="col" class="r">
              Analysed in {DAYS} days
            </th>
            <th scope="col" class="r">
              Refused in {DAYS} days
            </th>
            <th scope="col">
              <span class="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody aria-busy={keys === undefined}>
          {keys === undefined && (
            <tr>
              <td colSpan={8}>
                <div class="sk late" role="status">
                  Loading …
                </div>
              </td>
            </tr>
          )}
          {keys?.map((key, i) => (
            <Row key={key.id} of={key} isCharted={i < MOST_CHARTED} open={open} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ of, isCharted, open }: { of: Key; isCharted: boolean; open: Signal<Open | undefined> }) {
  const { value: usage } = useLoaded(
    async (signal) => (isCharted ? administration().keys.usage(of.id, { days: DAYS, signal }) : undefined),
    [of.id, isCharted],
  );
  const minutes = usage?.days.reduce((sum, day) => sum + day.audio_minutes, 0);
  const refused = usage?.days.reduce((sum, day) => sum + day.refusals, 0);
  return (
    <tr class={isOff(of) ? 'off' : ''}>
      <td>
        <span class="nm">
          <bdi>{of.label}</bdi>
        </span>
        <small class="mono">{of.source === 'settings' ? 'configured in the settings' : `…${of.id.slice(-8)}`}</small>
      </td>
      <td>
        <Status of={of} />
      </td>
      <td class="num fig" data-name="Created">
        {of.created_at ? shortDay(of.created_at) : 'always'}
      </td>
      <td class="num fig" data-name="Last used">
        {of.last_used_at ? ago(of.last_used_at) : 'not yet'}
      </td>
      <td class="hm">{usage && <Days usage={usage} />}</td>
      <td class="r num fig" data-name={`Analysed in ${DAYS} days`}>
        {minutes === undefined ? '' : `${Math.round(minutes)} min`}
      </td>
      <td class="r num fig" data-name={`Refused in ${DAYS} days`}>
        {refused}
      </td>
      <td>
        {of.source === 'issued' && !isOff(of) && (
          <div class="acts">
            {!of.replaced_by && (
              <button type="button" class="btn sm" onClick={() => (open.value = { kind: 'rotate', of })}>
                Rotate<span class="vh"> {of.label}</span>
              </button>
            )}
            <button type="button" class="btn sm danger" onClick={() => (open.value = { kind: 'revoke', of })}>
              Revoke<span class="vh"> {of.label}</span>
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}

function Status({ of }: { of: Key }) {
  const [now] = useState(Date.now);
  const { status, expires_at: expires, revoked_at: revoked, replaced_by: replaced, source } = of;
  const said = ((): [kind: string, word: string, more: string] => {
    if (status === 'revoked') return ['bad', 'Revoked', revoked ? `on ${shortDay(revoked)}` : ''];
    if (status === 'expired') return ['', 'Expired', expires ? `on ${shortDay(expires)}` : ''];
    if (source === 'settings') return ['', 'Active', 'until the settings change'];
    if (replaced) return ['warn', 'Rotating', expires ? `this old key until ${shortDay(expires)}` : ''];
    if (expires && Date.parse(expires) - now < SOON_MS)
      return ['warn', 'Expires soon', inDays(Date.parse(expires) - now)];
    return ['ok', 'Active', expires ? `expires ${shortDay(expires)}` : 'never expires'];
  })();
  return (
    <>
      <span class={`chip ${said[0]}`}>{said[1]}</span>
      <small>{said[2]}</small>
    </>
  );
}

const inDays = (milliseconds: number): string => {
  const days = Math.ceil(milliseconds / DAY_MS);
  return days === 1 ? 'within a day' : `in ${days} days`;
};

/** Requests per day, with the newest day on the right. */
function Days({ usage }: { usage: KeyUsage }) {
  const byDay = new Map(usage.days.map((day) => [day.day, day.requests]));
  const days = Array.from({ length: DAYS }, (_, i) =>
    new Date(Date.now() - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  const most = Math.max(1, ...byDay.values());
  const total = [...byDay.values()].reduce((sum, count) => sum + count, 0);
  return (
    <svg class="days" viewBox={`0 0 ${DAYS * 4} 24`} role="img" aria-label={`${total} requests in ${DAYS} days`}>
      {days.map((day, i) => {
        const count = byDay.get(day) ?? 0;
        const height = count === 0 ? 1 : Math.max(2, (count / most) * 24);
        return (
          <rect
            key={day}
            x={i * 4}
            y={24 - height}
            width={2.6}
            height={height}
            rx={1}
            fill={count === 0 ? 'var(--line-2)' : 'var(--ink-2)'}
          >
            <title>{`${shortDate(day)}: ${count} ${count === 1 ? 'request' : 'requests'}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
