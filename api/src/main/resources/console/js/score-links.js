import { scoreLinks } from './api.js';
import { confirmDialog, copyField, dateTime, element, replace, toast } from './dom.js';

const HOUR = 3600;
const LASTING = [[3 * HOUR, '3 hours'], [12 * HOUR, '12 hours'], [24 * HOUR, '1 day'], [7 * 24 * HOUR, '7 days'], [30 * 24 * HOUR, '30 days']];

/** Addresses with which phones run the scoreboard of a stream. */
export class ScoreLinkCard {
  root = element('section', { class: 'card', 'aria-label': 'Score links' });
  #stream;
  #list = element('ul', { class: 'plain score-links' });
  #made = element('div', { role: 'status' });
  #error = element('p', { class: 'field-error', role: 'alert' });
  #shown = '';

  constructor(stream) {
    this.#stream = stream;
    replace(this.root, element('h2', {}, 'Score links'),
      element('p', { class: 'hint' }, 'A link opens a page for phones that runs this scoreboard, and nothing else.'),
      this.#list, this.#form(), this.#made);
  }

  async refresh() {
    const all = await scoreLinks.list(this.#stream);
    const text = JSON.stringify(all);
    if (text !== this.#shown) {
      this.#shown = text;
      replace(this.#list, ...all.map((link) => this.#row(link)));
    }
  }

  #row(link) {
    const isOver = link.expires_at * 1000 <= Date.now();
    const remove = element('button', { class: 'danger small', type: 'button', 'aria-label': `Delete ${link.name}` }, 'Delete');
    remove.addEventListener('click', async () => {
      if (await confirmDialog('Delete this link?', 'Phones that use it are refused at once.', 'Delete')) {
        await this.#run(() => scoreLinks.remove(this.#stream, link.id));
      }
    });
    return element('li', { 'data-link': link.id },
      element('strong', {}, link.name),
      element('p', { class: 'hint' }, [
        `${isOver ? 'Expired' : 'Expires'} ${dateTime(link.expires_at)}`,
        link.last_used_at ? `last used ${dateTime(link.last_used_at)}` : 'not used yet',
      ].join(', ')),
      element('div', { class: 'actions' }, remove));
  }

  #form() {
    const name = element('input', { name: 'link-name', required: true, maxlength: '64', placeholder: 'Scorer of the home team' });
    const lasting = element('select', { name: 'link-expires' }, LASTING.map(([seconds, text]) => element('option', { value: seconds }, text)));
    lasting.value = String(12 * HOUR);
    const form = element('form', { class: 'stack tight' },
      element('div', { class: 'pair' },
        element('label', { class: 'field' }, element('span', {}, 'Name'), name),
        element('label', { class: 'field' }, element('span', {}, 'Expires in'), lasting)),
      this.#error,
      element('div', { class: 'actions' }, element('button', { type: 'submit' }, 'Create score link')));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      this.#error.textContent = '';
      await this.#run(async () => {
        const link = await scoreLinks.create(this.#stream, { name: name.value.trim(), expires_in: Number(lasting.value) });
        replace(this.#made, element('p', {}, 'The address is shown only now. Send it to the phone.'), copyField('Address', link.url, { secret: true }));
        name.value = '';
      });
    });
    return form;
  }

  async #run(work) {
    try {
      await work();
      await this.refresh();
    } catch (problem) {
      this.#error.textContent = [problem.message, ...(problem.fields ?? []).map((each) => `${each.field}: ${each.reason}`)].join(' – ');
      toast(problem.message, true);
    }
  }
}
