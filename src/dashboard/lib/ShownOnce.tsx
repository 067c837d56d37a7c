import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { save } from './save.ts';
import { say } from './tip.tsx';

/**
 * Shows a secret once. It is part of the page rather than a dialog, so that it is not closed by accident.
 * @param noun the secret in a word, as in "select the key"
 * @param variable its name in an .env file
 */
export function ShownOnce(p: {
  label: string;
  noun: string;
  secret: string;
  variable: string;
  heading: ComponentChildren;
  close: () => void;
}) {
  const [isStored, store] = useState(false);
  return (
    <section class="card once" aria-label={p.label}>
      <h2>{p.heading}</h2>
      <div class="kk">
        <code>{p.secret}</code>
        <button
          type="button"
          class="btn pri"
          onClick={() =>
            navigator.clipboard.writeText(p.secret).then(
              () => say('Copied'),
              () => say(`Copying failed: select the ${p.noun} and copy it`),
            )
          }
        >
          <Icon name="copy" size={15} /> Copy
        </button>
        <button
          type="button"
          class="btn"
          onClick={() => save(new Blob([`${p.variable}=${p.secret}\n`]), 'undertone.env')}
        >
          Save as .env
        </button>
      </div>
      <p class="paper">The {p.noun} is not printed.</p>
      <div class="row">
        <span class="muted grow1">
          This is the only time it is shown. Store it with your application’s secrets, never in code or a chat.
        </span>
        <label class="check">
          <input type="checkbox" checked={isStored} onChange={(e) => store(e.currentTarget.checked)} /> I have stored it
        </label>
        <button type="button" class="btn" disabled={!isStored} onClick={p.close}>
          Done
        </button>
      </div>
    </section>
  );
}
