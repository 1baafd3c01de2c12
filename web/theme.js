// SPDX-License-Identifier: MIT
// Light, dark, or as the reader's machine is: a button at the top. The choice is kept where the browser lets it be.
(() => {
  'use strict';
  const key = 'heed-theme';
  const order = ['system', 'light', 'dark'];
  const kept = () => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // pages from a disk may keep nothing
    }
  };
  const keep = theme => {
    try {
      localStorage.setItem(key, theme);
    } catch {
      // it holds until the page is left
    }
  };

  let theme = order.includes(kept()) ? kept() : 'system';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'theme';

  const apply = () => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
    document.dispatchEvent(new Event('heed-theme'));
  };
  button.addEventListener('click', () => {
    theme = order[(order.indexOf(theme) + 1) % order.length];
    keep(theme);
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  document.querySelector('header').append(button);
  apply();
})();
