// SPDX-License-Identifier: MIT
// A head from above, its electrodes coloured by a pattern: blue for negative, red for positive values.
const Heads = (() => {
  'use strict';
  const svg = 'http://www.w3.org/2000/svg';
  const colours = 7;
  const shape = (name, attributes) => {
    const made = document.createElementNS(svg, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const colour = value => `var(--map-${1 + Math.round((colours - 1) * (Math.min(1, Math.max(-1, value)) + 1) / 2)})`;

  // values: one per electrode, from -1 to 1.
  const draw = (box, electrodes, values) => {
    const radius = Math.min(0.14, 0.8 / Math.sqrt(electrodes.length));
    const outline = [shape('path', { d: 'M-.14 -.99 L0 -1.18 L.14 -.99' }), shape('path', { d: 'M-.99 -.18 q-.12 .18 0 .36' }),
      shape('path', { d: 'M.99 -.18 q.12 .18 0 .36' }), shape('circle', { r: 1 })];
    const dots = electrodes.map((electrode, k) => {
      const dot = shape('circle', { class: 'electrode', cx: electrode.x, cy: -electrode.y, r: radius });
      dot.style.fill = colour(values[k]);
      const title = shape('title', {});
      title.textContent = `${electrode.name}: ${values[k].toFixed(2)}`;
      dot.append(title);
      return dot;
    });
    box.replaceChildren(...outline, ...dots);
  };
  return { draw };
})();
