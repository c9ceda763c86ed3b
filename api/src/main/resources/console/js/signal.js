import { element, replace } from './dom.js';
import { readEvents } from './server-sent-events.js';

const LOWEST_DB = -60;
const HOLD_MS = 3000;
const PAUSE_MS = 3000;

/** From here on a level is high, and too high. */
const HIGH_DB = -9;
const CLIPPED_DB = -0.1;

/** A meter of one channel: a bar for the level, a line that holds the peak for a while. */
class Meter {
  #fill = element('span', { class: 'fill' });
  #hold = element('span', { class: 'hold' });
  #text = element('output', { class: 'mono' });
  #held = LOWEST_DB;
  #heldAt = 0;

  constructor(name) {
    this.bar = element('div', { class: 'bar', role: 'meter', 'aria-label': `Peak, ${name}`, 'aria-valuemin': LOWEST_DB, 'aria-valuemax': 0 }, this.#fill, this.#hold);
    this.root = element('div', { class: 'meter' }, element('span', { class: 'name' }, name), this.bar, this.#text);
  }

  show({ peak_db: peak, rms_db: rms }, now) {
    if (peak >= this.#held || now - this.#heldAt > HOLD_MS) {
      this.#held = peak;
      this.#heldAt = now;
    }
    this.#fill.style.width = `${place(rms)}%`;
    this.#hold.style.left = `${place(this.#held)}%`;
    this.root.classList.toggle('high', this.#held >= HIGH_DB);
    this.root.classList.toggle('clipped', this.#held >= CLIPPED_DB);
    this.bar.setAttribute('aria-valuenow', String(Math.min(0, Math.max(LOWEST_DB, peak))));
    this.#text.textContent = level(this.#held);
  }
}

function place(db) {
  return Math.min(100, Math.max(0, 100 * (1 - db / LOWEST_DB)));
}

function level(db) {
  return db <= -120 ? '−∞ dB' : `${db.toFixed(1)} dB`;
}

/** Levels, loudness and faults of a watched stream, as they come. */
export class SignalCard {
  root = element('section', { class: 'card', 'aria-label': 'Signal', hidden: true });
  #path;
  #stopped = null;
  #meters = [];
  #list = element('div', { class: 'meters' });
  #facts = element('dl', { class: 'facts' });

  constructor(id) {
    this.#path = `/live/v1/live-streams/${encodeURIComponent(id)}/signal`;
    replace(this.root, element('h2', {}, 'Signal'), this.#list, this.#facts);
    this.#draw({ audio: [], loudness_lufs: null, silent_s: 0, black_s: 0, frozen_s: 0 });
  }

  /** Follows the samples while the stream is watched and active. */
  follow(stream) {
    const wanted = stream.signal_watch && stream.status === 'active';
    this.root.hidden = !wanted;
    if (wanted && !this.#stopped) {
      this.#stopped = new AbortController();
      this.#run(this.#stopped.signal);
    } else if (!wanted) {
      this.stop();
    }
  }

  stop() {
    this.#stopped?.abort();
    this.#stopped = null;
  }

  async #run(stopped) {
    while (!stopped.aborted) {
      await readEvents(this.#path, stopped, () => {}, (sample) => this.#draw(sample)).catch(() => {});
      if (!stopped.aborted) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  #draw(sample) {
    if (sample.audio.length !== this.#meters.length) {
      this.#meters = sample.audio.map((_, channel) => new Meter(name(channel, sample.audio.length)));
      replace(this.#list, this.#meters.map((meter) => meter.root));
    }
    const now = performance.now();
    sample.audio.forEach((each, channel) => this.#meters[channel].show(each, now));
    replace(this.#facts, [
      ['Loudness, 3 s', sample.loudness_lufs === null ? 'no audio' : sample.loudness_lufs <= -120 ? '−∞ LUFS' : `${sample.loudness_lufs.toFixed(1)} LUFS`],
      ['Audio', fault('silent', sample.silent_s)],
      ['Video', sample.black_s > 0 ? fault('black', sample.black_s) : fault('frozen', sample.frozen_s)],
    ].flatMap(([label, value]) => [element('dt', {}, label), element('dd', {}, value)]));
  }
}

function name(channel, channels) {
  return channels === 1 ? 'Mono' : ['Left', 'Right', 'Centre'][channel] ?? `Channel ${channel + 1}`;
}

/** A fault counts as one after 8 s. */
function fault(word, seconds) {
  if (seconds < 1) {
    return element('span', { class: 'signal-good' }, `not ${word}`);
  }
  return element('span', { class: seconds >= 8 ? 'signal-bad' : 'signal-warn' }, `${word} for ${Math.floor(seconds)} s`);
}
