import { useState } from 'preact/hooks';
import { UndertoneError } from '../../sdk/error.ts';
import type { CreatedWebhook, Webhook, WebhookEvent } from '../../sdk/wire.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { SubmitRow } from '../lib/SubmitRow.tsx';
import { service } from '../lib/session.ts';
import { EVENTS } from '../lib/webhook-events.tsx';

const NAMES = Object.keys(EVENTS) as WebhookEvent[];

/** Names and addresses of private networks. */
const OWN_HOSTS = /^(localhost|[^.]+|.*\.(internal|local|localhost)|\[.*\]|(0|10|127|192\.168|169\.254)\..*)$/;

/** Whether it is spelled as an address that a service on the internet sends to. */
function isAddress(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && !OWN_HOSTS.test(url.hostname);
}

const REFUSED = {
  what: 'The service does not send to this address.',
  remedy: 'It must begin with https:// and be reachable from the internet.',
};

/** @param p.of the webhook to change; absent for a new one */
export function WebhookForm(p: {
  of: Webhook | undefined;
  close: () => void;
  made: (webhook: CreatedWebhook) => void;
  changed: () => void;
}) {
  const [error, setError] = useState<unknown>(undefined);
  const [events, setEvents] = useState<readonly string[]>(p.of?.events ?? NAMES);
  const [isBusy, setBusy] = useState(false);
  const [sent, setSent] = useState('');
  // The code of the error does not tell a wrong address from a tenant at its limit of webhooks.
  const isRefused = error instanceof UndertoneError && error.code === 'INVALID_REQUEST' && !isAddress(sent);
  const title = p.of ? 'Change the webhook' : 'Add a webhook';
  const save = async (form: FormData): Promise<void> => {
    setBusy(true);
    setError(undefined);
    const chosen = NAMES.filter((name) => events.includes(name));
    const url = String(form.get('url') ?? '').trim();
    setSent(url);
    try {
      const wanted = { url, events: chosen };
      if (p.of) {
        await service().webhooks.update(p.of.id, wanted);
        p.changed();
      } else p.made(await service().webhooks.create(wanted));
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <form
      class="card once"
      aria-label={title}
      onSubmit={(e) => {
        e.preventDefault();
        void save(new FormData(e.currentTarget));
      }}
    >
      <h2>{title}</h2>
      {p.of && (
        <p class="muted">
          Messages that wait to be sent go to the new address. The secret stays the same: for a new one, add a second
          webhook and remove this one.
        </p>
      )}
      <label class="field">
        <span>Address</span>
        <input
          class="inp"
          type="text"
          inputMode="url"
          name="url"
          required
          maxLength={2048}
          spellcheck={false}
          defaultValue={p.of?.url ?? ''}
          placeholder="https://example.com/undertone"
          aria-invalid={isRefused}
          onInput={() => setError(undefined)}
        />
        <small>It begins with https:// and can be reached on the public internet.</small>
      </label>
      <fieldset class="scopes">
        <legend>Send a message when</legend>
        {NAMES.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              name={name}
              checked={events.includes(name)}
              onChange={(e) =>
                setEvents(e.currentTarget.checked ? [...events, name] : events.filter((one) => one !== name))
              }
            />{' '}
            <span>
              {EVENTS[name]} <small class="mono id2">{name}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {events.length === 0 && <small class="bad1">Choose at least one event.</small>}
      {error !== undefined && <ErrorMessage error={error} text={isRefused ? REFUSED : undefined} />}
      <SubmitRow act={p.of ? 'Save' : 'Add'} isOff={isBusy || events.length === 0} close={p.close} />
    </form>
  );
}
