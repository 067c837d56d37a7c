import { type Signal, useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import type { IssuedKey, Key, TenantList } from '../../sdk/wire.ts';
import '../style/forms.css';
import '../style/keys.css';
import { ErrorMessage } from '../lib/error-message.tsx';
import { tenantName } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { permissionsOf } from '../lib/scopes.ts';
import { administration, greet, isOperator, service } from '../lib/session.ts';
import { Terms } from '../lib/Terms.tsx';
import { type AccountSection, AccountSections, SECTIONS } from './AccountSections.tsx';
import { ForAdministrators, Loading } from './ForAdministrators.tsx';
import { Issue, NewKey, Revoke, Rotate } from './KeyCards.tsx';
import { DAYS, isOff, type KeyCard, KeyList } from './KeyList.tsx';
import { Members } from './Members.tsx';
import { NewTenant, TenantSettings } from './TenantCards.tsx';
import { Deleted, type DeletedTenant, TenantData, WhereDataIsDeleted } from './TenantData.tsx';

const LEADS: Readonly<Record<AccountSection, string>> = {
  keys: 'One key per application. A tenant’s keys share its conversations. Only a digest of each key is stored, so a key cannot be shown again.',
  members: 'People who sign in with your organisation, instead of a key.',
  settings: 'What holds for every analysis of a tenant, and how much it may use.',
  data: 'How conversations, people and a whole tenant are exported and deleted.',
};

const TERMS: Readonly<Record<AccountSection, readonly (readonly [term: string, meaning: string])[]>> = {
  keys: [
    ['Tenant', 'A customer, and everything it owns: keys, members, conversations, people and rules.'],
    ['Permission', 'What a key may do. The API calls it a scope.'],
    ['Rotate', 'Issues a new key with the same permissions. The old one works on for the time that you choose.'],
    ['Analysed', `Minutes of audio that the key had analysed in the last ${DAYS} days.`],
    ['Refused', `Requests with the key that were refused in the last ${DAYS} days: beyond a limit, or after its end.`],
  ],
  members: [['Role', 'What a person may do here: a viewer reads, an analyst also edits, a manager may do everything.']],
  settings: [
    [
      'Role on a channel',
      'What the person on that channel is in a conversation, such as agent. Rules and searches use it.',
    ],
    ['Limits', 'The service refuses what goes beyond them, and says so. An empty field has the limit of the service.'],
  ],
  data: [['Hold', 'Keeps conversations from being deleted until somebody lifts it, for example during a dispute.']],
};

/** The open card. */
type Open =
  | { kind: 'issue' | 'tenant' }
  | KeyCard
  | { kind: 'made'; key: IssuedKey }
  | { kind: 'deleted'; of: DeletedTenant };

/**
 * The keys, members, settings and data of one tenant or, for the operator, of every tenant: one of them at a time. A
 * key may manage those of its own tenant with the scope `admin`.
 */
export function KeysPage() {
  const { query } = useLocation();
  const [section, title] = SECTIONS.find(([name]) => name === query.section) ?? SECTIONS[0];
  return (
    <ForAdministrators title={title} links={<AccountSections current={section} tenant={query.tenant} />}>
      <TenantPage section={section} title={title} />
    </ForAdministrators>
  );
}

function TenantPage({ section, title }: { section: AccountSection; title: string }) {
  /** The chosen tenant; empty: the first; null: none, after one was deleted. */
  const tenant = useSignal<string | null>(new URLSearchParams(location.search).get('tenant') ?? '');
  const open = useSignal<Open | undefined>(undefined);
  const isFree = isOperator.value === true;
  const own = useLoaded(async (signal) => (isFree ? undefined : service().keys.current({ signal })), [isFree]);
  const mayManage = isFree || own.value?.scopes.includes('admin');
  const tenants = useLoaded(
    async (signal) => (isFree ? (await administration().tenants.list({ signal })).tenants : undefined),
    [isFree],
  );
  const chosen = isFree && tenant.value !== null ? tenant.value || tenants.value?.[0]?.id : undefined;
  const isNone = isFree && tenants.value !== undefined && chosen === undefined;
  const shown = mayManage ? (chosen ?? own.value?.tenant) : undefined;
  const keys = useLoaded(
    async (signal) => (shown === undefined ? undefined : allKeys(chosen, signal)),
    [chosen, shown],
  );
  const settings = useLoaded(
    async (signal) => (shown === undefined ? undefined : administration().tenants.get(shown, { signal })),
    [shown],
  );
  const error = own.error ?? tenants.error ?? (shown === undefined ? undefined : (keys.error ?? settings.error));
  const retry = (): void => {
    for (const one of [own, tenants, keys, settings]) one.again();
  };
  const known = settings.value?.id === shown ? settings.value : undefined;
  /** Whether the page has nothing yet that it will show. The list of keys says so itself. */
  const isLoading =
    error === undefined &&
    !isNone &&
    mayManage !== false &&
    { keys: false, members: shown === undefined, settings: !known, data: isFree && !known }[section];
  return (
    <Page
      title={title}
      lead={LEADS[section]}
      tools={
        mayManage && (
          <div class="row">
            {isFree && (
              <ChooseTenant
                tenants={tenants.value}
                chosen={chosen}
                tenant={tenant}
                add={() => (open.value = { kind: 'tenant' })}
              />
            )}
            {section === 'keys' && (
              <button
                type="button"
                class="btn pri"
                // Without a tenant, the operator's key would belong to the service's own tenant.
                disabled={shown === undefined}
                onClick={() => (open.value = { kind: 'issue' })}
              >
                <Icon name="plus" size={16} /> Issue a key
              </button>
            )}
          </div>
        )
      }
    >
      <AccountSections current={section} tenant={chosen} />
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
      {mayManage === false && own.value && section !== 'data' && (
        <div class="card empty">
          <b>
            {own.value.source === 'sign_in' ? 'You' : 'This key'} cannot open {title}.
          </b>
          <p class="muted">
            {section === 'settings' ? 'They are' : `${title} are`} managed by the operator, who runs the service, or
            with a key that may manage keys. {own.value.source === 'sign_in' ? 'You' : 'This key'} may{' '}
            {permissionsOf(own.value)}.
          </p>
        </div>
      )}
      {(mayManage !== false || section === 'data') && <Terms terms={TERMS[section]} />}
      {section === 'keys' && !isNone && mayManage !== false && (keys.value !== undefined || error === undefined) && (
        <>
          <KeyList keys={keys.value} open={(card) => (open.value = card)} />
          <div class="notice">
            <Icon name="info" size={16} />
            <span>A revoked key stops working everywhere within a minute. The tenant keeps what it created.</span>
          </div>
        </>
      )}
      {isLoading && <Loading what={title} />}
      {section === 'members' && shown !== undefined && <Members key={shown} tenant={chosen} />}
      {section === 'settings' && known && (
        <TenantSettings key={known.id} tenant={known} isFixed={!isFree} changed={settings.again} />
      )}
      {section === 'data' && !isFree && <WhereDataIsDeleted />}
      {section === 'data' && isFree && known && (
        <TenantData
          key={known.id}
          tenant={known}
          isInSettings={keys.value?.some(({ source }) => source === 'settings') ?? false}
          deleted={(of) => {
            open.value = { kind: 'deleted', of };
            tenant.value = null;
            keepInAddress(undefined);
            tenants.again();
          }}
        />
      )}
    </Page>
  );
}

/** Keeps the choice of a tenant for a reload. */
function keepInAddress(tenant: string | undefined): void {
  const query = new URLSearchParams(location.search);
  if (tenant === undefined) query.delete('tenant');
  else query.set('tenant', tenant);
  history.replaceState(history.state, '', query.size === 0 ? location.pathname : `?${query}`);
}

/** The keys of a tenant. Keys in use come first. @param tenant absent for a key, which lists those of its own */
async function allKeys(tenant: string | undefined, signal: AbortSignal): Promise<Key[]> {
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
          keepInAddress(e.currentTarget.value);
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
