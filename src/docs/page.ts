// The scripts of a documentation page: its theme, copies of its examples, and a list that gives way on a phone.

const KEY = 'undertone-docs-theme';
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
/** Narrower than this the list of pages is folded away. */
const PHONE = '(max-width: 60rem)';
const COPIED_MS = 1500;

const stored = (): Theme => THEMES.find((theme) => theme === read()) ?? 'system';

/** A browser may refuse its storage. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function offerThemes(): void {
  const button = document.getElementById('theme');
  if (!button) return;
  const tell = (): void => {
    button.textContent = `Theme: ${stored()}`;
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(stored()) + 1) % THEMES.length] ?? 'system';
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // It holds for this page then.
    }
    apply(next);
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

// Before the first paint, so that nothing flashes.
apply(stored());
document.addEventListener('DOMContentLoaded', () => {
  offerThemes();
  offerCopies();
  foldOnPhones();
});
