// SPDX-License-Identifier: MIT
// The scene from above: the listener, and the talkers in front of it. A circle is as large as its talker is loud, a
// beam as strong as heed finds the talker probable, and dots lead to the talker who truly is attended.
const Scene = (() => {
  'use strict';
  const svg = 'http://www.w3.org/2000/svg';
  const head = { x: 200, y: 222 };
  const distance = 148;
  const near = 38; // where dots begin
  const loudest = 34; // radius of a talker at 0 dB

  const shape = (name, attributes, text) => {
    const made = document.createElementNS(svg, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  class Scene {
    constructor(box) {
      this.box = box;
      this.talkers = [];
    }

    // From the left to the right, as they are heard.
    begin(names, colour) {
      const widest = names.length > 2 ? 62 : 54; // degrees
      const room = Math.min(1, 3.2 / names.length);
      const letters = names.length > 3 ? 7 : names.length > 2 ? 11 : 16; // that fit beside each other
      const shortened = name => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);
      let top = head.y;
      this.talkers = names.map((name, k) => {
        const turn = names.length > 1 ? widest * (2 * k / (names.length - 1) - 1) * Math.PI / 180 : 0;
        const at = far => [head.x + far * Math.sin(turn), head.y - far * Math.cos(turn)];
        const [x, y] = at(distance);
        const [x1, y1] = at(near);
        top = Math.min(top, y);
        const beam = shape('path', { class: 'beam', d: `M${head.x} ${head.y} L${x - 22} ${y} L${x + 22} ${y} Z` });
        const dots = shape('line', { class: 'dots', x1, y1, x2: x, y2: y });
        const place = shape('g', { transform: `translate(${x} ${y})` });
        const ring = shape('circle', { class: 'ring', r: loudest * room + 5 });
        const voice = shape('circle', { class: 'voice', r: loudest * room });
        place.append(ring, voice, shape('text', { class: 'name', y: -loudest * room - 12 }, shortened(name)));
        for (const one of [beam, place]) one.style.setProperty('--who', colour(k));
        return { beam, dots, place, voice };
      });
      const listener = shape('g', { class: 'listener', transform: `translate(${head.x} ${head.y})` });
      listener.append(shape('path', { d: 'M-7 -23 L0 -34 L7 -23 Z' }), shape('ellipse', { cx: -25, rx: 5, ry: 9 }),
        shape('ellipse', { cx: 25, rx: 5, ry: 9 }), shape('circle', { r: 25 }));
      this.box.setAttribute('viewBox', `15 ${top - 65} 370 ${head.y + 95 - top}`);
      this.box.replaceChildren(...this.talkers.flatMap(one => [one.beam, one.dots]), ...this.talkers.map(one => one.place), listener);
    }

    // factors: amplitudes from 0 to 1; attended: the true one, or null.
    show(posterior, factors, attended) {
      this.talkers.forEach((talker, k) => {
        talker.beam.style.opacity = 0.75 * posterior[k] ** 2;
        talker.voice.style.transform = `scale(${0.12 + 0.88 * factors[k]})`;
        talker.dots.style.opacity = attended === k ? 1 : 0;
      });
    }
  }
  return Scene;
})();
