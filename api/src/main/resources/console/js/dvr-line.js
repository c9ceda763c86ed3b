import { element, replace } from './dom.js';
import { clock, spoken } from './time.js';

/**
 * A line of a session from its start to now: where the player is, what is between in and out, and a
 * mark for each marker. A slider: dragged, clicked, or moved by arrow keys. All times are
 * milliseconds since the session's first frame.
 */
export class DvrLine {
  #lengthMs = 0;
  #dragging = false;
  #markers = '';
  #slider = element('input', { type: 'range', min: '0', max: '0', step: '1', value: '0', 'aria-label': 'Time in the session' });
  #range = element('div', { class: 'cut', hidden: true });
  #marks = element('div', { class: 'marks' });
  #at = element('output', { class: 'number', 'aria-label': 'Shown' });
  #end = element('span', { class: 'number sub' });
  root = element('div', { class: 'dvr' },
    element('div', { class: 'dvr-line' }, this.#range, this.#marks, this.#slider),
    element('div', { class: 'dvr-times' }, this.#at, this.#end));

  /** @param sought called with the time that was chosen here */
  constructor(sought) {
    this.#slider.addEventListener('input', () => {
      this.#dragging = true;
      this.#describe(Number(this.#slider.value));
    });
    this.#slider.addEventListener('change', () => {
      this.#dragging = false;
      sought(Number(this.#slider.value));
    });
  }

  get lengthMs() {
    return this.#lengthMs;
  }

  /** What is shown, null for unknown, of how much. */
  show(ms, lengthMs) {
    const whole = Math.max(1, Math.round(lengthMs));
    if (whole !== this.#lengthMs) {
      this.#lengthMs = whole;
      this.#slider.max = String(whole);
      this.#end.textContent = clock(whole, { fraction: false });
      this.#place();
    }
    if (!this.#dragging && ms !== null) {
      this.#slider.value = String(Math.round(ms));
      this.#describe(ms);
    }
  }

  #describe(ms) {
    this.#at.textContent = clock(ms);
    this.#slider.setAttribute('aria-valuetext', spoken(Math.round(ms)));
  }

  /** Null for an end that is not set. */
  cut(inMs, outMs) {
    this.#range.hidden = inMs === null && outMs === null;
    this.#range.dataset.in = inMs ?? '';
    this.#range.dataset.out = outMs ?? '';
    this.#place();
  }

  /** `[{label, kind, time}]`, seconds. */
  set markers(list) {
    const state = JSON.stringify(list);
    if (state !== this.#markers) {
      this.#markers = state;
      replace(this.#marks, list.map(({ label, kind, time }) => {
        const mark = element('span', { class: kind === 'score' ? 'score' : null, title: `${clock(time * 1000, { fraction: false })} ${label}` });
        mark.dataset.ms = time * 1000;
        return mark;
      }));
      this.#place();
    }
  }

  #place() {
    const { in: from, out: to } = this.#range.dataset;
    this.#range.style.left = this.#share(from ? Number(from) : 0);
    this.#range.style.right = `${100 - Number.parseFloat(this.#share(to ? Number(to) : this.#lengthMs))}%`;
    for (const mark of this.#marks.children) {
      mark.style.left = this.#share(Number(mark.dataset.ms));
    }
  }

  #share(ms) {
    return `${this.#lengthMs > 0 ? Math.min(100, Math.max(0, (100 * ms) / this.#lengthMs)) : 0}%`;
  }
}
