import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import '../style/sign-in.css';
import { ErrorMessage, OutageMessage } from '../lib/error-message.tsx';
import { day } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Page } from '../lib/page.tsx';
import { nameOfPage } from '../lib/places.ts';
import { labelOf, permissionsOf, shortId } from '../lib/scopes.ts';
import {
  asOperator,
  currentKey,
  greet,
  isOperator,
  key,
  nameOfKey,
  outage,
  refusal,
  serviceWith,
  signInWith,
  signOut,
  welcome,
} from '../lib/session.ts';
import { theme, toggleTheme } from '../lib/theme.ts';
import { say } from '../lib/tip.tsx';

/** Whether the service runs on this machine, so that the visitor may be who started it. */
const isOwn = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);

/** The sign-in form. It replaces a page that needs a key or the operator, and is also a separate page. */
export function SignIn({ asks }: { asks?: 'operator' }) {
  const { path, route } = useLocation();
  const wanted = nameOfPage(path);
  const isSettings = path.startsWith('/app/keys');
  // After signing in, the user continues to the requested page.
  const goOn = (): void => {
    if (path.replace(/\/$/, '') === '/app/sign-in') route('/app');
  };
  return (
    <Page
      title={asks ? (isSettings ? 'Settings' : 'For the operator') : key.value === undefined ? 'Sign in' : 'Account'}
      lead={
        asks
          ? isSettings
            ? 'Keys, members and settings are managed by the operator, who runs the service, or with a key that may manage keys.'
            : 'Only the operator, who runs the service, can open this page.'
          : key.value === undefined
            ? 'Undertone says who spoke in a recording or a live call, what they said and how. Sign in with a key to see its conversations.'
            : 'This browser is signed in. Everybody with a key of the same tenant sees what you create.'
      }
      tools={
        // On a phone, the navigation has no theme button.
        <button type="button" class="btn phone1" onClick={toggleTheme}>
          <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} size={16} />{' '}
          {theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
        </button>
      }
    >
      <OutageMessage
        further={'Signing in works again as soon as it responds. This page asks by itself every 10\u00a0s.'}
      />
      {refusal.value !== undefined && key.value === undefined && (
        <ErrorMessage
          error={refusal.value}
          text={{
            what: 'The key saved in this browser does not work: it is unknown, expired or revoked.',
            remedy: `Sign in${asks ? ` as the operator${isSettings ? ', or with a key that may manage keys,' : ''}` : ''}${wanted === undefined ? ' again' : ` to go on to ${wanted}`}.`,
          }}
          refused={() => undefined}
        />
      )}
      <div class="signs">
        {welcome.value?.has_sign_in && key.value === undefined && <WithOrganisation />}
        {key.value === undefined ? <WithAKey goOn={goOn} isMain={asks === undefined} /> : <SignedInKey />}
        {isOperator.value ? (
          <SignedInOperator />
        ) : isOperator.value === undefined && outage.value !== undefined ? (
          <UnknownOperator />
        ) : (
          <AsOperator goOn={goOn} isMain={asks !== undefined} />
        )}
        {welcome.value?.demo_key && key.value === undefined && (
          <section class="card sign">
            <h2>Look around</h2>
            <p class="muted">Watch a sample call being analysed. No account, nothing to install.</p>
            <a class="btn" href="/app/try">
              Try it
            </a>
          </section>
        )}
      </div>
    </Page>
  );
}

function WithAKey({ goOn, isMain }: { goOn: () => void; isMain: boolean }) {
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async (e: SubmitEvent): Promise<void> => {
    e.preventDefault();
    const form = new FormData(e.currentTarget as HTMLFormElement);
    const given = String(form.get('key') ?? '').trim();
    setBusy(true);
    setError(undefined);
    refusal.value = undefined;
    try {
      await serviceWith(given, { retries: 1 }).conversations.list({ limit: 1 });
      signInWith(given, form.get('stays') === 'on');
      goOn();
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <form class="card sign" onSubmit={(e) => void submit(e)}>
      <h2>With an API key</h2>
      <label class="field">
        <span>Key</span>
        <input
          class="inp mono"
          type="password"
          name="key"
          required
          autocomplete="current-password"
          spellcheck={false}
        />
        <small>
          Paste the key that you were given. If you have none, ask the person who runs this service.
          {isOwn && (
            <>
              {' '}
              If you run it yourself, <code>npm start</code> prints a key.
            </>
          )}
        </small>
      </label>
      <label class="check">
        <input type="checkbox" name="stays" /> Stay signed in on this computer
      </label>
      {error !== undefined && <ErrorMessage error={error} refused={() => undefined} />}
      <button type="submit" class={`btn ${isMain ? 'pri' : ''}`} disabled={isBusy}>
        Sign in
      </button>
    </form>
  );
}

/** Continues at the issuer of the deployment, which sends the browser back here. */
function WithOrganisation() {
  const { path } = useLocation();
  const go = (e: SubmitEvent): void => {
    e.preventDefault();
    const tenant = String(new FormData(e.currentTarget as HTMLFormElement).get('tenant') ?? '').trim();
    const to = path.replace(/\/$/, '') === '/app/sign-in' ? '/app' : path;
    location.assign(`/sign-in?${new URLSearchParams({ tenant, to })}`);
  };
  return (
    <form class="card sign" onSubmit={go}>
      <h2>With your organisation</h2>
      <label class="field">
        <span>Tenant</span>
        <input class="inp mono" name="tenant" required maxLength={32} defaultValue="default" spellcheck={false} />
        <small>A manager of the tenant adds you by your e-mail address.</small>
      </label>
      <button type="submit" class="btn pri">
        Continue
      </button>
    </form>
  );
}

function SignedInKey() {
  const person = key.value === '' ? welcome.value?.person : undefined;
  const known = currentKey.value;
  return (
    <section class="card sign">
      <h2>{person ? `Signed in as ${person.role}` : 'Signed in with a key'}</h2>
      <p class="whole">
        <NameOfKey />
      </p>
      {known && (
        <p class="muted whole">
          {person ? 'You' : 'It'} may {permissionsOf(known)}.{' '}
          {!person && known.expires_at && `It expires on ${day(known.expires_at)}.`}
        </p>
      )}
      <div class="row">
        <a class="btn" href="/app/keys">
          <Icon name="key" size={16} /> Settings
        </a>
        <button
          type="button"
          class="btn"
          onClick={() => {
            signOut();
            say('Signed out');
          }}
        >
          Sign out
        </button>
      </div>
    </section>
  );
}

/** The key of this tab: its label and its end once the service has named it. */
function NameOfKey() {
  const [given, known] = [key.value ?? '', currentKey.value];
  if (!known || known.source === 'sign_in')
    return (
      <code class="mono">
        <bdi>{nameOfKey(given)}</bdi>
      </code>
    );
  return (
    <>
      <b>
        <bdi>{labelOf(known)}</bdi>
      </b>
      {known.source === 'issued' && (
        <>
          {' '}
          <code class="mono">{shortId(known.id)}</code>
        </>
      )}
    </>
  );
}

function AsOperator({ goOn, isMain }: { goOn: () => void; isMain: boolean }) {
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const submit = async (e: SubmitEvent): Promise<void> => {
    e.preventDefault();
    const form = e.currentTarget as HTMLFormElement;
    setBusy(true);
    setError(undefined);
    try {
      await serviceWith(undefined, { retries: 0 }).access.signIn(String(new FormData(form).get('token') ?? '').trim());
      form.reset();
      await greet();
      goOn();
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  };
  return (
    <form class={`card sign ${isMain ? 'first' : ''}`} onSubmit={(e) => void submit(e)}>
      <h2>As the operator</h2>
      <label class="field">
        <span>Admin token</span>
        <input class="inp mono" type="password" name="token" required autocomplete="off" spellcheck={false} />
        <small>
          For the person who runs the service: keys, tenants and operations. The browser keeps a session of 12 hours,
          not the token.
        </small>
      </label>
      {error !== undefined && <ErrorMessage error={error} refused={() => undefined} />}
      <button type="submit" class={`btn ${isMain ? 'pri' : ''}`} disabled={isBusy}>
        Sign in as the operator
      </button>
    </form>
  );
}

function UnknownOperator() {
  return (
    <section class="card sign">
      <h2>As the operator</h2>
      <p class="muted">
        The service could not say whether you are signed in as the operator. The page asks again as soon as it responds.
      </p>
    </section>
  );
}

function SignedInOperator() {
  const signOutOperator = async (): Promise<void> => {
    await asOperator().access.signOut();
    await greet();
    say('Signed out');
  };
  return (
    <section class="card sign">
      <h2>Signed in as the operator</h2>
      <p class="muted">You can manage keys, tenants and operations in this browser.</p>
      <button
        type="button"
        class="btn"
        onClick={() => void signOutOperator().catch((error: unknown) => say(String(error)))}
      >
        Sign out the operator
      </button>
    </section>
  );
}
