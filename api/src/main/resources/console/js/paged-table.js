import { element, replace, toast } from './dom.js';
import { named, table } from './table.js';

/**
 * A list of the API as a table, page by page. A row is drawn anew only where something of it changed,
 * and focus stays where it is.
 */
export class PagedTable {
  #page = 1;
  #shown = '';
  #rows = new Map();
  #load;
  #row;
  #drawn;
  #columns;
  #filter;
  #asked = 0;
  #body = element('tbody');
  #empty;
  #nothing = element('p', { class: 'card hint', role: 'status', hidden: true }, 'Nothing matches.');
  #pager = element('nav', { class: 'pager', 'aria-label': 'Pages', hidden: true });
  #table;

  /**
   * @param {{columns: string[], load: (page: number, filter: object) => Promise<object>,
   *     row: (item: object) => Element, empty: Element, label?: string, filter?: ListFilter,
   *     drawn?: (items: object[]) => void}} parts `load` resolves to an envelope; an empty column
   *     title is one of buttons; `empty` is shown where nothing exists
   */
  constructor({ columns, load, row, empty, label, filter = null, drawn = () => {} }) {
    this.#columns = columns;
    this.#load = load;
    this.#row = row;
    this.#empty = empty;
    this.#filter = filter;
    this.#drawn = drawn;
    this.#table = element('div', { class: 'card table-wrap', hidden: true },
      table(columns, this.#body, { 'aria-label': label }));
    filter?.follow(() => this.again({ first: true }).catch((problem) => toast(problem.message, true)));
  }

  /** The elements to show. */
  get parts() {
    return [this.#filter?.root, this.#table, this.#empty, this.#nothing, this.#pager];
  }

  async refresh() {
    const mine = ++this.#asked;
    const isFiltered = this.#filter?.isOn ?? false;
    const reply = await this.#load(this.#page, this.#filter?.values ?? {});
    if (mine !== this.#asked) {
      // A later call, perhaps with another filter, is on its way.
      return undefined;
    }
    if (reply.data.length === 0 && reply.total > 0 && this.#page > 1) {
      // The last entry of the last page has gone.
      this.#page = Math.ceil(reply.total / reply.limit);
      return this.refresh();
    }
    this.#table.hidden = reply.total === 0;
    this.#empty.hidden = reply.total !== 0 || isFiltered;
    this.#nothing.hidden = reply.total !== 0 || !isFiltered;
    if (this.#filter) {
      this.#filter.root.hidden = reply.total === 0 && !isFiltered;
    }
    const state = JSON.stringify([reply.data, reply.page, reply.total]);
    if (state !== this.#shown) {
      this.#shown = state;
      this.#drawRows(reply.data);
      this.#drawPager(reply);
      this.#drawn(reply.data);
    }
    return undefined;
  }

  /** Draws everything anew, with what it shows or with the first page. */
  async again({ first = false } = {}) {
    this.#shown = '';
    this.#rows.clear();
    this.#page = first ? 1 : this.#page;
    await this.refresh();
  }

  #drawRows(items) {
    const focusable = () => [...this.#body.querySelectorAll('a, button')];
    const focused = focusable().indexOf(document.activeElement);
    const rows = new Map(items.map((item) => {
      const state = JSON.stringify(item);
      return [state, this.#rows.get(state) ?? named(this.#columns, this.#row(item))];
    }));
    this.#rows = rows;
    replace(this.#body, [...rows.values()]);
    if (focused >= 0 && !this.#body.contains(document.activeElement)) {
      focusable()[focused]?.focus();
    }
  }

  #drawPager(reply) {
    const pages = Math.max(1, Math.ceil(reply.total / reply.limit));
    this.#pager.hidden = pages === 1;
    replace(this.#pager,
      element('button', { class: 'quiet small', type: 'button', disabled: this.#page === 1, onclick: () => this.#turn(-1) }, 'Previous'),
      element('span', {}, `${this.#page} of ${pages}`),
      element('button', { class: 'quiet small', type: 'button', disabled: !reply.has_more, onclick: () => this.#turn(1) }, 'Next'));
  }

  #turn(by) {
    this.#page += by;
    this.refresh().catch((problem) => toast(problem.message, true));
  }
}
