import { useState } from 'preact/hooks';
import { Icon } from '../lib/icons.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { say } from '../lib/tip.tsx';
import { removeView, saveView, views } from '../lib/views.ts';

/** The saved views of a page, and a button that saves the current filters. */
export function SavedViews({ path, address }: { path: string; address: string }) {
  const [isNaming, setNaming] = useState(false);
  const own = views.value.filter((view) => view.address.split('?')[0] === path);
  const isSaved = own.some((view) => view.address === address);
  if (own.length === 0 && address === path) return null;
  const run = async (form: FormData): Promise<undefined> => {
    const name = String(form.get('name') ?? '').trim();
    saveView({ name, address });
    say(`Saved: ${name}`);
  };
  return (
    <nav class="views" aria-label="Saved views">
      {own.map((view) => (
        <span key={view.name} class={view.address === address ? 'pill on' : 'pill'}>
          <a href={view.address} aria-current={view.address === address ? 'page' : undefined}>
            <bdi>{view.name}</bdi>
          </a>
          <button
            type="button"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => {
              removeView(view);
              say(`Removed: ${view.name}`, () => saveView(view));
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
            <small>It is kept in this browser. The address of the page shows the same to others.</small>
          </label>
        </Prompt>
      )}
    </nav>
  );
}
