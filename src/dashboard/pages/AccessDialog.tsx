import '../style/sharing.css';
import { ACCESS_ACTS, deedOf, keyName } from '../lib/access-acts.ts';
import { Dialog } from '../lib/dialog.tsx';
import { ErrorMessage } from '../lib/error-message.tsx';
import { shortDay } from '../lib/format.ts';
import { useLoaded } from '../lib/load.ts';
import { service } from '../lib/session.ts';

/** Lists who read, heard, exported, edited and shared a conversation, newest first. */
export function AccessDialog({ id, close }: { id: string; close: () => void }) {
  const { value, error, again } = useLoaded(
    async (signal) => (await service().conversations.access(id, { signal })).entries,
    [id],
  );
  return (
    <Dialog title="Who accessed it" close={close}>
      {error !== undefined && <ErrorMessage error={error} retry={again} />}
      {value?.length === 0 && <p class="muted">No access is recorded.</p>}
      {value && value.length > 0 && (
        <section class="shares" aria-label="Access">
          <ul>
            {value.map((entry) => (
              <li key={entry.id}>
                <div class="row">
                  <div class="told">
                    <b>{entry.act === 'refused' ? ACCESS_ACTS.refused : deedOf(entry)}</b>
                    <small>
                      {shortDay(entry.until)}, <bdi>{keyName(entry)}</bdi>
                      {entry.share_id !== null ? ' by a shared link' : entry.by_token && ' by token'}
                      {entry.address_prefix && `, from ${entry.address_prefix}`}
                    </small>
                  </div>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="muted">
        What was redacted is in its <a href={`/app/receipts?conversation=${id}`}>receipts</a>.
      </p>
    </Dialog>
  );
}
