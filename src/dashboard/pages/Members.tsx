import { useState } from 'preact/hooks';
import type { Member, MemberRole } from '../../sdk/wire.ts';
import { Dialog } from '../lib/dialog.tsx';
import { ErrorMessage } from '../lib/error-message.tsx';
import { ago, shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { administration, welcome } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

const ROLES: readonly [MemberRole, string][] = [
  ['viewer', 'viewer: reads'],
  ['analyst', 'analyst: also analyses and edits'],
  ['manager', 'manager: also deletes and manages'],
];

/**
 * The people who sign in to a tenant with OpenID Connect: their roles and last sign-ins. The last manager stays. Without
 * sign-in it says what the operator has to set, and nobody can be added.
 * @param tenant absent for a key, which manages its own
 */
export function Members({ tenant }: { tenant: string | undefined }) {
  const { value, error, again } = useLoaded((signal) => administration().tenants.members({ tenant, signal }), [tenant]);
  const [fault, setFault] = useState<unknown>(undefined);
  const [going, setGoing] = useState<Member | undefined>(undefined);
  const act = (work: Promise<unknown>, said: string): void => {
    setFault(undefined);
    work.then(() => say(said), setFault).finally(again);
  };
  const put = (email: string, role: MemberRole): void =>
    act(administration().tenants.putMember(email, role, { tenant }), 'Kept');
  const hasSignIn = welcome.value?.has_sign_in !== false;
  const managers = value?.filter(({ role }) => role === 'manager').length ?? 0;
  return (
    <section class="card kt members" aria-labelledby="members">
      {!hasSignIn && (
        <div class="notice warn">
          <Icon name="warning" size={16} />
          <span>
            <b>Sign-in is not set up:</b> nobody can sign in with your organisation, and members cannot be added until
            it is. The operator, who runs the service, has to set <code>OIDC_ISSUER</code>, <code>OIDC_CLIENT_ID</code>{' '}
            and <code>OIDC_CLIENT_SECRET</code>. <a href="/docs/sign-in">How to set them</a>
          </span>
        </div>
      )}
      <h2 id="members">Members</h2>
      {error !== undefined && <ErrorMessage error={error} retry={again} />}
      {fault !== undefined && <ErrorMessage error={fault} />}
      {value && value.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Person</th>
              <th scope="col">Role</th>
              <th scope="col">Last sign-in</th>
              <th scope="col">
                <span class="vh">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {value.map((member) => (
              <Row
                key={member.email}
                of={member}
                isLast={member.role === 'manager' && managers === 1 && value.length > 1}
                put={(role) => put(member.email, role)}
                remove={() => setGoing(member)}
              />
            ))}
          </tbody>
        </table>
      )}
      {value?.length === 0 && (
        <p class="muted none">No members yet.{hasSignIn && ' Add a manager first, who can add the others.'}</p>
      )}
      {value && hasSignIn && (
        <form
          onSubmit={(e) => {
            e.preventDefault();
            const form = new FormData(e.currentTarget);
            put(String(form.get('email')), form.get('role') as MemberRole);
            e.currentTarget.reset();
          }}
        >
          <label class="field">
            <span>E-mail address</span>
            <input class="inp" type="email" name="email" required maxLength={254} placeholder="anna@example.com" />
          </label>
          <label class="field">
            <span>Role</span>
            <select class="inp" name="role">
              {ROLES.map(([role, name]) => (
                <option key={role} value={role} selected={role === (value.length > 0 ? 'viewer' : 'manager')}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <button type="submit" class="btn">
            Add
          </button>
        </form>
      )}
      {going && (
        <Dialog title="Remove a member" close={() => setGoing(undefined)}>
          <p>
            <bdi>{going.email}</bdi> can no longer sign in, and every session ends within a minute. What this person
            made stays.
          </p>
          <div class="row">
            <button
              type="button"
              class="btn danger"
              onClick={() => {
                act(administration().tenants.removeMember(going.email, { tenant }), 'Removed');
                setGoing(undefined);
              }}
            >
              Remove
            </button>
            <button type="button" class="btn" onClick={() => setGoing(undefined)}>
              Keep
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function Row(p: { of: Member; isLast: boolean; put: (role: MemberRole) => void; remove: () => void }) {
  const { email, role, added_at: added, signed_in_at: last } = p.of;
  return (
    <tr>
      <td>
        <span class="nm">
          <bdi>{email}</bdi>
        </span>
        <small>
          {welcome.value?.person?.email === email ? 'you, ' : ''}added {shortDay(added)}
        </small>
      </td>
      <td>
        <select
          class="inp"
          aria-label={`Role of ${email}`}
          value={role}
          disabled={p.isLast}
          onChange={(e) => p.put(e.currentTarget.value as MemberRole)}
        >
          {ROLES.map(([one]) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </td>
      <td class="num last">{last ? ago(last) : 'never'}</td>
      <td>
        {p.isLast ? (
          <small>the last manager stays: first make somebody else a manager</small>
        ) : (
          <div class="acts">
            <button type="button" class="btn sm danger" onClick={p.remove}>
              Remove<span class="vh"> {email}</span>
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}
