// Before the first paint: the theme that was chosen here, or the system's.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('nimatron.theme');
  } catch {
    // Private windows may have no storage; the system decides.
  }
  const asked = new URLSearchParams(location.search).get('theme');
  document.documentElement.dataset.theme =
    asked || theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
})();
