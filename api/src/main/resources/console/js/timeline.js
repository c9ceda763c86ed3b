import { element } from './dom.js';
import { clock, spoken } from './time.js';

/** Steps of the arrow keys: about a frame, with Shift a second; PageUp and PageDown. */
const FINE_MS = 40;
const COARSE_MS = 1000;
const PAGE_MS = 10_000;

/** Frames along the line, and how much longer it must get to want other ones. */
const STRIP = 8;
const STRIP_GROWTH = 1.125;

/**
 * A line of time with two handles, in and out, and a mark where the player is. Handles are sliders:
 * dragged, or moved by keys. A click beside them moves the player. All times are milliseconds.
 */
export class Timeline {
  #durationMs = 0;
  #stripMs = 0;
  #times = { in: 0, out: 0 };
  #changed;
  #strip = element('div', { class: 'strip', 'aria-hidden': 'true' });
  #range = element('div', { class: 'range' });
  #playhead = element('div', { class: 'playhead', 'aria-hidden': 'true' });
  #handles = { in: this.#handle('in', 'Start of the clip'), out: this.#handle('out', 'End of the clip') };
  #line = element('div', { class: 'line' }, this.#strip, this.#range, this.#playhead, this.#handles.in, this.#handles.out);
  root = element('div', { class: 'timeline' }, this.#line);

  /**
   * @param {{changed: (which: 'in'|'out', ms: number) => void, sought: (ms: number) => void}} listener
   *     `changed` when a handle was moved here, `sought` when the line was clicked
   */
  constructor({ changed, sought }) {
    this.#changed = changed;
    this.#strip.addEventListener('pointerdown', (event) => sought(this.#timeOf(event)));
    this.#range.addEventListener('pointerdown', (event) => sought(this.#timeOf(event)));
  }

  /** What the line stands for; `frame` returns the address of the one at a time. True where it shows other frames. */
  show(durationMs, frame) {
    this.#durationMs = durationMs;
    const isAnew = durationMs < this.#stripMs || durationMs > this.#stripMs * STRIP_GROWTH;
    if (isAnew) {
      this.#stripMs = durationMs;
      this.#drawStrip(frame);
    }
    this.#draw();
    return isAnew;
  }

  #drawStrip(frame) {
    this.#strip.replaceChildren(...Array.from({ length: STRIP }, (_, i) => {
      const image = element('img', { src: frame(Math.floor((this.#durationMs * (i + 0.5)) / STRIP)), alt: '', decoding: 'async', draggable: 'false' });
      image.addEventListener('error', () => image.classList.add('gone'));
      return image;
    }));
  }

  get durationMs() {
    return this.#durationMs;
  }

  /** Moves the handles without calling the listener. */
  set(inMs, outMs) {
    this.#times = { in: inMs, out: outMs };
    this.#draw();
  }

  playheadAt(ms) {
    this.#playhead.style.left = this.#left(ms);
  }

  #draw() {
    for (const which of ['in', 'out']) {
      const handle = this.#handles[which];
      const ms = this.#times[which];
      handle.style.left = this.#left(ms);
      handle.setAttribute('aria-valuemax', String(this.#durationMs));
      handle.setAttribute('aria-valuenow', String(ms));
      handle.setAttribute('aria-valuetext', spoken(ms));
      handle.title = clock(ms);
    }
    this.#range.style.left = this.#left(this.#times.in);
    this.#range.style.right = `${100 - Number.parseFloat(this.#left(this.#times.out))}%`;
  }

  #left(ms) {
    return `${this.#durationMs > 0 ? Math.min(100, Math.max(0, (100 * ms) / this.#durationMs)) : 0}%`;
  }

  #handle(which, label) {
    const handle = element('div', { class: `handle ${which}`, role: 'slider', tabindex: '0', 'aria-label': label, 'aria-valuemin': '0' });
    handle.addEventListener('keydown', (event) => this.#key(which, event));
    handle.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      handle.focus();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener('pointermove', (event) => {
      if (handle.hasPointerCapture(event.pointerId)) {
        this.#move(which, this.#timeOf(event));
      }
    });
    return handle;
  }

  #key(which, event) {
    const step = event.shiftKey ? COARSE_MS : FINE_MS;
    const moves = {
      ArrowLeft: -step, ArrowDown: -step, ArrowRight: step, ArrowUp: step,
      PageDown: -PAGE_MS, PageUp: PAGE_MS, Home: -Infinity, End: Infinity,
    };
    const by = moves[event.key];
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.#move(which, this.#times[which] + by);
  }

  /** A handle stops before the other one. */
  #move(which, wantedMs) {
    const [least, most] = which === 'in' ? [0, this.#times.out - 1] : [this.#times.in + 1, this.#durationMs];
    const ms = Math.max(least, Math.min(most, Math.round(wantedMs)));
    if (ms !== this.#times[which]) {
      this.#times = { ...this.#times, [which]: ms };
      this.#draw();
      this.#changed(which, ms);
    }
  }

  #timeOf(event) {
    const { left, width } = this.#line.getBoundingClientRect();
    return Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * this.#durationMs);
  }
}
