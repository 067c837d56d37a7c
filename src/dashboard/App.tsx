import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, lazy, Route, Router, useLocation } from 'preact-iso';
import { ErrorMessage } from './lib/error-message.tsx';
import { Icon, Logo } from './lib/icons.tsx';
import { Page } from './lib/page.tsx';
import { ELSEWHERE, NAV, type NavEntry, placeOf } from './lib/places.ts';
import { followConnection, greet, isAskingTabs, isOperator, key, mayOperate } from './lib/session.ts';
import { theme, toggleTheme } from './lib/theme.ts';
import { Floating } from './lib/tip.tsx';
import { OfferedKey } from './pages/OfferedKey.tsx';
import type { PaletteProps } from './pages/Palette.tsx';

// Pages are loaded only when they are opened, so that a conversation opens quickly.
const SignIn = lazy(() => import('./pages/SignIn.tsx').then((page) => page.SignIn));
const ConversationList = lazy(() => import('./pages/ConversationList.tsx').then((page) => page.ConversationList));
const StoredConversation = lazy(() => import('./pages/StoredConversation.tsx').then((page) => page.StoredConversation));
const SharedConversation = lazy(() => import('./pages/SharedConversation.tsx').then((page) => page.SharedConversation));
const SharedPlaylist = lazy(() => import('./pages/SharedPlaylist.tsx').then((page) => page.SharedPlaylist));
const Compare = lazy(() => import('./pages/Compare.tsx').then((page) => page.Compare));
const Analyse = lazy(() => import('./pages/Analyse.tsx').then((page) => page.Analyse));
const LiveCapture = lazy(() => import('./pages/Live.tsx').then((page) => page.LiveCapturePage));
const KeysPage = lazy(() => import('./pages/Keys.tsx').then((page) => page.KeysPage));
const Operations = lazy(() => import('./pages/Operations.tsx').then((page) => page.Operations));
const Patterns = lazy(() => import('./pages/Patterns.tsx').then((page) => page.Patterns));
const Playlists = lazy(() => import('./pages/Playlists.tsx').then((page) => page.Playlists));
const PlaylistPage = lazy(() => import('./pages/Playlists.tsx').then((page) => page.PlaylistPage));
const Rules = lazy(() => import('./pages/rules/Rules.tsx').then((page) => page.Rules));
const RuleEditor = lazy(() => import('./pages/rules/RuleEditor.tsx').then((page) => page.RuleEditor));
const Commitments = lazy(() => import('./pages/Commitments.tsx').then((page) => page.Commitments));
const Receipts = lazy(() => import('./pages/Receipts.tsx').then((page) => page.Receipts));
const People = lazy(() => import('./pages/People.tsx').then((page) => page.People));
const PersonPage = lazy(() => import('./pages/PersonPage.tsx').then((page) => page.PersonPage));
const Webhooks = lazy(() => import('./pages/Webhooks.tsx').then((page) => page.Webhooks));
const TryIt = lazy(() => import('./pages/TryIt.tsx').then((page) => page.TryIt));

const SIGN_IN = '/app/sign-in';
/** It needs no key, so that a visitor who has not signed in has something to read. */
const DOCS: NavEntry = ['/docs', 'Docs', 'book'];
/** The places that a phone shows beside "More". */
const ON_PHONES = 4;
export function App() {
  return (
    <LocationProvider scope="/app">
      <Frame />
      <OfferedKey />
      <GoTo />
      <Floating />
    </LocationProvider>
  );
}

/** Number of the palette's opening, which counts up; 0 while it is closed. */
const opening = signal(0);
let openings = 0;
const goTo = (): void => {
  if (key.peek() !== undefined) opening.value = ++openings;
};

/** The palette, which is loaded when it is first opened. */
function GoTo() {
  const [Palette, setPalette] = useState<ComponentType<PaletteProps> | undefined>(undefined);
  useEffect(() => {
    const listen = (e: KeyboardEvent): void => {
      if (e.key !== 'k' || !(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return;
      e.preventDefault();
      if (!e.repeat) goTo();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  const turn = opening.value;
  const isOpen = turn > 0;
  useEffect(() => {
    if (isOpen) void import('./pages/Palette.tsx').then((loaded) => setPalette(() => loaded.Palette));
  }, [isOpen]);
  if (!isOpen || !Palette) return null;
  // A dialog closes before its event says so. An opening in between is one of its own, which that event does not end.
  return (
    <Palette
      key={turn}
      places={[...NAV, ...ELSEWHERE].filter(([href]) => isAvailable(href))}
      close={() => (opening.value = 0)}
    />
  );
}

function Frame() {
  const [error, setError] = useState<unknown>(undefined);
  const { path } = useLocation();
  useEffect(() => setError(undefined), [path]);
  useEffect(() => {
    void greet();
    return followConnection();
  }, []);
  return (
    <div class={`app ${isConversation(path) ? 'cv' : ''}`}>
      <button type="button" class="skip btn" onClick={skipToMain}>
        Skip to the content
      </button>
      <Rail />
      {error === undefined ? (
        <ErrorBoundary onError={setError}>
          <Router>
            <Route path="/app" component={WithKey} of={ConversationList} />
            <Route path="/app/conversations" component={WithKey} of={ConversationList} />
            <Route path="/app/conversations/:id" component={WithKey} of={StoredConversation} />
            <Route path="/app/compare" component={WithKey} of={Compare} />
            <Route path="/app/patterns" component={WithKey} of={Patterns} />
            <Route path="/app/commitments" component={WithKey} of={Commitments} />
            <Route path="/app/receipts" component={WithKey} of={Receipts} />
            <Route path="/app/webhooks" component={WithKey} of={Webhooks} />
            <Route path="/app/people" component={WithKey} of={People} />
            <Route path="/app/people/:id" component={WithKey} of={PersonPage} />
            <Route path="/app/rules" component={WithKey} of={Rules} />
            <Route path="/app/rules/:id" component={WithKey} of={RuleEditor} />
            <Route path="/app/playlists" component={WithKey} of={Playlists} />
            <Route path="/app/playlists/:id" component={WithKey} of={PlaylistPage} />
            <Route path="/app/analyse" component={WithKey} of={Analyse} />
            <Route path="/app/live" component={WithKey} of={LiveCapture} />
            <Route path="/app/keys" component={KeysPage} />
            <Route path="/app/operations" component={Operations} />
            <Route path="/app/shared/:id" component={Shared} />
            <Route path="/app/try" component={TryIt} />
            <Route path="/app/sign-in" component={SignIn} />
            <Route default component={Nowhere} />
          </Router>
        </ErrorBoundary>
      ) : (
        <Page title="This page failed">
          <ErrorMessage error={error} retry={() => location.reload()} />
        </Page>
      )}
    </div>
  );
}

/** On a phone, a conversation takes up the whole screen. */
const isConversation = (path: string): boolean => /^\/app\/(conversations|shared)\/(?!playlist_)./.test(path);

/** The target of a link. The ids of conversations are UUIDs. */
const Shared = ({ id = '' }: { id?: string }) =>
  id.startsWith('playlist_') ? <SharedPlaylist /> : <SharedConversation />;

/** Focuses the page itself, past the navigation. */
function skipToMain(): void {
  const main = document.querySelector('main');
  if (!main) return;
  main.tabIndex = -1;
  main.focus();
}

/** Whether this tab has a key, or another tab may still pass one on. */
const mayHaveKey = (): boolean => key.value !== undefined || isAskingTabs.value;

/** Whether the person signed in may use a page. A visitor who has not signed in may use none. */
function isAvailable(href: string): boolean {
  if (href === '/app/operations') return mayOperate();
  return mayHaveKey() || (href === '/app/keys' && mayOperate());
}

/** Whether a place shows the sign-in to a visitor, in its stead. */
const asksToSignIn = (place: string): boolean =>
  NAV.some(([href]) => href === place) &&
  key.value === undefined &&
  !isAskingTabs.value &&
  (isOperator.value === false || (place !== '/app/operations' && place !== '/app/keys'));

const MORE = 'more-places';
const closeMore = (): void => document.getElementById(MORE)?.hidePopover();

function Rail() {
  const { path } = useLocation();
  const isShared = path.startsWith('/app/shared/');
  const place = placeOf(path);
  const current = asksToSignIn(place) ? SIGN_IN : place;
  const label = theme.value === 'dark' ? 'Light theme' : 'Dark theme';
  const account: NavEntry = [SIGN_IN, key.value !== undefined || mayOperate() ? 'Account' : 'Sign in', 'person'];
  // The current page stays in it while it is not known whether it may be used.
  const places = isShared ? [] : NAV.filter(([href]) => isAvailable(href) || href === current);
  if (!isShared && !mayHaveKey() && !mayOperate()) places.push(DOCS);
  /** Whether they are so few that a phone, too, shows all. */
  const isShort = places.length < ON_PHONES;
  const rest = [...places.slice(ON_PHONES), ...(isShort ? [] : [account])];
  const linkTo = ([href, name, icon]: NavEntry, kind = '') => (
    <a key={href} href={href} class={kind} aria-current={current === href ? 'page' : undefined} onClick={closeMore}>
      <Icon name={icon} />
      {name}
    </a>
  );
  return (
    <nav class={isShared ? 'rail bare' : 'rail'} aria-label="Main">
      <Logo />
      {places.map((place, i) => linkTo(place, i < ON_PHONES ? '' : 'rest'))}
      <span class="sp" />
      {!isShared && linkTo(account, isShort ? 'out' : 'out rest')}
      {!isShared && (
        <>
          <button
            type="button"
            class="more"
            popovertarget={MORE}
            aria-current={rest.some(([href]) => href === current) ? 'true' : undefined}
          >
            <Icon name="more" />
            More
          </button>
          <div id={MORE} popover="auto" class="menu">
            {rest.map((place) => linkTo(place))}
            {key.value !== undefined && (
              <button
                type="button"
                onClick={() => {
                  closeMore();
                  goTo();
                }}
              >
                <Icon name="search" />
                Go to
              </button>
            )}
            <button type="button" onClick={toggleTheme}>
              <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
              {label}
            </button>
          </div>
        </>
      )}
      {!isShared && key.value !== undefined && (
        <button type="button" class="theme" aria-label="Go to" title="Go to (Ctrl K)" onClick={goTo}>
          <Icon name="search" />
        </button>
      )}
      <button type="button" class="theme" aria-label={label} title={label} onClick={toggleTheme}>
        <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
      </button>
    </nav>
  );
}

type Routed = { of: () => ComponentChildren };

function WithKey({ of: Shown }: Routed) {
  if (isAskingTabs.value) return <main class="page" aria-busy="true" />;
  // Another key sees other conversations.
  return key.value === undefined ? <SignIn /> : <Shown key={key.value} />;
}

function Nowhere() {
  return (
    <Page
      title="Page not found"
      lead="There is no page at this address. A part of the link may be missing: look for the page in the menu."
    >
      <a class="btn" href="/app">
        Go to conversations
      </a>
    </Page>
  );
}
