import { images, scoreboards } from './api.js';
import { element, replace, toast } from './dom.js';
import { ScorePanels } from '../score/score-panels.js';

const KEPT_UNDOS = 20;

/** Runs the bundled scoreboard: the panels of its sport, images, and undo. */
export class ScoreDesk {
  #id;
  #reply = null;
  #done = [];
  #offsetMs = 0;
  #panels = new ScorePanels(this);
  #controls = element('div', { class: 'score-panels desk' });
  #undo = element('button', { type: 'button', class: 'quiet', disabled: true, onclick: () => this.undo() }, 'Nothing to undo');
  #images = new ImageChoice((fields) => this.set(fields, 'Image'));
  root = element('div', { class: 'stack' }, this.#controls, element('div', { class: 'actions' }, this.#undo), this.#images.root);

  /** As the panels ask for it: the console shows only what the server has. */
  state = 'connected';

  constructor(id) {
    this.#id = id;
  }

  now() {
    return Date.now() + this.#offsetMs;
  }

  close() {
    this.#panels.close();
  }

  async refresh() {
    this.#take(await scoreboards.get(this.#id));
  }

  #take(reply) {
    if (this.#reply && reply.scoreboard.revision < this.#reply.scoreboard.revision) {
      return;
    }
    this.#reply = reply;
    this.#offsetMs = reply.now_ms - Date.now();
    this.#panels.draw(this.#controls, reply.scoreboard, reply.rules);
    this.#images.show(reply.scoreboard);
  }

  act(action, label) {
    return this.#run(() => scoreboards.act(this.#id, action), label);
  }

  set(fields, label) {
    return this.#run(() => scoreboards.put(this.#id, fields), label);
  }

  undo() {
    const last = this.#done.pop();
    return this.#run(() => scoreboards.act(this.#id, { action: 'undo', change_id: last.id }), null);
  }

  async #run(work, label) {
    try {
      const reply = await work();
      if (label && reply.change_id) {
        this.#done = [...this.#done, { id: reply.change_id, label }].slice(-KEPT_UNDOS);
      }
      this.#take(reply);
    } catch (problem) {
      toast([problem.message, ...(problem.fields ?? []).map((each) => `${each.field}: ${each.reason}`)].join(' – '), true);
    }
    const last = this.#done.at(-1);
    this.#undo.disabled = !last;
    this.#undo.textContent = last ? `Undo: ${last.label}` : 'Nothing to undo';
  }
}

const PLACES = [
  ['home', 'Logo, home', (board) => board.home.logo_image_id, (value) => ({ home: { logo_image_id: value } })],
  ['away', 'Logo, away', (board) => board.away.logo_image_id, (value) => ({ away: { logo_image_id: value } })],
  ['sponsor', 'Sponsor', (board) => board.sponsor_image_id, (value) => ({ sponsor_image_id: value })],
];

/** Logos and sponsor: images that were uploaded, or new ones. */
class ImageChoice {
  #places = new Map();
  #board = null;
  root = element('details', {}, element('summary', {}, 'Logos and sponsor'));

  constructor(set) {
    this.root.addEventListener('toggle', () => this.root.open && this.#offer());
    for (const [name, label, , write] of PLACES) {
      const select = element('select', { name: `image-${name}` }, element('option', { value: '' }, 'None'));
      const file = element('input', { type: 'file', accept: 'image/png,image/jpeg', 'aria-label': `${label}: upload` });
      select.addEventListener('change', () => set(write(select.value || null)));
      file.addEventListener('change', async () => {
        try {
          const { image_id: id } = await images.upload(file.files[0]);
          await this.#offer();
          await set(write(id));
        } catch (problem) {
          toast(problem.message, true);
        }
        file.value = '';
      });
      this.#places.set(name, select);
      this.root.append(element('div', { class: 'pair' }, element('label', { class: 'field' }, element('span', {}, label), select), file));
    }
  }

  show(board) {
    this.#board = board;
    for (const [name, , read] of PLACES) {
      const select = this.#places.get(name);
      const id = read(board) ?? '';
      if (id && ![...select.options].some((option) => option.value === id)) {
        select.append(element('option', { value: id }, id));
      }
      if (document.activeElement !== select) {
        select.value = id;
      }
    }
  }

  async #offer() {
    const all = await images.list();
    for (const select of this.#places.values()) {
      replace(select, element('option', { value: '' }, 'None'),
        ...all.map((image) => element('option', { value: image.image_id }, `${image.width} × ${image.height}, ${image.image_id}`)));
    }
    if (this.#board) {
      this.show(this.#board);
    }
  }
}
