// SPDX-License-Identifier: MIT
// The moving pictures of a live session: the posterior as areas that add up to one, with a ribbon of the true attention
// where it is known, and the scores below. uPlot draws. Windows are kept for ten minutes, however long the page is open.
const Traces = (() => {
  'use strict';
  const longest = 600; // seconds that are kept
  const ribbon = 14; // pixels of a screen on a desk
  // On a wall everything is larger.
  const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue(name).trim();
  let count = 0; // of colours in the palette
  while (colour(`--speaker-${count + 1}`)) ++count;
  const speakerColour = speaker => colour(`--speaker-${speaker % count + 1}`);

  const clock = seconds => {
    const whole = Math.round(seconds);
    return `${Math.floor(whole / 60)}:${String(Math.abs(whole % 60)).padStart(2, '0')}`;
  };

  class Traces {
    constructor(posterior, scores) {
      this.boxes = { posterior, scores };
      this.span = 180;
      this.plots = {};
      this.begin({ speakers: [], hop: 1 });
      const still = matchMedia('(prefers-reduced-motion: reduce)');
      let drawn = 0;
      const move = time => {
        // Thirty times a second is smooth, and leaves telephones their battery.
        if (!document.hidden && !still.matches && time - drawn > 30) {
          drawn = time;
          this.scroll();
        }
        requestAnimationFrame(move);
      };
      requestAnimationFrame(move);
      new ResizeObserver(() => this.fit()).observe(posterior);
      document.addEventListener('heed-theme', () => this.make());
    }

    begin(session) {
      this.speakers = session.speakers;
      this.window = session.hop; // what one decision stands for
      this.speed = session.speed ?? 1;
      this.windows = []; // {t, posterior, scores, held, attended}
      this.arrived = null; // when the newest came
      this.waits = false;
      for (const box of Object.values(this.boxes)) box.dataset.empty = 'Waiting for the first window';
      this.make();
    }

    add(window) {
      const last = this.windows[this.windows.length - 1];
      if (last && window.t <= last.t) this.windows = []; // of another trial, whose time begins anew
      this.windows.push(window);
      for (const box of Object.values(this.boxes)) delete box.dataset.empty;
      const oldest = window.t - longest;
      let gone = 0;
      while (this.windows[gone].t < oldest) ++gone;
      if (gone > 0) this.windows.splice(0, gone);
      this.arrived = performance.now();
      this.waits = false;
      this.dirty = true;
    }

    // No window comes, but time goes on, and so does the picture; until there is one again, or nobody waits any more.
    wait(waits = true) {
      this.waits = waits;
    }

    // Cumulative posteriors, the last one on top; a hole in time is a hole in the picture.
    columns() {
      const times = [];
      const sums = this.speakers.map(() => []);
      const scores = this.speakers.map(() => []);
      const put = (t, one) => {
        let sum = 0;
        times.push(t);
        sums.forEach((column, k) => column.push(one ? sum += one.posterior[k] : null));
        scores.forEach((column, k) => column.push(one?.scores[k] ?? null));
      };
      let before = null;
      for (const one of this.windows) {
        const hole = before !== null && one.t - before > 1.5 * this.window;
        if (hole) put(before + 1e-6, null);
        if (before === null || hole) put(one.t - this.window, one); // a window is drawn from its beginning
        put(one.t, one);
        before = one.t;
      }
      return { posterior: [times, ...sums], scores: [times, ...scores] };
    }

    options(name, height, series, bands, extra) {
      const ink = colour('--faint');
      const grid = { stroke: colour('--line'), width: 1 };
      const larger = unit();
      const axis = { stroke: ink, grid, ticks: grid, font: `${12 * larger}px system-ui, sans-serif` };
      return {
        width: Math.max(120, this.boxes[name].clientWidth), height,
        padding: [name === 'posterior' ? ribbon * larger + 4 : 6, 18 * larger, 0, 0],
        legend: { show: false }, cursor: { show: false }, select: { show: false },
        scales: { x: { time: false, range: () => this.range() }, y: extra.scale },
        axes: [
          {
            ...axis, size: 30 * larger, incrs: [1, 2, 5, 10, 20, 30, 60, 120, 300], space: 50 * larger,
            values: (_, ticks) => ticks.map(tick => (tick < 0 ? '' : clock(tick))),
          },
          { ...axis, size: 54 * larger, values: extra.values },
        ],
        series: [{}, ...series], bands, hooks: extra.hooks ?? {},
      };
    }

    make() {
      for (const plot of Object.values(this.plots)) plot.destroy();
      this.plots = {};
      this.larger = unit();
      if (typeof uPlot === 'undefined') {
        this.boxes.posterior.textContent = 'This heed was built without uPlot, so there are no pictures.';
        return;
      }
      if (this.speakers.length === 0) return;
      const stepped = uPlot.paths.stepped({ align: -1 });
      const points = { show: false };
      const { posterior, scores } = this.columns();
      const areas = this.speakers.map((_, k) => ({
        paths: stepped, points, width: 0, fill: k === 0 ? speakerColour(0) : undefined,
      }));
      const bands = this.speakers.slice(1).map((_, k) => ({ series: [k + 2, k + 1], fill: speakerColour(k + 1) }));
      this.plots.posterior = new uPlot(this.options('posterior', this.height('posterior'), areas, bands, {
        scale: { range: [0, 1] },
        values: (_, ticks) => ticks.map(tick => `${Math.round(100 * tick)} %`),
        hooks: { draw: [plot => this.drawOver(plot)] },
      }), posterior, this.boxes.posterior);
      const lines = this.speakers.map((_, k) => ({ paths: stepped, points, width: 1.5, stroke: speakerColour(k) }));
      this.plots.scores = new uPlot(this.options('scores', this.height('scores'), lines, [], {
        scale: { range: (_, low, high) => Traces.roomFor(low ?? 0, high ?? 0) },
        values: (_, ticks) => ticks.map(tick => String(Math.round(1000 * tick) / 1000).replace('-', '\u2212')),
      }), scores, this.boxes.scores);
    }

    // Stretches of windows that have the same, as [begin, end, what they have]; those that have nothing are left out.
    stretches(of) {
      const found = [];
      for (const one of this.windows) {
        const value = of(one);
        const last = found[found.length - 1];
        const begin = one.t - this.window;
        if (last && last[2] === value && begin - last[1] < 0.5 * this.window) last[1] = one.t;
        else found.push([begin, one.t, value]);
      }
      return found.filter(([, , value]) => value !== null);
    }

    // The true attention on top; windows without evidence are veiled.
    drawOver(plot) {
      const { ctx, bbox } = plot;
      const scale = devicePixelRatio;
      const from = bbox.left;
      const until = bbox.left + bbox.width;
      const place = t => Math.min(until, Math.max(from, plot.valToPos(t, 'x', true)));
      ctx.save();
      ctx.fillStyle = colour('--card');
      ctx.globalAlpha = 0.6;
      for (const [begin, end] of this.stretches(one => one.held || null)) {
        ctx.fillRect(place(begin), bbox.top, place(end) - place(begin), bbox.height);
      }
      ctx.globalAlpha = 1;
      for (const [begin, end, attended] of this.stretches(one => one.attended ?? null)) {
        ctx.fillStyle = speakerColour(attended);
        ctx.fillRect(place(begin), bbox.top - (ribbon * unit() + 2) * scale, place(end) - place(begin), ribbon * unit() * scale);
      }
      ctx.restore();
    }

    height(name) {
      const wide = this.boxes.posterior.clientWidth > 560 * unit();
      if (name === 'posterior') return unit() * (wide ? 340 : 230);
      return unit() * (wide ? 180 : 140);
    }

    // The right edge is now: it moves on between two windows, but no further than a window, unless they are waited for.
    range() {
      if (this.windows.length === 0) return [0, this.span];
      const newest = this.windows[this.windows.length - 1].t;
      const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
      const passed = still ? 0 : this.speed * (performance.now() - this.arrived) / 1000;
      const end = newest + (this.waits ? passed : Math.min(passed, this.window));
      // A session that has just begun fills the picture from the left.
      const begin = this.windows[0].t - this.window;
      if (end - begin < 60) return [begin, begin + 60];
      return [end - Math.min(this.span, end - begin), end];
    }

    scroll() {
      const columns = this.dirty ? this.columns() : null;
      this.dirty = false;
      const [min, max] = this.range();
      for (const [name, plot] of Object.entries(this.plots)) {
        if (columns) plot.setData(columns[name]);
        else plot.setScale('x', { min, max });
      }
    }

    show(span) {
      this.span = span;
      this.draw();
    }

    draw() {
      this.dirty = true;
      this.scroll();
    }

    fit() {
      if (this.larger !== unit()) return this.make();
      for (const [name, plot] of Object.entries(this.plots)) {
        plot.setSize({ width: Math.max(120, this.boxes[name].clientWidth), height: this.height(name) });
      }
    }
  }
  Traces.speakerColour = speaker => `var(--speaker-${speaker % count + 1})`;
  Traces.clock = clock;
  // Of scores: zero and a tenth beside it are seen, and no line is cut at the rim.
  Traces.roomFor = (low, high) => {
    const [least, most] = [Math.min(low, -0.1), Math.max(high, 0.1)];
    const rim = 0.04 * (most - least);
    return [least - rim, most + rim];
  };
  return Traces;
})();
