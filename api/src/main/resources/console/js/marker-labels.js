import { element, toast } from './dom.js';

const STORE = 'touchline.marker-labels';

const USUAL = ['Goal', 'Chance', 'Save', 'Foul', 'Yellow card', 'Red card', 'Substitution', 'Corner', 'Interview'];

const MAX_LENGTH = 60;

/** The labels of the keys 1 to 9, kept by this browser. */
export class MarkerLabels {
  #labels = USUAL.slice();
  #inputs = [];
  root;

  /** @param changed called when a label has changed */
  constructor(changed) {
    this.#labels = this.#read();
    this.#inputs = this.#labels.map((label, index) => element('input', { name: `label_${index + 1}`, value: label, maxlength: MAX_LENGTH, autocomplete: 'off', required: true }));
    const form = element('form', { class: 'marker-labels' },
      this.#inputs.map((input, index) => element('label', {}, element('kbd', {}, String(index + 1)), element('span', { class: 'unseen' }, `Label of key ${index + 1}`), input)),
      element('div', { class: 'actions' }, element('button', { class: 'quiet small', type: 'submit' }, 'Save labels')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#labels = this.#inputs.map((input, index) => input.value.trim() || USUAL[index]);
      localStorage.setItem(STORE, JSON.stringify(this.#labels));
      toast('Labels saved in this browser');
      changed();
    });
    this.root = element('details', {}, element('summary', {}, 'Labels of the keys 1 to 9'), form);
  }

  /** What was kept may be of another version, or edited by hand. */
  #read() {
    try {
      const kept = JSON.parse(localStorage.getItem(STORE));
      return USUAL.map((usual, index) => (typeof kept?.[index] === 'string' && kept[index].trim() !== '' ? kept[index].slice(0, MAX_LENGTH) : usual));
    } catch {
      return USUAL.slice();
    }
  }

  /** @param key `1` to `9` */
  of(key) {
    return this.#labels[Number(key) - 1];
  }

  get all() {
    return this.#labels.slice();
  }
}
