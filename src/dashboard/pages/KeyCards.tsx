import { useState } from 'preact/hooks';
import type { IssuedKey, Key, Scope } from '../../sdk/wire.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { ago, shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { ShownOnce } from '../lib/ShownOnce.tsx';
import { SubmitRow } from '../lib/SubmitRow.tsx';
import { SCOPES, UNREDACTED } from '../lib/scopes.ts';
import { administration, isOperator } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

const DAY_S = 86_400;
const USUAL_DAYS = 90;
const EXPIRIES: readonly [days: number, name: string][] = [
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
  [0, 'never'],
];
/** The scopes by default. */
const USUAL: readonly Scope[] = ['analyze', 'read', 'delete', 'live'];
const OVERLAPS: readonly [seconds: number, name: string, at: string][] = [
  [0, 'Stop immediately', 'now'],
  [3600, '1 h', 'in 1 h'],
  [DAY_S, '24 h', 'in 24 h'],
  [7 * DAY_S, '7 days', 'in 7 days'],
  [90 * DAY_S, '90 days, or until I revoke it', 'in 90 days'],
];

/** Runs the action of a card and stores its error. */
function useAct() {
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const act = (work: () => Promise<unknown>): void => {
    setBusy(true);
    setError(undefined);
    work()
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { error, isBusy, act };
}

export function Issue(p: { tenant: string | undefined; close: () => void; issued: (key: IssuedKey) => void }) {
  const { error, isBusy, act } = useAct();
  const offered = isOperator.value ? [...SCOPES, UNREDACTED] : SCOPES;
  const issue = (form: FormData): void =>
    act(async () => {
      const days = Number(form.get('days'));
      const expires = days > 0 ? new Date(Date.now() + days * DAY_S * 1000).toISOString() : null;
      const label = String(form.get('label') ?? '').trim();
      const scopes = offered.map(([scope]) => scope).filter((scope) => form.get(scope) === 'on');
      p.issued(
        await administration().keys.issue({
          label,
          expires_at: expires,
          scopes,
          ...(p.tenant !== undefined && { tenant: p.tenant }),
        }),
      );
    });
  return (
    <form
      class="card once"
      aria-label="Issue a key"
      onSubmit={(e) => {
        e.preventDefault();
        issue(new FormData(e.currentTarget));
      }}
    >
      <h2>Issue a key</h2>
      <div class="two1">
        <label class="field">
          <span>Name</span>
          <input class="inp" type="text" name="label" required maxLength={100} placeholder="CRM import" />
          <small>Name the application that will use it.</small>
        </label>
        <label class="field">
          <span>Expires after</span>
          <select class="inp" name="days">
            {EXPIRIES.map(([days, name]) => (
              <option key={days} value={days} selected={days === USUAL_DAYS}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <fieldset class="scopes">
        <legend>Permissions</legend>
        {offered.map(([scope, name, more]) => (
          <label key={scope} class="check">
            <input type="checkbox" name={scope} defaultChecked={USUAL.includes(scope)} />
            <span>
              {name}
              <small class="muted">{more}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {error !== undefined && <ErrorMessage error={error} />}
      <SubmitRow act="Issue the key" isOff={isBusy} close={p.close} />
    </form>
  );
}

export const NewKey = ({ made, close }: { made: IssuedKey; close: () => void }) => (
  <ShownOnce
    label="The new key"
    noun="key"
    secret={made.key}
    variable="UNDERTONE_API_KEY"
    heading={
      <>
        <bdi>{made.label}</bdi>: your new key{' '}
        <span class="muted">{made.expires_at ? `expires ${shortDay(made.expires_at)}` : 'never expires'}</span>
      </>
    }
    close={close}
  />
);

export function Rotate(p: { of: Key; close: () => void; issued: (key: IssuedKey) => void }) {
  const { error, isBusy, act } = useAct();
  const [chosen, choose] = useState(2);
  const [seconds, , at] = OVERLAPS[chosen]!;
  return (
    <section class="card once" aria-label={`Rotate ${p.of.label}`}>
      <h2>
        Rotate “<bdi>{p.of.label}</bdi>”
      </h2>
      <p class="muted">The new key works immediately. The old one keeps working for the time you choose.</p>
      <svg
        class="bars2"
        viewBox="0 0 460 64"
        role="img"
        aria-label={`The new key works now; the old one expires ${at}`}
      >
        <rect x="0" y="4" width={seconds === 0 ? 200 : 200 + 50 * chosen} height="14" rx="3" fill="var(--line-2)" />
        <rect x="200" y="26" width="260" height="14" rx="3" fill="var(--ink)" />
        <path d="M200 0V46" stroke="var(--ink-4)" stroke-dasharray="2 3" />
        <text x="6" y="15">
          old key
        </text>
        <text x="452" y="37" class="on" text-anchor="end">
          new key
        </text>
        <text x="200" y="58" text-anchor="middle">
          now
        </text>
        {seconds > 0 && (
          <text x={200 + 50 * chosen} y="58" text-anchor="middle">
            {at}
          </text>
        )}
      </svg>
      <fieldset class="scopes">
        <legend>The old key keeps working for</legend>
        {OVERLAPS.map(([, name], i) => (
          <button
            type="button"
            key={name}
            class={`btn sm ${i === chosen ? 'pri' : ''}`}
            aria-pressed={i === chosen}
            onClick={() => choose(i)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <p class="muted t-lab">
        {p.of.last_used_at ? `It was last used ${ago(p.of.last_used_at)}.` : 'It was never used.'} The list shows when
        it was last used.
      </p>
      {error !== undefined && <ErrorMessage error={error} />}
      <div class="row">
        <button
          type="button"
          class="btn pri"
          disabled={isBusy}
          onClick={() =>
            act(async () => p.issued(await administration().keys.rotate(p.of.id, { overlap_seconds: seconds })))
          }
        >
          Issue the new key
        </button>
        <button type="button" class="btn ghost" onClick={p.close}>
          Cancel
        </button>
      </div>
    </section>
  );
}

export function Revoke({ of, close }: { of: Key; close: () => void }) {
  const { error, isBusy, act } = useAct();
  const [typed, type] = useState('');
  return (
    <form
      class="card once"
      aria-label={`Revoke ${of.label}`}
      onSubmit={(e) => {
        e.preventDefault();
        act(async () => {
          await administration().keys.revoke(of.id);
          say('Revoked');
          close();
        });
      }}
    >
      <h2>
        Revoke “<bdi>{of.label}</bdi>”
      </h2>
      <p class="muted">
        Within a minute, every request with it is refused. This cannot be undone. Everything it created is kept.
      </p>
      <div class="notice warn">
        <Icon name="warning" size={16} />
        <span>
          {of.last_used_at ? `It was used ${ago(of.last_used_at)}. ` : 'It was never used. '}Live sessions and analyses
          that still use it are stopped.
        </span>
      </div>
      <label class="field">
        <span>
          Type <b>{of.label}</b> to revoke it
        </span>
        <input class="inp" type="text" autocomplete="off" value={typed} onInput={(e) => type(e.currentTarget.value)} />
      </label>
      {error !== undefined && <ErrorMessage error={error} />}
      <SubmitRow act="Revoke" out="Keep it" isDangerous isOff={isBusy || typed.trim() !== of.label} close={close} />
    </form>
  );
}
