// SPDX-License-Identifier: MIT
// Hints for the marks of a figure: under the mouse, at a touch, and by keys. The words are the <title> of each mark. In a
// figure that has the focus, left and right go from mean to mean, Home and End to the first and the last; Escape ends.
(() => {
  'use strict';
  const near = 14; // pixels: no need to hit a dot of two
  const small = 40; // what is larger is a line or an area: it speaks only where it is hit

  const box = document.createElement('div');
  box.className = 'hint';
  box.hidden = true;
  document.body.append(box);
  const heard = document.createElement('div');
  heard.className = 'heard';
  heard.setAttribute('role', 'status');
  document.body.append(heard);

  // Taken out of the drawing, so that the browser does not show them a second time.
  const words = new WeakMap();
  let ring = null; // around the mark that keys have reached
  let reached = null;

  const hide = () => {
    box.hidden = true;
    if (ring) ring.remove();
    ring = null;
    reached = null;
  };

  const show = mark => {
    const place = mark.getBoundingClientRect();
    box.textContent = words.get(mark);
    box.hidden = false;
    const above = place.top - box.offsetHeight - 8;
    const left = place.left + place.width / 2 - box.offsetWidth / 2;
    box.style.top = `${above > 4 ? above : place.bottom + 8}px`;
    box.style.left = `${Math.max(4, Math.min(left, document.documentElement.clientWidth - box.offsetWidth - 4))}px`;
  };

  const encircle = mark => {
    if (ring) ring.remove();
    const area = mark.getBBox();
    ring = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    ring.setAttribute('class', 'ring');
    ring.setAttribute('cx', area.x + area.width / 2);
    ring.setAttribute('cy', area.y + area.height / 2);
    ring.setAttribute('r', Math.max(area.width, area.height) / 2 + 3);
    mark.ownerSVGElement.append(ring);
    reached = mark;
  };
  const follow = () => (reached ? show(reached) : hide());

  const distance = (mark, x, y) => {
    const place = mark.getBoundingClientRect();
    if (place.width > small || place.height > small) return Infinity;
    return Math.hypot(place.left + place.width / 2 - x, place.top + place.height / 2 - y);
  };

  const markAt = (marks, event) => {
    const hit = event.target.closest('path, circle');
    if (hit && words.has(hit) && distance(hit, event.clientX, event.clientY) < Infinity) return hit;
    let best = null;
    let least = near;
    for (const mark of marks) {
      const far = distance(mark, event.clientX, event.clientY);
      if (far < least) [best, least] = [mark, far];
    }
    return best || (hit && words.has(hit) ? hit : null);
  };

  const walk = (svg, stops) => {
    let at = -1;
    const go = to => {
      at = Math.max(0, Math.min(to, stops.length - 1));
      stops[at].scrollIntoView({ block: 'nearest', inline: 'nearest' });
      encircle(stops[at]);
      show(stops[at]);
      heard.textContent = words.get(stops[at]);
    };
    const keys = {
      ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(stops.length - 1),
      Escape: () => { at = -1; hide(); },
    };
    svg.addEventListener('keydown', event => {
      if (!keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    svg.addEventListener('blur', () => { at = -1; hide(); });
  };

  const prepare = svg => {
    const marks = [];
    for (const title of svg.querySelectorAll('title')) {
      const mark = title.parentElement;
      if (mark !== svg) {
        words.set(mark, title.textContent);
        marks.push(mark);
      }
      title.remove();
    }
    if (marks.length === 0) return;
    const means = marks.filter(mark => mark.parentElement.matches('.mean, .in-use, .curve') && mark.getBBox().width < small);
    const stops = means.length > 0 ? means : marks;
    svg.addEventListener('pointermove', event => {
      const mark = markAt(marks, event);
      if (mark) show(mark);
      else hide();
    });
    svg.addEventListener('pointerdown', event => {
      const mark = markAt(marks, event);
      if (mark) show(mark);
    });
    svg.addEventListener('pointerleave', event => {
      if (event.pointerType === 'mouse') hide();
    });
    // A picture made of parts, now that keys reach them; its name stays.
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-roledescription', 'figure; arrow keys read out its values');
    svg.setAttribute('tabindex', '0');
    walk(svg, stops);
  };

  for (const svg of document.querySelectorAll('.card svg')) prepare(svg);
  document.addEventListener('pointerdown', event => {
    if (!event.target.closest('.card svg')) hide();
  });
  addEventListener('scroll', follow, { passive: true });

  // Only what scrolls needs a stop for keys, and a word that there is more.
  const fit = () => {
    for (const scroller of document.querySelectorAll('.scroll, .card')) {
      const hides = scroller.scrollWidth > scroller.clientWidth + 1;
      scroller.classList.toggle('more', hides && scroller.scrollLeft === 0);
      if (hides) scroller.setAttribute('tabindex', '0');
      else scroller.removeAttribute('tabindex');
    }
  };
  for (const scroller of document.querySelectorAll('.scroll, .card')) {
    scroller.addEventListener('scroll', () => { scroller.classList.remove('more'); follow(); }, { passive: true });
  }
  for (const folded of document.querySelectorAll('details')) folded.addEventListener('toggle', fit);
  addEventListener('resize', fit);
  fit();
})();
