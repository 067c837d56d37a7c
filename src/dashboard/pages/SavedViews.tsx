import { useEffect, useState } from 'preact/hooks';
import { errorTextOf } from '../lib/error-texts.ts';
import { Icon } from '../lib/icons.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { say } from '../lib/tip.tsx';
import { addressOfView, loadViews, removeView, saveView, views } from '../lib/views.ts';

/** The saved views of a page, and a button that saves the current filters. */
export function SavedViews({ path, address }: { path: string; address: string }) {
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
      {own.map(({ view, name, href }) => (
        <span key={view.id} class={href === address ? 'pill on' : 'pill'}>
          <a href={href} aria-current={href === address ? 'page' : undefined}>
            <bdi>{name}</bdi>
          </a>
          <button
            type="button"
            aria-label={`Remove the view ${name}`}
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

const told = (error: unknown): void => say(errorTextOf(error).what);
