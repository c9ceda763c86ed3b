import { element, replace } from './dom.js';
import { moderation, TYPES } from './moderation-api.js';

const WAIT_MS = 150;
const LEVELS = ['pass', 'review', 'reject', 'unscored'];

/** Threshold sliders, and the risk levels of the stored frames at these thresholds. */
export class Simulator {
  #session = null;
  #sliders = new Map();
  #answer = element('dl', { class: 'facts', id: 'simulation', 'aria-live': 'polite' });
  #timer = 0;
  #asked = 0;
  root;

  constructor() {
    const rows = TYPES.map((type) => {
      const shown = element('output', {}, '0.60');
      const slider = element('input', { type: 'range', min: '0', max: '1', step: '0.01', value: '0.6', id: `simulate-${type}` });
      slider.addEventListener('input', () => {
        shown.textContent = Number(slider.value).toFixed(2);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.ask(), WAIT_MS);
      });
      this.#sliders.set(type, { slider, shown });
      return element('label', { class: 'field slider' }, element('span', {}, type, ' ', shown), slider);
    });
    this.root = element('section', { class: 'card', 'aria-label': 'Threshold simulator' },
      element('h2', {}, 'Threshold simulator'),
      element('p', { class: 'hint' }, 'Stored frames of this session by risk level, with other thresholds.'),
      rows, this.#answer);
  }

  /** @param thresholds of the stream's settings: where the sliders begin */
  begin(session, thresholds) {
    this.#session = session;
    for (const [type, { slider, shown }] of this.#sliders) {
      slider.value = thresholds[type] ?? 0.6;
      shown.textContent = Number(slider.value).toFixed(2);
    }
  }

  /** Asks the server anew; an answer that comes too late is not shown. */
  async ask() {
    if (this.#session === null) {
      return;
    }
    const mine = ++this.#asked;
    const thresholds = Object.fromEntries([...this.#sliders].map(([type, { slider }]) => [type, slider.value]));
    try {
      const counted = await moderation.simulate(this.#session, thresholds);
      if (mine === this.#asked) {
        replace(this.#answer, LEVELS.flatMap((level) => [
          element('dt', {}, element('span', { class: `risk ${level}` }, level)),
          element('dd', { 'data-level': level }, String(counted[level]))]));
      }
    } catch (problem) {
      replace(this.#answer, element('dt', {}, problem.message));
    }
  }
}
