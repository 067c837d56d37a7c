import { Dialog } from '../lib/dialog.tsx';
import { SubmitRow } from '../lib/SubmitRow.tsx';
import { key, nameOfKey, offeredKey, signInWith } from '../lib/session.ts';

/**
 * Asks the user before a link signs them in with another key. Whoever sent the link knows that key, and would receive
 * every recording that is analysed with it.
 */
export function OfferedKey() {
  const offered = offeredKey.value;
  if (offered === undefined || key.value === undefined) return null;
  const close = (): void => {
    offeredKey.value = undefined;
  };
  const accept = (e: SubmitEvent): void => {
    e.preventDefault();
    signInWith(offered, false);
    close();
  };
  return (
    <Dialog title="Sign in with another key?" close={close}>
      <form class="prompt" onSubmit={accept}>
        <p>
          You are signed in with the key <code class="mono">{nameOfKey(key.value)}</code>. This link has the key{' '}
          <code class="mono">{nameOfKey(offered)}</code>.
        </p>
        <p>Whoever gave you the link can read everything that you analyse with its key.</p>
        <SubmitRow act="Use the link's key" out="Keep my key" close={close} />
      </form>
    </Dialog>
  );
}
