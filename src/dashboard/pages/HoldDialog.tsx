import '../style/sharing.css';
import { dayOf } from '../../sdk/days.ts';
import type { Hold } from '../../sdk/wire.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { day } from '../lib/format.ts';
import { useLoaded } from '../lib/load.ts';
import { Prompt } from '../lib/prompt.tsx';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

/** Puts a conversation on hold, lists what keeps it, and lifts its own hold. */
export function HoldDialog({ id, again, close }: { id: string; again: () => void; close: () => void }) {
  const { value, error, again: retry } = useLoaded((signal) => service().holds.of(id, { signal }), [id]);
  const own = value?.find(({ conversation_id }) => conversation_id !== null);
  const run = async (form: FormData): Promise<undefined> => {
    const date = String(form.get('until') ?? '');
    await service().holds.set(id, {
      reason: String(form.get('reason')),
      until: date === '' ? null : new Date(`${date}T00:00`).toISOString(),
    });
    say('On hold: it cannot be deleted');
    again();
  };
  const lift = (): void => {
    service()
      .holds.release(id)
      .then(
        () => {
          say('The hold is lifted');
          again();
          close();
        },
        (reason: unknown) => say(errorTextOf(reason).what),
      );
  };
  return (
    <Prompt title="Hold" act={own ? 'Change the hold' : 'Put on hold'} isReady={!!value} close={close} run={run}>
      <p>
        Nobody can delete a conversation on hold, and neither retention nor a new analysis removes anything of it. The
        audit log records who set and lifted the hold.
      </p>
      {error !== undefined && <ErrorMessage error={error} retry={retry} />}
      {value && value.length > 0 && <HoldsOf holds={value} lift={lift} />}
      {value && (
        <>
          <label class="field">
            <span>Reason</span>
            <input class="inp" name="reason" required maxLength={500} defaultValue={own?.reason ?? ''} dir="auto" />
          </label>
          <label class="field">
            <span>Until</span>
            <input class="inp" type="date" name="until" defaultValue={own?.until ? dayOf(new Date(own.until)) : ''} />
            <small>Leave empty to hold it until somebody lifts the hold.</small>
          </label>
        </>
      )}
    </Prompt>
  );
}

function HoldsOf({ holds, lift }: { holds: readonly Hold[]; lift: () => void }) {
  return (
    <section class="shares" aria-label="Holds on this conversation">
      <h3>On hold</h3>
      <ul>
        {holds.map((hold) => (
          <li key={hold.id}>
            <div class="row">
              <div class="told">
                <b>{hold.reason}</b>
                <small>
                  {day(hold.set_at)} by {hold.set_by},{' '}
                  {hold.until === null ? 'until lifted' : `until ${day(hold.until)}`}
                  {hold.filter && `, for ${Object.values(hold.filter).join(', ')}`}
                </small>
              </div>
              {hold.conversation_id !== null && (
                <button type="button" class="btn sm" onClick={lift}>
                  Lift
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
