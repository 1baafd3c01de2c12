// SPDX-License-Identifier: MIT
// Whole trials of the attention traces, to zoom into: uPlot draws, the data are JSON in the figure (the table "trace").
// One line per method: its posterior probability of one speaker; the ribbon on top shows who was attended. Drag to zoom,
// or use the buttons or keys.
(() => {
  'use strict';
  if (typeof uPlot === 'undefined') return;

  const style = getComputedStyle(document.documentElement);
  const colours = []; // of speakers and methods, as many as the palette has
  while (style.getPropertyValue(`--speaker-${colours.length + 1}`)) colours.push(`--speaker-${colours.length + 1}`);
  const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 3], [1, 2], [12, 4], [4, 2, 1, 2]];
  const ribbon = 16; // pixels
  const letters = '12px system-ui, sans-serif';
  const parts = 10000; // of one, as beliefs are written

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const colour = name => style.getPropertyValue(name).trim();
  const shown = value => (value == null ? 'n/a' : (100 * value).toFixed(1) + ' %');

  // [first, last] windows of the same attended speaker
  const stretches = attended => {
    const list = [];
    attended.forEach((speaker, k) => {
      const last = list[list.length - 1];
      if (last && last.speaker === speaker) last.end = k;
      else list.push({ speaker, begin: k, end: k });
    });
    return list.filter(one => one.speaker >= 0);
  };

  class Trace {
    constructor(figure, data) {
      this.data = data;
      this.trial = data.trials[0];
      this.speaker = 0;
      this.hidden = new Set();
      this.plot = element('div', { className: 'plot', tabIndex: 0 });
      this.plot.setAttribute('role', 'group');
      this.plot.setAttribute('aria-label', 'Probability over the whole trial. Plus and minus zoom, arrow keys move, 0 shows the whole trial.');
      this.words = element('p');
      this.values = element('p', { className: 'values' });
      this.tools = element('div', { className: 'tools' });
      this.methods = element('fieldset', { className: 'methods' });
      this.zoom = element('div', { className: 'zoom' },
        this.words,
        this.tools, this.methods, this.plot, this.values);
      figure.querySelector('figcaption').before(this.zoom);
      this.addTools();
      this.addMethods();
      this.draw();
      this.plot.addEventListener('keydown', event => this.press(event));
      document.addEventListener('heed-theme', () => this.draw(this.range()));
      new ResizeObserver(() => this.fit()).observe(this.zoom);
    }

    button(text, label, act) {
      const made = element('button', { type: 'button', textContent: text, title: label });
      made.setAttribute('aria-label', label);
      made.addEventListener('click', act);
      this.tools.append(made);
    }

    choice(label, names, act) {
      if (names.length < 2) return;
      const list = element('select', {}, ...names.map((name, k) => element('option', { value: k, textContent: name })));
      list.addEventListener('change', () => act(Number(list.value)));
      this.tools.append(element('label', {}, label, list));
    }

    addTools() {
      this.choice('Trial', this.data.trials.map(trial => trial.name), k => {
        this.trial = this.data.trials[k];
        this.draw();
      });
      this.choice('Probability of', this.data.speakers, k => {
        this.speaker = k;
        this.draw(this.range());
      });
      this.button('+', 'Zoom in', () => this.scale(0.5));
      this.button('\u2212', 'Zoom out', () => this.scale(2));
      this.button('\u2190', 'Earlier', () => this.move(-0.25));
      this.button('\u2192', 'Later', () => this.move(0.25));
      this.button('All', 'Show the whole trial', () => this.reset());
    }

    addMethods() {
      this.methods.append(element('legend', { className: 'heard', textContent: 'Methods shown' }));
      this.trial.methods.forEach((method, k) => {
        const box = element('input', { type: 'checkbox', checked: true });
        box.addEventListener('change', () => {
          if (box.checked) this.hidden.delete(k);
          else this.hidden.add(k);
          this.uplot.setSeries(k + 1, { show: box.checked });
        });
        this.methods.append(element('label', {}, box, this.sample(k), method.name));
      });
    }

    // A piece of the line, as it is drawn.
    sample(k) {
      const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
      svg.setAttribute('width', '30');
      svg.setAttribute('height', '8');
      svg.setAttribute('aria-hidden', 'true');
      const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      line.setAttribute('d', 'M0 4h30');
      line.setAttribute('stroke-width', '2');
      line.setAttribute('stroke-dasharray', dashes[k % dashes.length].join(' '));
      line.style.stroke = `var(${colours[k % colours.length]})`;
      svg.append(line);
      return svg;
    }

    // Who was attended: a ribbon of names, and shading where it was the speaker whose probability is shown.
    ground(u) {
      const { ctx, bbox } = u;
      const pixels = devicePixelRatio;
      const half = this.trial.window / 2;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top - ribbon * pixels, bbox.width, bbox.height + ribbon * pixels);
      ctx.clip();
      ctx.font = `${11 * pixels}px system-ui, sans-serif`;
      ctx.textBaseline = 'middle';
      for (const one of stretches(this.trial.attended)) {
        const left = Math.max(bbox.left, u.valToPos(this.trial.time[one.begin] - half, 'x', true));
        const right = Math.min(bbox.left + bbox.width, u.valToPos(this.trial.time[one.end] + half, 'x', true));
        if (right <= left) continue;
        const top = bbox.top - ribbon * pixels;
        ctx.fillStyle = colour('--shade');
        if (one.speaker === this.speaker) ctx.fillRect(left, top, right - left, bbox.height + ribbon * pixels);
        ctx.strokeStyle = colour('--grid-ink');
        ctx.strokeRect(left, top, right - left, ribbon * pixels);
        const name = this.data.speakers[one.speaker];
        ctx.fillStyle = colour('--ink');
        if (ctx.measureText(name).width < right - left - 8 * pixels) {
          ctx.fillText(name, left + 4 * pixels, top + (ribbon / 2) * pixels);
        }
      }
      ctx.restore();
    }

    options() {
      const axis = { stroke: colour('--ink'), font: letters, grid: { stroke: colour('--grid-ink'), width: 1 },
        ticks: { stroke: colour('--grid-ink'), width: 1 } };
      const series = this.trial.methods.map((method, k) => ({
        label: method.name, stroke: colour(colours[k % colours.length]), width: 1.6, dash: dashes[k % dashes.length],
        points: { show: false }, show: !this.hidden.has(k),
      }));
      return {
        width: this.width(), height: this.width() < 500 ? 240 : 300, padding: [ribbon + 4, 8, 0, 0],
        cursor: { y: false, drag: { x: true, y: false } }, legend: { show: false },
        scales: { x: { time: false }, y: { range: [-0.02, 1.02] } },
        axes: [
          { ...axis, label: 'time (s)', labelSize: 18, size: 32, labelFont: letters },
          { ...axis, label: `probability of ${this.data.speakers[this.speaker]}`, labelSize: 18, size: 54, labelFont: letters,
            values: (u, ticks) => ticks.map(tick => `${Math.round(100 * tick)} %`) },
        ],
        series: [{}, ...series],
        hooks: { drawClear: [u => this.ground(u)], setCursor: [u => this.tell(u.cursor.idx)] },
      };
    }

    draw(range) {
      if (this.uplot) this.uplot.destroy();
      this.words.textContent = `The whole of ${this.trial.name}${this.data.stamp ? ` (${this.data.stamp})` : ''}. Drag ` +
        'across the plot to zoom in; double-click to see all of it again.';
      const beliefs = this.trial.methods.map(method =>
        method.beliefs[this.speaker].map(value => (value === null ? null : value / parts)));
      this.uplot = new uPlot(this.options(), [this.trial.time, ...beliefs], this.plot);
      if (range) this.uplot.setScale('x', range);
    }

    width() {
      const style = getComputedStyle(this.zoom);
      return Math.floor(this.zoom.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
    }
    fit() {
      const width = this.width();
      if (width > 0 && width !== this.uplot.width) this.uplot.setSize({ width, height: width < 500 ? 240 : 300 });
    }

    whole() {
      const { time } = this.trial;
      return { min: time[0], max: time[time.length - 1] };
    }
    range() {
      const { min, max } = this.uplot.scales.x;
      return min == null ? this.whole() : { min, max };
    }
    reset() {
      this.uplot.setScale('x', this.whole());
    }
    // Around the middle, never beyond the trial, never less than five windows.
    scale(factor) {
      const { min, max } = this.range();
      const whole = this.whole();
      const size = Math.max(5 * this.trial.window, Math.min((max - min) * factor, whole.max - whole.min));
      this.put((min + max) / 2 - size / 2, size);
    }
    move(share) {
      const { min, max } = this.range();
      this.put(min + share * (max - min), max - min);
    }
    put(from, size) {
      const whole = this.whole();
      const min = Math.max(whole.min, Math.min(from, whole.max - size));
      this.uplot.setScale('x', { min, max: Math.min(whole.max, min + size) });
    }

    press(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const keys = {
        '+': () => this.scale(0.5), '=': () => this.scale(0.5), '-': () => this.scale(2),
        ArrowLeft: () => this.move(-0.25), ArrowRight: () => this.move(0.25),
        0: () => this.reset(), Home: () => this.reset(), Escape: () => this.reset(),
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    }

    tell(window) {
      if (window == null) {
        this.values.textContent = '';
        return;
      }
      const attended = this.trial.attended[window];
      const beliefs = this.trial.methods.flatMap((method, k) => (this.hidden.has(k) ? [] :
        [`${method.name} ${shown(this.uplot.data[k + 1][window])}`]));
      this.values.textContent = `${this.trial.time[window]} s, attended: ` +
        `${attended < 0 ? 'unknown' : this.data.speakers[attended]}. ${beliefs.join(', ')}`;
    }
  }

  for (const script of document.querySelectorAll('script.trace')) {
    new Trace(script.closest('figure'), JSON.parse(script.textContent));
  }
})();
