import { scoreboards } from './api.js';
import { element, replace, toast } from './dom.js';

const SIDES = ['home', 'away'];

/** Drives the bundled scoreboard: names, score, clock, period, and goals with their banner. */
export class ScoreDesk {
  #id;
  #state = null;
  #clockTimer = 0;
  #clock = element('output', { class: 'desk-clock', 'aria-label': 'Match clock' }, '00:00');
  #toggle = element('button', { type: 'button', onclick: () => this.#startOrStop() }, 'Start');
  #period = element('input', { name: 'period', maxlength: '32', placeholder: '1st half', 'aria-label': 'Period' });
  #minutes = element('input', { name: 'minutes', type: 'number', min: '0', max: '999', value: '0', 'aria-label': 'New minute of the clock' });
  #sides = Object.fromEntries(SIDES.map((side) => [side, this.#side(side)]));
  root = element('div', { class: 'desk' },
    element('div', { class: 'desk-sides' }, SIDES.map((side) => this.#sides[side].root)),
    element('div', { class: 'desk-row' },
      this.#clock, this.#toggle,
      this.#minutes,
      element('button', { class: 'quiet', type: 'button', onclick: () => this.#put({ clock: { elapsed_ms: Number(this.#minutes.value) * 60000 } }) }, 'Set minute'),
      this.#period,
      element('button', { class: 'quiet', type: 'button', onclick: () => this.#put({ visible: !this.#state.visible }) }, 'Hide or show')));

  constructor(id) {
    this.#id = id;
    this.#period.addEventListener('change', () => this.#put({ period: this.#period.value }));
  }

  async refresh() {
    this.#draw(await scoreboards.get(this.#id));
  }

  #side(side) {
    const name = element('input', { name: `${side}-name`, maxlength: '32', 'aria-label': `Name, ${side}` });
    const short = element('input', { name: `${side}-short`, maxlength: '6', 'aria-label': `Short name, ${side}` });
    const color = element('input', { name: `${side}-color`, type: 'color', 'aria-label': `Colour, ${side}` });
    const score = element('output', { class: 'desk-score', 'aria-label': `Score, ${side}` }, '0');
    const scorer = element('input', { name: `${side}-scorer`, maxlength: '64', placeholder: 'Scorer', 'aria-label': `Scorer, ${side}` });
    const set = (fields) => this.#put({ [side]: fields });
    name.addEventListener('change', () => set({ name: name.value }));
    short.addEventListener('change', () => set({ short_name: short.value }));
    color.addEventListener('change', () => set({ color: color.value }));
    const goal = element('button', { type: 'button', class: 'goal', onclick: async () => {
      await this.#run(() => scoreboards.goal(this.#id, side, scorer.value));
      scorer.value = '';
    } }, 'Goal!');
    const less = element('button', { type: 'button', class: 'quiet', 'aria-label': `One less, ${side}`, onclick: () => set({ score: Math.max(0, this.#state[side].score - 1) }) }, '−1');
    return {
      inputs: { name, short_name: short, color },
      score,
      root: element('fieldset', { class: 'desk-side' },
        element('legend', {}, side === 'home' ? 'Home' : 'Away'),
        element('div', { class: 'desk-name' }, color, name, short),
        element('div', { class: 'desk-goal' }, score, element('div', { class: 'stack tight' }, scorer, element('div', { class: 'actions' }, goal, less)))),
    };
  }

  #draw(state) {
    this.#state = state;
    for (const side of SIDES) {
      const { inputs, score } = this.#sides[side];
      score.textContent = state[side].score;
      for (const [name, input] of Object.entries(inputs)) {
        this.#fill(input, state[side][name]);
      }
    }
    this.#fill(this.#period, state.period);
    replace(this.#toggle, state.clock.running ? 'Stop' : 'Start');
    this.#tick();
  }

  /** Leaves a field that has the focus unchanged. */
  #fill(input, value) {
    if (document.activeElement !== input) {
      input.value = value;
    }
  }

  #tick() {
    clearTimeout(this.#clockTimer);
    const { running, elapsed_ms: elapsed, at_ms: since } = this.#state.clock;
    const seconds = Math.max(0, Math.floor((running ? elapsed + Date.now() - since : elapsed) / 1000));
    this.#clock.textContent = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
    if (running && this.root.isConnected) {
      this.#clockTimer = setTimeout(() => this.#tick(), 250);
    }
  }

  #startOrStop() {
    return this.#put({ clock: { running: !this.#state.clock.running } });
  }

  #put(fields) {
    return this.#run(() => scoreboards.put(this.#id, fields));
  }

  async #run(work) {
    try {
      this.#draw(await work());
    } catch (problem) {
      toast(problem.message, true);
    }
  }
}
