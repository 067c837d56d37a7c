import { useState } from 'preact/hooks';
import type { RedactionKind, Tenant, UsageLimits } from '../../sdk/wire.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { tenantName } from '../lib/format.ts';
import { KINDS, REDACTIONS } from '../lib/redaction-kinds.ts';
import { SubmitRow } from '../lib/SubmitRow.tsx';
import { asOperator } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { VocabularyField, wordsIn } from '../lib/vocabulary.tsx';

const AFFECT: readonly [Tenant['affect'], string][] = [
  ['full', 'from words and voice'],
  ['words', 'from words alone'],
  ['none', 'not at all'],
];
const LIMITS: readonly [keyof UsageLimits, string][] = [
  ['requests_per_minute', 'Requests a minute'],
  ['live_sessions', 'Live sessions at a time'],
  ['running_analyses', 'Analyses at a time'],
  ['audio_minutes_per_day', 'Minutes of audio a day'],
  ['stored_gigabytes', 'Stored, GB'],
  ['file_megabytes', 'Largest file, MB'],
];

export function NewTenant(p: { close: () => void; made: (id: string) => void }) {
  const [error, setError] = useState<unknown>(undefined);
  const make = async (form: FormData): Promise<void> => {
    const { id } = await asOperator().tenants.create({ name: String(form.get('name') ?? '').trim() });
    say('Made');
    p.made(id);
  };
  return (
    <form
      class="card once"
      aria-label="New tenant"
      onSubmit={(e) => {
        e.preventDefault();
        make(new FormData(e.currentTarget)).catch(setError);
      }}
    >
      <h2>New tenant</h2>
      <label class="field">
        <span>Name</span>
        <input class="inp" type="text" name="name" required maxLength={100} />
        <small>A customer with its own keys, conversations and limits.</small>
      </label>
      {error !== undefined && <ErrorMessage error={error} />}
      <SubmitRow act="Create" close={p.close} />
    </form>
  );
}

/** The roles of the channels, by the field that has them. */
const CHANNELS = [
  ['role_0', 'Role on the left channel'],
  ['role_1', 'Role on the right channel'],
] as const;

/** The roles of the channels; null if there are none. */
function rolesIn(form: FormData): Tenant['roles'] {
  const roles = CHANNELS.map(([name]) => String(form.get(name) ?? '').trim() || null);
  return roles.some((role) => role !== null) ? roles : null;
}

/**
 * The operator's settings for a tenant: affect, retention, vocabulary and limits.
 * @param isFixed whether they are only read, by a key of the tenant
 */
export function TenantSettings({
  tenant,
  isFixed,
  changed,
}: {
  tenant: Tenant;
  isFixed: boolean;
  changed: () => void;
}) {
  const [error, setError] = useState<unknown>(undefined);
  const change = async (form: FormData): Promise<void> => {
    const days = String(form.get('retention_days') ?? '').trim();
    const limits: UsageLimits = {};
    for (const [name] of LIMITS) {
      const value = String(form.get(name) ?? '').trim();
      if (value !== '') limits[name] = Number(value);
    }
    await asOperator().tenants.change(tenant.id, {
      name: String(form.get('name') ?? '').trim(),
      affect: form.get('affect') as Tenant['affect'],
      retention_days: days === '' ? null : Number(days),
      access_log_days: Number(form.get('access_log_days')),
      limits,
      redact: form.getAll('redact') as RedactionKind[],
      keep_original: form.get('keep_original') === 'on',
      words: wordsIn(String(form.get('words') ?? '')),
      roles: rolesIn(form),
    });
    say('Kept');
    setError(undefined);
    changed();
  };
  return (
    <form
      class="card tenant"
      aria-label="The tenant’s settings"
      onSubmit={(e) => {
        e.preventDefault();
        change(new FormData(e.currentTarget)).catch(setError);
      }}
    >
      <h2>
        Settings of <bdi>{tenantName(tenant)}</bdi>
      </h2>
      {isFixed && <p class="muted">Only the operator, who runs the service, changes these.</p>}
      <fieldset class="fields3" disabled={isFixed}>
        <label class="field">
          <span>Name</span>
          <input class="inp" type="text" name="name" required maxLength={100} defaultValue={tenant.name} />
        </label>
        <label class="field">
          <span>Tone and emotion</span>
          <select class="inp" name="affect">
            {AFFECT.map(([mode, name]) => (
              <option key={mode} value={mode} selected={mode === tenant.affect}>
                {name}
              </option>
            ))}
          </select>
          <small>
            The limit for every analysis of this tenant. Do not use tone and emotion for staff or students (EU AI Act,
            Article 5(1)(f)).
          </small>
        </label>
        <label class="field">
          <span>Delete conversations after, days</span>
          <input
            class="inp num"
            type="number"
            name="retention_days"
            min={1}
            max={3650}
            defaultValue={tenant.retention_days ?? ''}
            placeholder="never"
          />
          <small>Leave empty to keep conversations until someone deletes them.</small>
        </label>
        <label class="field">
          <span>Keep the access log, days</span>
          <input
            class="inp num"
            type="number"
            name="access_log_days"
            min={30}
            max={3650}
            required
            defaultValue={tenant.access_log_days}
          />
          <small>Who read, heard, exported and deleted what.</small>
        </label>
        <fieldset class="field wide redactions">
          <legend>Remove from every recording</legend>
          {KINDS.map((kind) => (
            <label key={kind} class="check">
              <input type="checkbox" name="redact" value={kind} defaultChecked={tenant.redact.includes(kind)} />{' '}
              {REDACTIONS[kind]}
            </label>
          ))}
          <small>Out of words and sound, before anything is stored. Names and addresses are often missed.</small>
          <label class="check apart">
            <input type="checkbox" name="keep_original" defaultChecked={tenant.keep_original} />
            <span>
              Also keep an unredacted copy
              <small>
                Only keys with the permission “read what was redacted” can read and hear it. Off: what is removed is
                gone for good.
              </small>
            </span>
          </label>
        </fieldset>
        <VocabularyField
          class="wide"
          where="in any recording of this tenant"
          defaultValue={(tenant.words as string[]).join('\n')}
          placeholder="none"
        />
        {CHANNELS.map(([name, title], channel) => (
          <label key={name} class="field">
            <span>{title}</span>
            <input
              class="inp"
              type="text"
              name={name}
              maxLength={32}
              defaultValue={tenant.roles?.[channel] ?? ''}
              placeholder="none"
            />
            <small>In stereo with one person on each channel, such as “{channel === 0 ? 'agent' : 'customer'}”.</small>
          </label>
        ))}
        {LIMITS.map(([name, title]) => (
          <label key={name} class="field">
            <span>{title}</span>
            <input
              class="inp num"
              type="number"
              name={name}
              min={0}
              step="any"
              defaultValue={tenant.limits[name] ?? ''}
              placeholder="service default"
            />
          </label>
        ))}
      </fieldset>
      {error !== undefined && <ErrorMessage error={error} />}
      {!isFixed && (
        <button type="submit" class="btn">
          Save
        </button>
      )}
    </form>
  );
}
