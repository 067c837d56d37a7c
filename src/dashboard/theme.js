// Applies the theme that the user chose, or else that of the system. Runs before anything is painted.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('undertone.theme');
  } catch {}
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = chosen ?? (dark ? 'dark' : 'light');
})();
