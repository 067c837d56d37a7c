import { signal } from '@preact/signals';

export type Theme = 'light' | 'dark';
const KEY = 'undertone.theme';

/** The current theme, which theme.js set before the first paint. */
export const theme = signal<Theme>(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');

export function toggleTheme(): void {
  theme.value = theme.peek() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme.peek();
  try {
    localStorage.setItem(KEY, theme.peek());
  } catch {
    // If the browser refuses to store it, the theme still changes.
  }
}
