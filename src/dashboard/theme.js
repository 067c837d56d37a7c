// Before anything is painted: the theme chosen by hand, else the system's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('undertone.theme');
  } catch {}
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = chosen ?? (dark ? 'dark' : 'light');
})();
