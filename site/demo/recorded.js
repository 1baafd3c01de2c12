// SPDX-License-Identifier: MIT
// Stands in for heed behind the page of a live session: plays the events of recording.js again, for ever.
(() => {
  'use strict';
  const { speed, until, events } = recording; // t, kind, data

  // Light or dark as the page around it, where a browser lets us look at that.
  try {
    const around = parent.document.body;
    const follow = () => {
      document.documentElement.dataset.theme = around.dataset.mdColorScheme === 'slate' ? 'dark' : 'light';
      document.dispatchEvent(new Event('heed-theme'));
    };
    if (around.dataset.mdColorScheme) new MutationObserver(follow).observe(around, { attributes: true });
    if (around.dataset.mdColorScheme) follow();
  } catch {
    // read from a disk, it is as the reader's machine is
  }

  window.EventSource = class extends EventTarget {
    constructor() {
      super();
      this.readyState = 1;
      this.round = 0;
      setTimeout(() => this.play(), 0);
    }

    play() {
      const begun = performance.now();
      const instance = `recording${++this.round}`;
      let next = 0;
      const step = () => {
        const t = speed * (performance.now() - begun) / 1000;
        for (; next < events.length && events[next].t <= t; ++next) {
          const { kind, data } = events[next];
          const told = kind === 'session' ? { ...data, instance, speed } : data;
          this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(told), lastEventId: `${instance}-${next + 1}` }));
        }
        if (t < until) setTimeout(step, 50);
        else this.play();
      };
      step();
    }
  };
})();
