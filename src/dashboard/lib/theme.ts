import { computed, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';
const KEY = 'undertone.theme';

/** The current theme, which theme.js set before the first paint. */
export const theme = signal<Theme>(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');

const FORCED = matchMedia('(forced-colors: active)');
const isForced = signal(FORCED.matches);
FORCED.addEventListener('change', () => (isForced.value = FORCED.matches));
/** The theme and whether colours are forced, on which drawings depend. */
export const look = computed(() => `${theme.value}${isForced.value ? ' forced' : ''}`);

export function toggleTheme(): void {
  theme.value = theme.peek() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme.peek();
  try {
    localStorage.setItem(KEY, theme.peek());
  } catch {
    // If the browser refuses to store it, the theme still changes.
  }
}
