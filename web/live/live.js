// SPDX-License-Identifier: MIT
// The page of a live session: follows heed's events (server-sent, docs/formats.md), shows them, and sends back what a
// viewer changes. Whatever comes from outside is shown as text, never as HTML.
(() => {
  'use strict';
  const byId = id => document.getElementById(id);
  const kept = 200; // lines of the log
  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const show = (id, text) => {
    const box = byId(id);
    if (box.textContent !== text) box.textContent = text;
  };
  const percent = probability => `${Math.round(100 * probability)} %`;
  const sureness = probability => (probability > 0.99 ? 'over 99 %' : percent(probability)); // nobody is 100 % sure
  const decibel = gain => `${gain > 0 ? '+' : gain < 0 ? '\u2212' : ''}${Math.abs(gain).toFixed(1)} dB`;
  const milliseconds = seconds => `${(1000 * seconds).toPrecision(2) * 1} ms`;

  const scene = new Scene(byId('scene'));
  const traces = new Traces(byId('posterior'), byId('scores'));
  const sound = new Sound(words => show('listening', words));
  let session = null;
  let seen = -1; // number of the last event
  let said = ''; // to those who listen to the page
  let over = false; // heed said that the session has ended, and no other follows

  // The token has done its work: the cookie is there, and nobody needs to read it over a shoulder.
  if (location.search) history.replaceState(null, '', location.pathname);

  // ---- the session ----
  // What is shown has passed, and nobody would answer: controls can be neither clicked nor reached by the keyboard.
  const setStale = stale => {
    document.body.classList.toggle('stale', stale);
    if (stale) traces.wait(false);
    for (const controls of document.querySelectorAll('#demo .buttons, #gains .buttons, #steering .sliders, #steering .buttons')) controls.inert = stale;
  };

  const begin = fresh => {
    const same = session && session.instance === fresh.instance && session.number === fresh.number;
    if (!same) seen = session && session.instance === fresh.instance ? seen : -1;
    session = fresh;
    setStale(!fresh.running);
    if (!fresh.running) return rest(fresh.another);
    over = false;
    connection('Connected', 'good');
    if (same) return follow(fresh.parameters);
    show('source', `${fresh.source} \u00b7 windows of ${fresh.window} s`);
    document.title = 'heed live';
    traces.begin(fresh);
    byId('log').replaceChildren();
    byId('ribbon-words').hidden = byId('truth-words').hidden = !fresh.labelled;
    byId('truth').hidden = !fresh.labelled;
    byId('learnt').hidden = byId('heads').hidden = true;
    judged.first = [];
    judged.last = [];
    showJudged();
    show('truth', '');
    showWho('Waiting');
    show('sure', 'for the first window');
    byId('now').style.setProperty('--who', 'var(--faint)');
    showCertainty(0, 'Waiting for the first window');
    scene.begin(fresh.speakers, Traces.speakerColour);
    makeTalkers();
    makeDemo();
    makeSound();
    follow(fresh.parameters);
    if (fresh.learnt) showPatterns(fresh.learnt);
  };

  // Between two sessions, or behind the last. another: heed is making the next one ready.
  const rest = another => {
    setStale(true);
    over = !another;
    search.end();
    connection(another ? 'heed is getting ready, or waits for its source…' : 'The session has ended.', another ? '' : 'lost');
  };

  const makeTalkers = () => {
    byId('meters').replaceChildren(...session.speakers.map((name, k) => {
      const bar = element('div', { className: 'gain' }, element('div'));
      bar.setAttribute('role', 'meter');
      bar.setAttribute('aria-label', `Gain of ${name} in dB`);
      const row = element('li', {}, element('span', { className: 'name', textContent: name, title: name }),
        element('span', { className: 'number' }), bar);
      row.style.setProperty('--who', Traces.speakerColour(k));
      return row;
    }));
    byId('legend').replaceChildren(...session.speakers.map((name, k) => {
      const mark = element('span', { textContent: name, title: name });
      mark.style.setProperty('--who', Traces.speakerColour(k));
      return mark;
    }));
  };

  const makeSound = () => {
    const button = byId('listen');
    const real = session.speed === 1;
    button.disabled = !session.sound || !real;
    listen(button.getAttribute('aria-pressed') === 'true' && !button.disabled); // a new session has new talkers
    if (!session.sound) show('listening', 'This source brings no sound that could be played.');
    else if (!real) show('listening', 'Sound can be heard at the speed of real time only.');
  };

  // ---- windows ----
  const showWho = name => {
    show('who', name);
    byId('who').style.setProperty('--letters', Math.max(4, name.length));
  };
  const showCertainty = (probability, words) => {
    const bar = document.querySelector('.certainty');
    bar.firstElementChild.style.width = `${100 * probability}%`;
    bar.setAttribute('aria-valuenow', Math.round(100 * probability));
    bar.setAttribute('aria-valuetext', words);
  };

  const showNow = report => {
    const best = report.posterior.indexOf(Math.max(...report.posterior));
    const probability = report.posterior[best];
    const known = report.state === 'tracking';
    const named = known && probability >= session.sure;
    byId('now').style.setProperty('--who', named ? Traces.speakerColour(best) : 'var(--faint)');
    const eeg = session.rate > 0; // or scores of another decoder
    const names = { calibrating: 'Learning', learning: 'Learning', unknown: eeg ? 'No EEG' : 'No scores' };
    showWho(names[report.state] ?? (named ? session.speakers[best] : 'Undecided'));
    const ahead = probability - Math.min(...report.posterior) >= 0.01;
    const leaning = ahead ? `leaning to ${session.speakers[best]}, ${percent(probability)}` : 'nobody is more probable';
    let words = named ? `${sureness(probability)} sure` : leaning;
    if (report.state === 'unknown') words = 'Gains go back to equal.';
    if (report.state === 'calibrating' || report.state === 'learning') words = 'heed is getting to know this listener.';
    show('sure', words);
    showCertainty(known ? probability : 0, `${byId('who').textContent}, ${words}`);
    document.title = `${byId('who').textContent} \u00b7 heed live`;
    if (byId('who').textContent !== said) {
      said = byId('who').textContent;
      show('heard', `${said}. ${words}`);
    }
    const truth = report.attended ?? null;
    show('truth', truth === null ? '' : `True attention: ${session.speakers[truth]}`);
    [...byId('attend').children].forEach((button, k) => button.setAttribute('aria-pressed', k === truth));
    scene.show(known ? report.posterior : report.posterior.map(() => 0), report.gains_db.map(Sound.factor), truth);
  };

  const showGains = report => {
    const { lowest, highest } = session.parameters;
    [...byId('meters').children].forEach((row, k) => {
      const gain = report.gains_db[k];
      const bar = row.querySelector('.gain');
      const part = highest > lowest ? (gain - lowest) / (highest - lowest) : 1;
      bar.firstElementChild.style.width = `${100 * Math.min(1, Math.max(0, part))}%`;
      bar.setAttribute('aria-valuemin', lowest);
      bar.setAttribute('aria-valuemax', highest);
      bar.setAttribute('aria-valuenow', gain.toFixed(1));
      row.querySelector('.number').textContent = decibel(gain);
      row.dataset.gain = gain;
      row.dataset.posterior = report.posterior[k];
      row.dataset.factor = Sound.factor(gain);
    });
    byId('meters').dataset.t = report.t;
    sound.steer(report.gains_db, Math.min(1, session.hop) / (session.speed ?? 1));
  };

  // How much of a decoder that learns is the listener's own, and how much is still that of others.
  const showLearnt = report => {
    if ((report.own_share ?? null) === null) return; // a decoder that stays as it is, or a relaxation
    byId('learnt').hidden = false;
    const bar = byId('learnt').querySelector('.certainty');
    bar.firstElementChild.style.width = `${100 * report.own_share}%`;
    bar.setAttribute('aria-valuenow', Math.round(100 * report.own_share));
    show('learnt-words', report.gave_up ? 'The other listeners did not fit this one: heed gave them up and learns from this listener alone.'
      : `Nobody calibrated this decoder: ${percent(report.own_share)} of it was learnt from this listener, ` +
      `${percent(1 - report.own_share)} comes from others.`);
  };

  // Where the decoder finds attended speech in the EEG, at the start and now.
  const showPatterns = learnt => {
    const fewest = 5; // electrodes that show a pattern
    byId('learnt').hidden = false;
    byId('heads').hidden = learnt.electrodes.length < fewest;
    Heads.draw(byId('head-then'), learnt.electrodes, learnt.then);
    Heads.draw(byId('head-now'), learnt.electrodes, learnt.now);
    show('heads-words', `How the EEG follows attended speech ${Math.round(1000 * learnt.lag)} ms later: red where it rises with the voice, blue where ` +
      `it falls, each map relative to its largest value. Then and now are alike by ${learnt.likeness.toFixed(2)}.`);
  };

  // How often a single window was right, at first and of late, where the truth is known.
  const judged = { first: [], last: [] };
  const minutes = count => Math.round(60 * count / session.hop); // windows
  const judge = report => {
    const truth = report.attended ?? null;
    if (truth === null || report.held || (report.own_share ?? null) === null) return;
    const right = report.scores.every((score, k) => k === truth || score < report.scores[truth]);
    if (report.number <= minutes(1)) judged.first.push(right);
    judged.last.push(right);
    if (judged.last.length > minutes(2)) judged.last.shift();
  };
  const showJudged = () => {
    const share = list => percent(list.filter(Boolean).length / list.length);
    const few = list => list.length < 10;
    let words = `Of single windows ${share(judged.first)} were right in the first minute, ${share(judged.last)} in the last two.`;
    if (few(judged.first)) words = `Of single windows ${share(judged.last)} were right in the last two minutes.`; // for those who came later
    if (judged.last.length < minutes(2)) words = `Of single windows ${share(judged.last)} were right so far.`;
    show('learnt-right', few(judged.last) ? '' : words);
  };

  let newest = null; // that waits to be shown
  const showSoon = report => {
    // Many windows may come at once, after a pause: the last one is shown.
    if (newest === null) {
      const act = () => {
        if (newest === null) return;
        showNow(newest);
        showLearnt(newest);
        showJudged();
        showGains(newest);
        newest = null;
      };
      requestAnimationFrame(act);
      setTimeout(act, 100); // a page in the background draws nothing
    }
    newest = report;
  };

  const still = matchMedia('(prefers-reduced-motion: reduce)');
  let latest = null; // report
  const take = report => {
    latest = report;
    traces.add(report);
    judge(report);
    if (still.matches && !document.hidden) requestAnimationFrame(() => traces.dirty && traces.scroll());
    showSoon(report);
  };

  const addLine = line => {
    const item = element('li', { className: line.kind },
      element('time', { textContent: Traces.clock(line.t) }), element('span', { textContent: line.text }));
    const log = byId('log');
    log.prepend(item);
    while (log.children.length > kept) log.lastElementChild.remove();
    if (line.kind === 'found' || line.kind === 'already' || (line.kind === 'good' && !search.runs())) {
      search.end();
      show('found', line.text);
    }
    if (line.kind === 'truth') {
      show('found', `${line.text} heed does not know yet…`);
      search.begin(line.t);
    }
  };

  // How long heed has been looking for the talker, while it does: from when attention moved, on the session's clock.
  const search = (() => {
    let timer = null;
    const end = () => {
      clearInterval(timer);
      timer = null;
      show('searching', '');
    };
    const begin = moved => {
      end();
      const seen = performance.now();
      const late = Math.max(0, (latest?.now ?? moved) - moved);
      const tick = () => show('searching', `${(late + (session.speed ?? 1) * (performance.now() - seen) / 1000).toFixed(1)} s`);
      tick();
      timer = setInterval(tick, 100);
    };
    return { begin, end, runs: () => timer !== null };
  })();

  // ---- health ----
  const showHealth = health => {
    const facts = [
      [session.rate > 0 ? 'EEG' : 'Scores', health.rate === null ? '…' : `${health.rate.toFixed(1)} ${session.rate > 0 ? 'Hz' : 'per s'}`,
        health.rate !== null && session.rate > 0 && Math.abs(health.rate / (session.rate * (session.speed ?? 1)) - 1) > 0.1],
      [session.rate > 0 ? 'Last EEG' : 'Last scores', health.silent < 1 ? 'just now' : `${Math.round(health.silent)} s ago`, health.silent > 2],
      ['Gaps', `${health.gaps} (${health.lost_samples} samples)`, health.gaps > 0],
      ...session.rate > 0 ? [['Drift of the sound', `${health.drift_ppm.toFixed(0)} ppm`, Math.abs(health.drift_ppm) > 500]] : [],
      ['Latency, median / 99 %', `${milliseconds(health.latency_p50)} / ${milliseconds(health.latency_p99)}`, health.latency_p99 > 0.1],
      ['Windows', `${health.windows} (${health.held} without evidence)`, false],
      ['Switches heard', String(health.switches), false],
      ['Dropped blocks', String(health.dropped), health.dropped > 0],
      ['Until a decision', `${Math.round(1000 * session.delay)} ms after its window`, false],
    ];
    byId('facts').replaceChildren(...facts.map(([name, value, bad]) => element('div', {},
      element('dt', { textContent: name }), element('dd', { textContent: value, className: bad ? 'bad' : '' }))));
  };

  // ---- what viewers change ----
  const send = async (path, wish, box) => {
    try {
      const answer = await fetch(path, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wish),
      });
      const words = answer.ok ? '' : (await answer.text()).trim();
      byId(box).className = words ? 'refused' : '';
      show(box, words);
      if (words && box === 'answer') follow(session.parameters);
    } catch {
      byId(box).className = 'refused';
      show(box, 'heed did not answer.');
    }
  };

  const logarithmic = {
    value: part => {
      const { least_switch_probability: low, most_switch_probability: high } = session.parameters;
      return low * Math.pow(high / low, part);
    },
    part: p => {
      const { least_switch_probability: low, most_switch_probability: high } = session.parameters;
      return Math.log(p / low) / Math.log(high / low);
    },
  };
  const shownP = p => String(Number(p.toPrecision(2)));

  const follow = parameters => {
    session.parameters = parameters;
    const p = byId('p');
    p.disabled = parameters.switch_probability === null;
    if (!p.disabled) p.value = logarithmic.part(parameters.switch_probability);
    show('p-value', p.disabled ? 'not one number' : shownP(parameters.switch_probability));
    p.setAttribute('aria-valuetext', byId('p-value').textContent);
    for (const id of ['enhanced', 'suppressed']) {
      const slider = byId(id);
      slider.disabled = false;
      slider.min = parameters.lowest;
      slider.max = parameters.highest;
      slider.value = parameters[id];
      show(`${id}-value`, decibel(parameters[id]));
      slider.setAttribute('aria-valuetext', byId(`${id}-value`).textContent);
    }
    const pause = byId('pause');
    pause.disabled = false;
    pause.setAttribute('aria-pressed', parameters.paused);
    pause.textContent = parameters.paused ? 'Let the steering go on' : 'Pause steering';
  };

  byId('p').addEventListener('input', event => show('p-value', shownP(logarithmic.value(event.target.value))));
  byId('p').addEventListener('change', event =>
    send('parameters', { switch_probability: Number(logarithmic.value(event.target.value).toPrecision(2)) }, 'answer'));
  for (const id of ['enhanced', 'suppressed']) {
    byId(id).addEventListener('input', event => show(`${id}-value`, decibel(Number(event.target.value))));
    byId(id).addEventListener('change', event => send('parameters', { [id]: Number(event.target.value) }, 'answer'));
  }
  byId('pause').addEventListener('click', () => send('parameters', { paused: !session.parameters.paused }, 'answer'));
  byId('span').addEventListener('change', event => traces.show(Number(event.target.value)));
  byId('volume').addEventListener('input', event => sound.setVolume(Number(event.target.value)));
  const pressListen = pressed => {
    byId('listen').setAttribute('aria-pressed', pressed);
    byId('listen').textContent = pressed ? 'Stop listening' : 'Listen';
    byId('loudness').hidden = !pressed;
  };
  const listen = starts => {
    pressListen(starts);
    sound.stop();
    show('listening', '');
    if (starts) sound.play(session.speakers.length, session.sound).then(failed => failed && pressListen(false));
  };
  byId('listen').addEventListener('click', () => listen(byId('listen').getAttribute('aria-pressed') !== 'true'));

  // ---- the demonstration ----
  const makeDemo = () => {
    const { demo } = session;
    byId('demo').hidden = !demo;
    if (!demo) return;
    search.end();
    show('found', '');
    byId('attend').replaceChildren(...session.speakers.map((name, k) => {
      const button = element('button', { type: 'button', textContent: `Attend ${name}` });
      button.style.setProperty('--who', Traces.speakerColour(k));
      button.addEventListener('click', () => {
        search.end();
        show('found', button.getAttribute('aria-pressed') === 'true' ? `The listener attends to ${name} already.`
          : `The listener turns to ${name}…`);
        send('demo', { attend: k }, 'demo-answer');
      });
      return button;
    }));
    for (const button of document.querySelectorAll('#demo [data-wish]')) {
      const wish = JSON.parse(button.dataset.wish);
      const current = wish.listener === demo.listener || wish.talkers === demo.talkers;
      button.disabled = wish.listener ? demo.listener_fixed : wish.talkers ? demo.talkers_fixed : false;
      button.setAttribute('aria-current', current);
    }
    byId('demo-answer').className = 'hint';
    show('demo-answer', demo.listener_fixed ? 'Listener and talkers stay as they are: this demonstration is being kept, or has an end.'
      : demo.talkers_fixed ? 'The talkers are the sound files that heed was started with.' : '');
  };
  for (const button of document.querySelectorAll('#demo [data-wish]')) {
    button.addEventListener('click', () => {
      const wish = JSON.parse(button.dataset.wish);
      if (button.getAttribute('aria-current') === 'true') return;
      send('demo', wish, 'demo-answer');
      search.end();
      show('found', wish.lose_eeg ? 'The EEG is pulled out for 10 s…' : 'heed gets to know this listener; one moment…');
    });
  }

  // ---- the connection ----
  const connection = (words, kind) => {
    byId('connection').className = kind;
    show('connection', words);
  };
  const number = event => {
    const [instance, count] = event.lastEventId.split('-');
    return session && instance === session.instance ? Number(count) : -1;
  };
  const connect = () => {
    const events = new EventSource('events');
    const on = (kind, act) => events.addEventListener(kind, event => act(JSON.parse(event.data), event));
    // What is kept by heed has a number; what came before is not taken again.
    const once = (kind, act) => on(kind, (data, event) => {
      const count = number(event);
      if (count <= seen) return;
      seen = count;
      act(data);
    });
    on('session', begin);
    on('parameters', follow);
    on('health', showHealth);
    on('learnt', showPatterns);
    once('window', take);
    once('relaxed', report => {
      traces.wait();
      showSoon(report);
    });
    once('log', addLine);
    once('ended', data => rest(data.another));
    events.addEventListener('error', () => {
      setStale(true);
      search.end();
      if (events.readyState !== EventSource.CLOSED) {
        connection(over ? 'The session has ended. The page waits for the next one at this address…'
          : 'Connection to heed lost; trying again…', 'lost');
        return;
      }
      connection('heed does not let this page in; open the address that it printed.', 'lost');
      setTimeout(connect, 3000);
    });
  };
  connect();
})();
