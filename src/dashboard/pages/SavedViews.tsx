import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { View } from '../../sdk/wire.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { Icon } from '../lib/icons.tsx';
import { say } from '../lib/tip.tsx';
import { addressOfView, loadViews, setAlert, views } from '../lib/views.ts';
import type { ViewDialogProps } from './ViewDialog.tsx';

interface SavedViewsProps {
  path: string;
  address: string;
  /** Whether the views of this page can tell when something new matches. */
  hasAlerts?: boolean;
  /** Clears the filters. Undefined while there are none. */
  clear?: (() => void) | undefined;
}

/** Links to the saved views of a page, and what can be done with the one that is shown, or with the current filters. */
export function SavedViews({ path, address, hasAlerts, clear }: SavedViewsProps) {
  const { url } = useLocation();
  const [asked, setAsked] = useState<{ Asked: ComponentType<ViewDialogProps>; removed: View | undefined }>();
  useEffect(loadViews, []);
  const own = views.value.filter((view) => addressOfView(view).split('?')[0] === path);
  // The address of one that was saved by other means may not be in the page's own form.
  const shown = own.find((view) => [address, url].includes(addressOfView(view)));
  if (own.length === 0 && address === path) return null;
  // Loaded only when it is needed.
  const ask = (removed?: View): void =>
    void import('./ViewDialog.tsx').then(({ ViewDialog: Asked }) => setAsked({ Asked, removed })).catch(told);
  return (
    <nav class="views" aria-label="Saved views">
      {own.length > 0 && (
        <small class="muted" aria-hidden="true">
          Saved views
        </small>
      )}
      {own.map((view) => (
        <a
          key={view.id}
          class={view === shown ? 'pill on' : ''}
          href={addressOfView(view)}
          aria-current={view === shown ? 'page' : undefined}
        >
          <bdi>{view.name}</bdi>
        </a>
      ))}
      {shown && hasAlerts && (
        <button
          type="button"
          class="btn sm ghost"
          aria-pressed={shown.tell}
          aria-label={`Tell me when something new matches ${shown.name}`}
          title={shown.tell ? 'Tells when something new matches' : 'Tell me when something new matches'}
          onClick={() => void switchAlert(shown).catch(told)}
        >
          <Icon name={shown.tell ? 'bellOn' : 'bell'} size={14} /> Tell me
        </button>
      )}
      {shown && (
        <button type="button" class="btn sm ghost" onClick={() => ask(shown)}>
          Remove the view<span class="vh"> {shown.name}</span>
        </button>
      )}
      {!shown && address !== path && (
        <button type="button" class="btn sm ghost" onClick={() => ask()}>
          <Icon name="plus" size={14} /> Save view
        </button>
      )}
      {clear && (
        <button type="button" class="btn sm ghost" onClick={clear}>
          <Icon name="close" size={13} /> Clear
        </button>
      )}
      {asked && (
        <asked.Asked address={address} removed={asked.removed} close={() => setAsked(undefined)} failed={told} />
      )}
    </nav>
  );
}

async function switchAlert(view: View): Promise<void> {
  const { tell } = await setAlert(view, !view.tell);
  say(
    tell
      ? `${view.name} tells your webhooks when something new matches (view.matched)`
      : `${view.name} no longer tells your webhooks`,
  );
}

const told = (error: unknown): void => say(errorTextOf(error).what);
