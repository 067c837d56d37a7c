import '../style/forms.css';
import { useLocation } from 'preact-iso';
import { OutageMessage } from '../lib/error-message.tsx';
import { Icon } from '../lib/icons.tsx';
import { Opening } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { key, outage, signInWith, welcome } from '../lib/session.ts';

/** The sample call, open to anyone through the public demo key. */
export function TryIt() {
  const { route } = useLocation();
  const demo = welcome.value?.demo_key;
  const begin = (): void => {
    if (demo && key.peek() === undefined) signInWith(demo, false);
    route('/app/analyse?sample');
  };
  if (outage.value !== undefined)
    return (
      <Page title="Try it">
        <OutageMessage />
      </Page>
    );
  if (welcome.value === undefined) return <Opening title="Try it" />;
  if (!demo && key.value === undefined)
    return (
      <Page title="Try it" lead="This service has no demo key. Ask the operator for a key.">
        <a class="btn pri" href="/app/sign-in">
          Sign in
        </a>
      </Page>
    );
  return (
    <Page title="Try it" lead="Watch a 36-second sales call being analysed. No account, nothing to install.">
      <div class="card empty">
        <b>From any claim to its evidence</b>
        <p class="muted">Who spoke, what they said, how they said it, and what it means.</p>
        <button type="button" class="btn pri" onClick={begin}>
          <Icon name="play" size={14} /> Analyse the sample call
        </button>
      </div>
      <div class="notice try1">
        <Icon name="info" size={16} />
        <span>
          The demo key is public and limited: everyone who tries the service sees what is created with it. Do not upload
          your own recordings.
        </span>
      </div>
    </Page>
  );
}
