/** The theme of the page, for figures that compute colours. */
class Theme {
  name = $state<'light' | 'dark'>(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');

  constructor() {
    addEventListener('themechange', () => {
      this.name = document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
    });
  }
}

export const theme = new Theme();
