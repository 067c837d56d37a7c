import { useEffect, useState } from 'preact/hooks';
import type { View } from '../../sdk/wire.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { Icon } from '../lib/icons.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { say } from '../lib/tip.tsx';
import { addressOfView, loadViews, removeView, saveView, setAlert, views } from '../lib/views.ts';

interface SavedViewsProps {
  path: string;
  address: string;
  /** Whether the views of this page can tell when something new matches. */
  hasAlerts?: boolean;
}

/** The saved views of a page, and a button that saves the current filters. */
export function SavedViews({ path, address, hasAlerts = false }: SavedViewsProps) {
  const [isNaming, setNaming] = useState(false);
  useEffect(loadViews, []);
  const own = views.value
    .map((view) => ({ view, name: view.name, href: addressOfView(view) }))
    .filter(({ href }) => href.split('?')[0] === path);
  const isSaved = own.some(({ href }) => href === address);
  if (own.length === 0 && address === path) return null;
  const run = async (form: FormData): Promise<undefined> => {
    const name = String(form.get('name') ?? '').trim();
    await saveView(name, address);
    say(`Saved: ${name}`);
  };
  return (
    <nav class="views" aria-label="Saved views">
      {own.length > 0 && (
        <small class="muted" aria-hidden="true">
          Saved views
        </small>
      )}
      {own.map(({ view, name, href }) => (
        <span key={view.id} class={href === address ? 'pill on' : 'pill'}>
          <a href={href} aria-current={href === address ? 'page' : undefined}>
            <bdi>{name}</bdi>
          </a>
          {hasAlerts && (
            <button
              type="button"
              class={view.tell ? 'told' : ''}
              aria-pressed={view.tell}
              aria-label={`Tell me when something new matches ${name}`}
              title={view.tell ? 'Tells when something new matches' : 'Tell me when something new matches'}
              onClick={() => void switchAlert(view).catch(told)}
            >
              <Icon name={view.tell ? 'bellOn' : 'bell'} size={14} /> Tell me
            </button>
          )}
          <button
            type="button"
            aria-label={`Remove the view ${name}`}
            title="Remove this view"
            onClick={() => {
              removeView(view).then(() => say(`Removed: ${name}`, () => void saveView(name, href).catch(told)), told);
            }}
          >
            <Icon name="close" size={13} />
          </button>
        </span>
      ))}
      {!isSaved && address !== path && (
        <button type="button" class="btn sm ghost" onClick={() => setNaming(true)}>
          <Icon name="plus" size={14} /> Save view
        </button>
      )}
      {isNaming && (
        <Prompt title="Save view" act="Save" close={() => setNaming(false)} run={run}>
          <label class="field">
            <span>Name</span>
            <input class="inp" type="text" name="name" required maxLength={60} dir="auto" />
            <small>
              Everybody with a key of this tenant sees it. A view of this page with the same name is replaced.
            </small>
          </label>
        </Prompt>
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
