import { useEffect, useRef, useState } from 'preact/hooks';
import { UndertoneError } from '../../sdk/error.ts';
import type { Tenant, TenantReceipt } from '../../sdk/wire.ts';
import { bytes, day, tenantName } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { fileName, save } from '../lib/save.ts';
import { asOperator } from '../lib/session.ts';

/** A tenant that was deleted: its name, and the receipt. */
export interface DeletedTenant {
  name: string;
  receipt: TenantReceipt;
}

/** A name as it is compared with what somebody types: a page shows several spaces as one. */
const asTyped = (name: string): string => name.trim().replace(/\s+/g, ' ');

interface TenantDataProps {
  tenant: Tenant;
  /** Whether one of its keys is in the settings of the service. */
  isInSettings: boolean;
  deleted: (one: DeletedTenant) => void;
}

/** Everything that a tenant stores, to be exported and deleted by the operator. */
export function TenantData({ tenant, isInSettings, deleted }: TenantDataProps) {
  const [isAsking, ask] = useState(false);
  const name = tenantName(tenant);
  return (
    <>
      <section class="card tenant" aria-label="The tenant’s data">
        <h2>
          Data of <bdi>{name}</bdi>
        </h2>
        <p class="muted">
          The export has a line of JSON for each conversation, with its result. Recordings are not in it. If it breaks
          off, download it again.
        </p>
        {/* The browser writes it to disk as it arrives, whatever its size. */}
        <a class="btn" href={`/tenants/${tenant.id}/export`} download={`${fileName(name)}.ndjson`}>
          <Icon name="download" size={16} /> Export the conversations
        </a>
      </section>
      <section class="card tenant goes" aria-labelledby="goes">
        <h2 id="goes">
          <Icon name="warning" size={16} /> Deletion of <bdi>{name}</bdi>
        </h2>
        <p class="muted">
          Deletes all its conversations and recordings, people, rules, webhooks, members and keys, and its backup. This
          cannot be undone: export the conversations first.
        </p>
        <button type="button" class="btn danger" onClick={() => ask(true)}>
          <Icon name="trash" size={16} /> Delete the tenant
        </button>
        {isAsking && (
          <DeleteTenant tenant={tenant} isInSettings={isInSettings} deleted={deleted} close={() => ask(false)} />
        )}
      </section>
    </>
  );
}

/** For a key of the tenant: what it can delete itself, and where. */
export const WhereDataIsDeleted = () => (
  <section class="card tenant" aria-label="The tenant’s data">
    <h2>Data of this tenant</h2>
    <p class="muted">
      Conversations are exported and deleted in <a href="/app">their list</a>, one by one or several at once, and people
      on <a href="/app/people">People</a>. <a href="/app/receipts">Receipts</a> lists what was deleted.
    </p>
    <p class="muted">The operator, who runs the service, exports and deletes a whole tenant.</p>
  </section>
);

function DeleteTenant(p: TenantDataProps & { close: () => void }) {
  const { id, name } = p.tenant;
  const [typed, type] = useState('');
  return (
    <Prompt
      title="Delete the tenant"
      act="Delete it for good"
      isDangerous
      isReady={asTyped(typed) === asTyped(name)}
      close={p.close}
      run={async () => {
        // After a refusal, the name is typed again.
        const deleting = asOperator().tenants.delete(id);
        deleting.catch(() => type(''));
        p.deleted({ name: tenantName(p.tenant), receipt: await deleting });
        return undefined;
      }}
      textOf={holdText}
    >
      <p>
        <b>Deleted:</b> all conversations with their recordings and results, people, rules, views, playlists, shared
        links, webhooks, members and keys, its audit and access logs, and its backup. Analyses and live sessions that
        run are stopped. This cannot be undone.
      </p>
      <p>
        <b>Kept:</b> a line in the audit log of the service, with who deleted the tenant, when, and how many files it
        had. You get a signed receipt, which can be saved only once.
      </p>
      <p>
        While anything of the tenant is on hold, nothing is deleted.
        {p.isInSettings &&
          ' A key of this tenant is in the settings of the service: take it out first, or the tenant is created again, empty, when the key is next used.'}
      </p>
      <label class="field">
        <span>
          Type <b>{name}</b> to delete it
        </span>
        <input class="inp" type="text" autocomplete="off" value={typed} onInput={(e) => type(e.currentTarget.value)} />
      </label>
    </Prompt>
  );
}

/** A conversation as the refusal names it. */
const CONVERSATION = /conversation ([\da-f]{8}-[\da-f-]{27})/;

/** The service's words, with a link to each conversation. */
const linked = (words: string) =>
  words.split(CONVERSATION).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <a key={part} href={`/app/conversations/${part}`}>
        conversation <span class="mono">{part}</span>
      </a>
    ),
  );

/** The service's refusal names the holds of a tenant, not of one conversation. */
const holdText = (error: unknown) =>
  error instanceof UndertoneError && error.code === 'ON_HOLD'
    ? {
        what: 'Nothing was deleted.',
        remedy: (
          <>
            {linked(error.message)}. Lift every hold first. Only the tenant can: a manager, or somebody with a key that
            may delete, opens the conversation and chooses “Change or lift the hold” under More.{' '}
            <a href="/docs/holds">How to find and lift holds</a>
          </>
        ),
      }
    : undefined;

/** The totals of a deleted tenant, and its receipt, which the service does not keep. */
export function Deleted({ of: { name, receipt }, close }: { of: DeletedTenant; close: () => void }) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.focus(), []);
  const [isSaved, setSaved] = useState(false);
  const { objects, bytes: size, deleted_at: at } = receipt;
  return (
    <section ref={card} class="card once" aria-label="The deleted tenant" tabIndex={-1}>
      <h2>
        <bdi>{name}</bdi> was deleted
      </h2>
      <p class="muted">
        {objects} {objects === 1 ? 'stored file' : 'stored files'}, {bytes(size)}, with all keys, on {day(at)}. The
        signed receipt can be saved only now: keep it if you have to prove the deletion.
      </p>
      <div class="row">
        <button
          type="button"
          class="btn pri"
          onClick={() => save(new Blob([JSON.stringify(receipt)]), `receipt-of-${receipt.id}.json`)}
        >
          <Icon name="download" size={16} /> Save the receipt
        </button>
        <label class="check">
          <input type="checkbox" checked={isSaved} onChange={(e) => setSaved(e.currentTarget.checked)} /> I have saved
          it
        </label>
        <button type="button" class="btn" disabled={!isSaved} onClick={close}>
          Done
        </button>
      </div>
    </section>
  );
}
