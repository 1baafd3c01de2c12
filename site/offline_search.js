// SPDX-License-Identifier: MIT
// Lets the search work where the site is opened from a folder: browsers start no worker and fetch no index there. The
// worker runs in a frame instead, and the index is a script.
if (location.protocol === 'file:') {
  const here = document.currentScript.src;
  window.__search = {
    index: new Promise(resolve => {
      const script = document.createElement('script');
      script.src = new URL('search/search_index.js', here).href;
      script.addEventListener('load', () => resolve(window.heedSearchIndex));
      document.head.append(script);
    }),
  };
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement('iframe');
      frame.hidden = true;
      frame.srcdoc = `<script src="${new URL(url, location.href).href}"></script>`; // of this page's own origin
      this.inside = new Promise(resolve => frame.addEventListener('load', () => {
        const inside = frame.contentWindow;
        inside.importScripts = () => {};
        inside.postMessage = data => this.dispatchEvent(new MessageEvent('message', { data }));
        resolve(inside);
      }));
      document.body.append(frame);
    }

    postMessage(data) {
      this.inside.then(inside => inside.dispatchEvent(new MessageEvent('message', { data })));
    }
  };
}
