import { computed, signal } from '@preact/signals';
import { key, nameOfKey } from './session.ts';

/** A page with its filters, under a name of the reader's own. It is kept in this browser, for the key that saved it. */
export interface View {
  name: string;
  /** Path and query, such as `/app/patterns?category=objection`. */
  address: string;
}

const STORED = 'undertone.views';
/** Limit on the views of one key. */
const MOST = 50;

const turn = signal(0);

/** The saved views of the signed-in key, by name. */
export const views = computed<readonly View[]>(() => {
  void turn.value;
  return key.value === undefined ? [] : read(placeOf(key.value));
});

/** Saves a view. One with the same name is replaced. */
export function saveView(view: View): void {
  write([...views.peek().filter(({ name }) => name !== view.name), view].slice(-MOST));
}

export function removeView(view: View): void {
  write(views.peek().filter(({ name }) => name !== view.name));
}

const placeOf = (of: string): string => `${STORED}.${nameOfKey(of)}`;

function read(place: string): readonly View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return (Array.isArray(stored) ? stored : [])
      .filter((one: Partial<View> | null): one is View => typeof one?.name === 'string' && isOwn(one.address))
      .sort((a, b) => a.name.localeCompare(b.name));
  } catch {
    return [];
  }
}

/** Whether an address is one of these pages. */
const isOwn = (address: unknown): boolean => typeof address === 'string' && /^\/app(?:[/?]|$)/.test(address);

function write(all: readonly View[]): void {
  const of = key.peek();
  if (of === undefined) return;
  try {
    localStorage.setItem(placeOf(of), JSON.stringify(all));
  } catch {
    // If the browser refuses to store it, nothing is saved, and the list shows that.
  }
  turn.value++;
}
