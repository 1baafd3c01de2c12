// SPDX-License-Identifier: MIT
// The talkers through the browser, with the gains that heed sends: nothing until it is asked for, and never louder than
// the mix. Pieces come as docs/formats.md says (sound of the live page) and are played one after the other, a moment
// after they came; those that come too late are left out.
const Sound = (() => {
  'use strict';
  const header = 24; // bytes
  const ahead = 0.35; // s that are kept ready: a slow link hiccups less, and lips are not to be seen
  const least = 0.2; // s of a talker that are played at once

  class Talker {
    constructor(context, pan, output) {
      this.gain = new GainNode(context, { gain: 0 });
      const place = new StereoPannerNode(context, { pan });
      this.gain.connect(place).connect(output);
      this.pieces = [];
      this.samples = 0;
    }
  }

  class Sound {
    constructor(tell) {
      this.tell = tell; // words for the visitor
      this.volume = 0.8;
      this.gains = [];
      this.late = 0; // times that the sound had to begin anew
    }

    // To be called by a click: browsers allow no sound otherwise. rate: of the sound, in which it is played, so that
    // pieces join without a click. Ends with true where the sound failed.
    async play(speakers, rate) {
      this.stop();
      this.begin(speakers, rate);
      this.aborting = new AbortController();
      try {
        const answer = await fetch('sound', { signal: this.aborting.signal });
        if (!answer.ok) throw new Error(await answer.text());
        this.tell('Waiting for sound…');
        await this.follow(answer.body.getReader());
        throw new Error('the connection was lost');
      } catch (fault) {
        if (fault.name === 'AbortError') return false;
        this.stop();
        this.tell(`No sound: ${fault.message}`);
        return true;
      }
    }

    stop() {
      this.aborting?.abort();
      this.context?.close();
      this.context = undefined;
      this.origin = undefined;
    }

    begin(speakers, rate) {
      this.context = new AudioContext({ sampleRate: rate });
      this.output = new GainNode(this.context, { gain: this.volume });
      this.output.connect(this.context.destination);
      const last = Math.max(1, speakers - 1);
      this.talkers = Array.from({ length: speakers }, (_, k) =>
        new Talker(this.context, 0.7 * (2 * k / last - 1), this.output));
      this.steer(this.gains, 0.05);
    }

    setVolume(volume) {
      this.volume = Math.min(1, Math.max(0, volume));
      this.output?.gain.setTargetAtTime(this.volume, this.context.currentTime, 0.05);
    }

    // Amplitude factors of gains in dB; none above 1, so that no talker is louder than in the mix.
    steer(decibels, seconds) {
      this.gains = decibels;
      if (!this.context) return;
      const now = this.context.currentTime;
      decibels.forEach((decibel, k) => {
        const gain = this.talkers[k]?.gain.gain;
        if (!gain) return;
        gain.cancelScheduledValues(now);
        gain.setValueAtTime(gain.value, now);
        gain.linearRampToValueAtTime(Sound.factor(decibel), now + seconds);
      });
    }

    async follow(reader) {
      let bytes = new Uint8Array(0);
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const joined = new Uint8Array(bytes.length + value.length);
        joined.set(bytes);
        joined.set(value, bytes.length);
        bytes = joined.slice(this.take(joined));
      }
    }

    // All whole pieces; how many bytes they have.
    take(bytes) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      let at = 0;
      while (bytes.length - at >= header) {
        const samples = view.getUint32(at + 4, true);
        const size = header + 2 * samples;
        if (bytes.length - at < size) break;
        const piece = {
          speaker: view.getUint16(at, true), stamp: view.getFloat64(at + 8, true), rate: view.getFloat32(at + 16, true),
          samples: new Float32Array(samples),
        };
        for (let n = 0; n < samples; ++n) piece.samples[n] = view.getInt16(at + header + 2 * n, true) / 32768;
        this.collect(piece);
        at += size;
      }
      return at;
    }

    collect(piece) {
      const talker = this.talkers[piece.speaker];
      if (!talker || piece.samples.length === 0) return;
      const first = talker.pieces[0];
      const expected = first ? first.stamp + talker.samples / first.rate : piece.stamp;
      if (Math.abs(expected - piece.stamp) > 0.5 / piece.rate) this.flush(talker); // a gap
      talker.pieces.push(piece);
      talker.samples += piece.samples.length;
      if (talker.samples >= least * piece.rate) this.flush(talker);
    }

    // Plays what was collected of a talker, at its time.
    flush(talker) {
      const first = talker.pieces[0];
      if (!first) return;
      const buffer = new AudioBuffer({ length: talker.samples, numberOfChannels: 1, sampleRate: first.rate });
      let at = 0;
      for (const piece of talker.pieces) {
        buffer.copyToChannel(piece.samples, 0, at);
        at += piece.samples.length;
      }
      talker.pieces = [];
      talker.samples = 0;
      const now = this.context.currentTime;
      const off = this.origin === undefined ? 0 : first.stamp + this.origin - now; // s until it is due
      if (this.origin === undefined || off < 0 || off > 5) {
        this.late += this.origin === undefined ? 0 : 1;
        this.origin = now + ahead - first.stamp;
        this.tell('You hear the talkers as heed steers them.');
      }
      const node = new AudioBufferSourceNode(this.context, { buffer });
      node.connect(talker.gain);
      node.start(Math.round((first.stamp + this.origin) * first.rate) / first.rate);
    }
  }
  Sound.factor = decibel => Math.min(1, Math.pow(10, decibel / 20));
  return Sound;
})();
