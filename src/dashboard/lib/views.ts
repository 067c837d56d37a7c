import { effect, signal } from '@preact/signals';
import type { View } from '../../sdk/wire.ts';
import { key, service } from './session.ts';

/** The saved views of the tenant, by name. Empty until they are loaded. */
export const views = signal<readonly View[]>([]);

/** The pages with filters, by the path of their addresses. */
const PAGES = { '/app': 'conversations', '/app/patterns': 'patterns', '/app/commitments': 'commitments' } as const;
const PATHS = Object.fromEntries(Object.entries(PAGES).map(([path, page]) => [page, path])) as Record<
  View['page'],
  keyof typeof PAGES
>;

export const addressOfView = ({ page, query }: Pick<View, 'page' | 'query'>): string =>
  query === '' ? PATHS[page] : `${PATHS[page]}?${query}`;

/** The key whose views are loaded, or being loaded. */
let loadedFor: string | undefined;

/** Loads the views of the signed-in key, once for each key. */
export function loadViews(): void {
  if (key.value === undefined || loadedFor === key.value) return;
  loadedFor = key.value;
  const of = key.value;
  service()
    .views.list()
    .then(
      (all) => {
        if (loadedFor === of) views.value = all;
      },
      () => {
        // The next page that shows views tries again.
        if (loadedFor === of) loadedFor = undefined;
      },
    );
}

// Another key may be that of another tenant.
effect(() => {
  if (key.value === loadedFor) return;
  views.value = [];
  loadedFor = undefined;
});

/** Saves the filters of an address. A view of the page with the same name is replaced. */
export async function saveView(name: string, address: string): Promise<void> {
  const [path = '', query = ''] = address.split('?', 2);
  const page = PAGES[path as keyof typeof PAGES];
  const same = views.value.find((view) => view.page === page && view.name === name);
  const saved = await (same ? service().views.edit(same.id, { query }) : service().views.create({ name, page, query }));
  show(saved);
}

function show(saved: View): void {
  const others = views.value.filter(({ id }) => id !== saved.id);
  views.value = [...others, saved].sort((a, b) => a.name.localeCompare(b.name));
}

/** Switches whether a view tells when something new matches. */
export async function setAlert({ id }: View, tell: boolean): Promise<View> {
  const changed = await service().views.edit(id, { tell });
  show(changed);
  return changed;
}

export async function removeView({ id }: View): Promise<void> {
  await service().views.delete(id);
  views.value = views.value.filter((view) => view.id !== id);
}
