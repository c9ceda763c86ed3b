import { scoreboards } from './api.js';
import { copyField, element, replace, toast } from './dom.js';

const MODES = { main: 'Main audio', secondary: 'Overlay audio', mix: 'Both' };
const PUSH = { idle: 'waiting for an encoder', active: 'live', disconnected: 'encoder disconnected' };
const MAIN = { active: 'live', idle: 'waiting for an encoder', disable: 'disabled' };

/** An overlay stream: its address, the state of both streams, and their levels. */
export class MixDesk {
  #id;
  #pushed = '';
  #address = element('div');
  #mainState = element('output', { class: 'badge', 'aria-label': 'Main stream' });
  #overlayState = element('output', { class: 'badge', 'aria-label': 'Overlay stream' });
  #mode = element('select', { name: 'mode' }, Object.entries(MODES).map(([value, text]) => element('option', { value }, text)));
  #levels = { volume_main: this.#level('volume_main', 'Main'), volume_secondary: this.#level('volume_secondary', 'Overlay') };
  root = element('section', { class: 'card', 'aria-label': 'Overlay stream', hidden: true },
    element('h2', {}, 'Overlay stream'),
    element('p', {}, 'Main stream ', this.#mainState, ' · overlay stream ', this.#overlayState),
    this.#address,
    element('h2', {}, 'Audio'),
    element('label', { class: 'field' }, element('span', {}, 'Audio source'), this.#mode),
    Object.values(this.#levels).map((level) => level.root));

  constructor(id) {
    this.#id = id;
    this.#mode.addEventListener('change', () => this.#put({ mode: this.#mode.value }));
  }

  /** Shows the overlay stream, where the scoreboard is one. */
  async refresh(stream) {
    const stored = stream.generate_watermark;
    this.root.hidden = stored?.type !== 'stream';
    if (this.root.hidden) {
      return;
    }
    const { push_status: push } = await scoreboards.settings(this.#id);
    this.#state(this.#mainState, MAIN[stream.status] ?? stream.status, stream.status);
    this.#state(this.#overlayState, PUSH[push] ?? push, push === 'disconnected' ? 'errored' : push);
    this.#draw(stored);
  }

  #state(output, text, look) {
    output.textContent = text;
    output.className = `badge ${look}`;
  }

  #draw(stored) {
    const pushed = JSON.stringify([stored.stream_url, stored.stream_key]);
    if (this.#pushed !== pushed) {
      this.#pushed = pushed;
      replace(this.#address,
        copyField('Server', stored.stream_url),
        stored.stream_key
          ? copyField('Stream key', stored.stream_key, { secret: true })
          : element('p', { class: 'hint' }, 'The stream key is shown to tokens with the scope live:write.'),
        element('p', { class: 'hint' }, 'Start it ten seconds after the main stream or later.'));
    }
    const mix = stored.audio_mix_settings;
    this.#fill(this.#mode, mix.mode);
    for (const [name, level] of Object.entries(this.#levels)) {
      this.#fill(level.input, mix[name]);
      level.show();
    }
    this.#levels.volume_main.input.disabled = mix.mode === 'secondary';
    this.#levels.volume_secondary.input.disabled = mix.mode === 'main';
  }

  /** Leaves a slider that is being moved unchanged. */
  #fill(input, value) {
    if (document.activeElement !== input) {
      input.value = value;
    }
  }

  #level(name, label) {
    const input = element('input', { type: 'range', name, min: '0', max: '1', step: '0.01', 'aria-label': `Level, ${label.toLowerCase()}` });
    const shown = element('output', { class: 'level' });
    const show = () => {
      const decibels = 20 * Math.log10(Number(input.value));
      shown.textContent = Number(input.value) > 0 ? `${decibels.toFixed(1)} dB` : 'off';
    };
    input.addEventListener('input', show);
    input.addEventListener('change', () => this.#put({ [name]: Number(input.value) }));
    return { input, show, root: element('label', { class: 'field' }, element('span', {}, label), element('span', { class: 'slider' }, input, shown)) };
  }

  async #put(mix) {
    try {
      const { generate_watermark: stored } = await scoreboards.putPage(this.#id, { audio_mix_settings: mix });
      this.#draw(stored);
    } catch (problem) {
      toast(problem.message, true);
    }
  }
}
