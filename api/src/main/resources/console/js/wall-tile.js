import { element } from './dom.js';
import { playable } from './playable.js';
import { titleOf } from './stream-title.js';
import { TilePlayer } from './tile-player.js';
import { viewersText } from './viewers.js';
import { stateOf } from './wall-model.js';

const WIDTH = 320;
const LOWEST_DB = -60;
const HIGH_DB = -9;
const CLIPPED_DB = -0.1;

/** A stream on the wall: its frame or its player, its state, and the meters of its audio. */
export class WallTile {
  #entry;
  #image = element('img', { alt: '', decoding: 'async', draggable: 'false' });
  #loading = null;
  #note = element('span', { class: 'tile-note' });
  #state = element('span', { class: 'tile-state' });
  #title = element('span', { class: 'tile-title' });
  #solo = element('span', { class: 'tile-solo', hidden: true }, 'Audio');
  #frame = element('span', { class: 'tile-frame' }, this.#image, this.#note);
  #meters = element('span', { class: 'tile-meters', 'aria-hidden': 'true', hidden: true });
  #open = element('a', { class: 'tile-open', tabindex: '-1' }, 'Open');
  #bars = [];
  #player = null;
  #plays = false;
  #playerAddress = '';
  #audible = false;
  button = element('button', { class: 'tile-button', type: 'button', tabindex: '-1', 'aria-pressed': 'false' },
    this.#frame, element('span', { class: 'tile-line' }, this.#title, this.#solo, this.#state));
  root = element('li', { class: 'tile' }, this.button, this.#meters, this.#open);

  /** How many watch it; null while that is unknown. */
  viewers = null;

  /** Whether it is on the screen, as far as the browser says. */
  isVisible = false;

  /** When its frame was asked for last, in `performance.now()`. */
  askedAt = -Infinity;

  get entry() {
    return this.#entry;
  }

  get isLive() {
    return this.#entry.endedAt === null;
  }

  get hasPlayer() {
    return this.#player !== null;
  }

  show(entry) {
    this.#entry = entry;
    const { name, text: state } = stateOf(entry);
    const text = this.isLive && this.viewers !== null ? `${state} · ${viewersText(this.viewers)}` : state;
    const title = titleOf(entry.stream);
    if (this.root.dataset.state !== name) {
      this.root.dataset.state = name;
    }
    setText(this.#state, text);
    setText(this.#title, title);
    this.button.setAttribute('aria-label', `${title}: ${text}`);
    this.#open.href = `#/streams/${encodeURIComponent(entry.stream.id)}`;
    this.#open.setAttribute('aria-label', `Open ${title}`);
    if (!this.isLive || !entry.stream.signal_watch) {
      this.#meters.hidden = true;
    }
  }

  /** Asks for the newest key frame. The one before stays until it is there. */
  async refresh() {
    this.askedAt = performance.now();
    if (this.#loading) {
      return;
    }
    const source = await playable(this.#entry.stream.playback_ids);
    if (source === null) {
      setText(this.#note, 'Signed: open a signing key to see it');
      return;
    }
    const next = new Image();
    this.#loading = next;
    next.decoding = 'async';
    next.alt = '';
    next.draggable = false;
    next.src = `${source.thumbnail({ width: WIDTH })}&at=${Math.floor(Date.now() / 1000)}`;
    try {
      await next.decode();
      this.#image.replaceWith(next);
      this.#image = next;
      setText(this.#note, '');
    } catch {
      setText(this.#note, this.#image.src ? '' : 'No frame yet');
    } finally {
      this.#loading = null;
    }
  }

  /** Plays, or goes back to frames. The last call counts. */
  async play(wanted) {
    this.#plays = wanted;
    if (!wanted) {
      this.#player?.close();
      this.#player = null;
      this.#playerAddress = '';
      return;
    }
    const source = await playable(this.#entry.stream.playback_ids);
    const address = source?.hls() ?? '';
    if (!this.#plays || address === this.#playerAddress) {
      return;
    }
    this.#player?.close();
    this.#playerAddress = address;
    this.#player = address === '' ? null : new TilePlayer(address);
    if (this.#player) {
      this.#player.muted = !this.#audible;
      this.#frame.append(this.#player.video);
    }
  }

  /** Whether its audio is heard. */
  set audible(audible) {
    this.#audible = audible;
    this.button.setAttribute('aria-pressed', String(audible));
    this.root.classList.toggle('solo', audible);
    this.#solo.hidden = !audible;
    if (this.#player) {
      this.#player.muted = !audible;
    }
  }

  /** Levels of a second. */
  measure(audio) {
    this.#meters.hidden = audio.length === 0;
    if (audio.length !== this.#bars.length) {
      this.#bars = audio.map(() => element('span', { class: 'tile-level' }));
      this.#meters.replaceChildren(...this.#bars.map((bar) => element('span', { class: 'tile-bar' }, bar)));
    }
    audio.forEach(({ peak_db: peak }, channel) => {
      const bar = this.#bars[channel];
      const share = Math.min(1, Math.max(0, 1 - peak / LOWEST_DB));
      bar.style.transform = `scaleY(${share.toFixed(2)})`;
      bar.dataset.level = peak >= CLIPPED_DB ? 'clipped' : peak >= HIGH_DB ? 'high' : '';
    });
  }

  /** Goes to the page of its stream. */
  open() {
    this.#open.click();
  }

  close() {
    this.play(false);
    this.root.remove();
  }
}

/** A text that does not change costs no layout. */
function setText(at, text) {
  if (at.textContent !== text) {
    at.textContent = text;
  }
}
