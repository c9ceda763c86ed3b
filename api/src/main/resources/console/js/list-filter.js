import { element } from './dom.js';

/** A search is sent when typing pauses. */
const PAUSE_MS = 250;

/** Search text and status of a list. */
export class ListFilter {
  #search = null;
  #status = null;
  #name;
  #timer = 0;
  #changed = () => {};
  root = element('div', { class: 'filter', role: 'search' });

  /**
   * @param {{search?: string, statuses?: string[][], name?: string, label?: string}} parts `search` is
   *     the field's hint, `statuses` are pairs of value and text, `name` is their parameter
   */
  constructor({ search, statuses, name = 'status', label = 'Status' }) {
    this.#name = name;
    if (search) {
      this.#search = element('input', { type: 'search', name: 'search', placeholder: search, 'aria-label': search, maxlength: '200', autocomplete: 'off', spellcheck: 'false' });
      this.#search.addEventListener('input', () => this.#later());
      this.root.append(this.#search);
    }
    if (statuses) {
      this.#status = element('select', { name, 'aria-label': label },
        [['', 'All'], ...statuses].map(([value, text]) => element('option', { value }, text)));
      this.#status.addEventListener('change', () => this.#changed());
      this.root.append(this.#status);
    }
  }

  /** Calls back when another part of the list is wanted. */
  follow(changed) {
    this.#changed = changed;
  }

  /** Parameters of the list's call. */
  get values() {
    const values = { search: this.#search?.value.trim() ?? '', [this.#name]: this.#status?.value ?? '' };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  }

  get isOn() {
    return Object.keys(this.values).length > 0;
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#changed(), PAUSE_MS);
  }
}
