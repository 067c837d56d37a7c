// The script of a documentation page: the theme, the search, copy buttons for examples, and a page list that folds on a
// phone.

import { offerSearch } from './search.ts';

/** The dashboard stores the theme under the same name, so a choice applies to both. */
const KEY = 'undertone.theme';
const DARK = '(prefers-color-scheme: dark)';
/** Width below which the list of pages is folded away. */
const PHONE = '(max-width: 60rem)';
const COPIED_MS = 1500;

/** The theme that the reader chose, or else the system's. */
function theme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset.theme ?? read();
  return (chosen ?? (matchMedia(DARK).matches ? 'dark' : 'light')) === 'dark' ? 'dark' : 'light';
}

/** The browser may block access to its storage. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function offerThemes(): void {
  const button = document.getElementById('theme');
  if (!button) return;
  const tell = (): void => {
    button.textContent = theme() === 'dark' ? 'Light theme' : 'Dark theme';
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = theme() === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // The choice then applies to this page only.
    }
    tell();
  });
  tell();
}

function offerCopies(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, COPIED_MS);
    });
    block.append(button);
  }
}

function foldOnPhones(): void {
  const pages = document.getElementById('pages');
  if (pages instanceof HTMLDetailsElement) pages.open = !matchMedia(PHONE).matches;
}

// Runs before the first paint, so that the wrong theme never flashes.
document.documentElement.dataset.theme = theme();
document.addEventListener('DOMContentLoaded', () => {
  offerThemes();
  offerCopies();
  foldOnPhones();
  offerSearch();
});
