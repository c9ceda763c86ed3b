import { restreams } from './api.js';
import { badge, bitrate, confirmDialog, dateTime, element, replace, toast } from './dom.js';

const STATES = { live: 'active', connecting: 'away', failed: 'errored', idle: 'idle' };
const WORDS = { live: 'Live', connecting: 'Connecting', failed: 'Failed', idle: 'Idle' };

/** Other servers that a stream is sent on to: their states, and a form that adds one. */
export class RestreamCard {
  root = element('section', { class: 'card', 'aria-label': 'Restreams' });
  #stream;
  #list = element('ul', { class: 'plain restreams' });
  #empty = element('p', { class: 'hint' }, 'Sent to no other platform.');
  #error = element('p', { class: 'field-error', role: 'alert' });
  #rows = new Map();

  constructor(stream) {
    this.#stream = stream;
    replace(this.root, element('h2', {}, 'Restreams'), this.#empty, this.#list, this.#form());
  }

  async refresh() {
    const all = (await restreams.list(this.#stream)).data;
    this.#empty.hidden = all.length > 0;
    for (const id of [...this.#rows.keys()].filter((known) => !all.some((each) => each.id === known))) {
      this.#rows.get(id).root.remove();
      this.#rows.delete(id);
    }
    for (const each of all) {
      if (!this.#rows.has(each.id)) {
        this.#rows.set(each.id, this.#row(each.id));
      }
      this.#rows.get(each.id).show(each);
    }
    const order = all.map((each) => this.#rows.get(each.id).root);
    if (order.some((row, index) => this.#list.children[index] !== row)) {
      this.#list.replaceChildren(...order);
    }
  }

  /** Its texts change in place, so that focus stays on its buttons. */
  #row(id) {
    const state = element('span');
    const name = element('strong');
    const address = element('span', { class: 'mono' });
    const facts = element('p', { class: 'hint', role: 'status' });
    const toggle = element('button', { class: 'quiet small', type: 'button' });
    const remove = element('button', { class: 'danger small', type: 'button' }, 'Delete');
    let shown = {};
    toggle.addEventListener('click', () => this.#act(toggle, () => restreams.patch(this.#stream, id, { enabled: !shown.enabled })));
    remove.addEventListener('click', async () => {
      if (await confirmDialog('Delete this restream?', 'Its connection ends at once. The stream key is deleted too.', 'Delete')) {
        await this.#act(remove, () => restreams.remove(this.#stream, id));
      }
    });
    const root = element('li', { 'data-restream': id },
      element('div', { class: 'badges' }, state, name, address),
      facts,
      element('div', { class: 'actions' }, toggle, remove));
    return {
      root,
      show: (restream) => {
        shown = restream;
        replace(state, restreamBadge(restream));
        name.textContent = restream.name;
        address.textContent = restream.url;
        facts.textContent = describe(restream);
        toggle.textContent = restream.enabled ? 'Disable' : 'Enable';
        const label = restream.name || restream.url;
        toggle.setAttribute('aria-label', `${toggle.textContent} ${label}`);
        remove.setAttribute('aria-label', `Delete ${label}`);
      },
    };
  }

  async #act(button, work) {
    button.disabled = true;
    try {
      await work();
      await this.refresh();
    } catch (problem) {
      toast(problem.message, true);
    } finally {
      button.disabled = false;
    }
  }

  #form() {
    const name = element('input', { name: 'restream_name', autocomplete: 'off' });
    const url = element('input', { name: 'restream_url', required: true, placeholder: 'rtmps://live.example.com/app', spellcheck: 'false', autocomplete: 'off' });
    const key = element('input', { name: 'restream_key', type: 'password', required: true, spellcheck: 'false', autocomplete: 'new-password' });
    const add = element('button', { type: 'submit' }, 'Add restream');
    const field = (label, input, hint) => element('label', { class: 'field' }, element('span', {}, label), input, hint && element('small', {}, hint));
    const form = element('form', { id: 'add-restream' },
      field('Name', name),
      field('Server', url, 'As the platform names it, without the stream key.'),
      field('Stream key', key, 'Stored encrypted, and never shown again.'),
      this.#error,
      element('div', { class: 'actions' }, add));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      this.#error.textContent = '';
      add.disabled = true;
      try {
        await restreams.create(this.#stream, { name: name.value.trim(), url: url.value.trim(), stream_key: key.value.trim() });
        form.reset();
        toast('Restream added');
        await this.refresh();
      } catch (problem) {
        this.#error.textContent = (problem.fields ?? []).map(({ field: at, reason }) => `${at}: ${reason}`).join('; ') || problem.message;
      } finally {
        add.disabled = false;
      }
    });
    return element('details', {}, element('summary', {}, 'Add a target'), form);
  }
}

function restreamBadge(restream) {
  const made = badge(STATES[restream.state] ?? 'idle');
  made.textContent = restream.enabled ? WORDS[restream.state] ?? restream.state : 'Disabled';
  return made;
}

/** One line: what it does now, since when, and why it failed. */
function describe(restream) {
  const since = restream.since === null ? '' : ` since ${dateTime(restream.since)}`;
  const lost = restream.dropped_frames > 0 ? `, ${restream.dropped_frames} frames dropped` : '';
  switch (restream.state) {
    case 'live': return `${bitrate(restream.bitrate)}${since}${lost}`;
    case 'failed': return `${restream.last_error ?? 'failed'}${since}. It is tried again.`;
    case 'connecting': return restream.last_error ? `Connecting again: ${restream.last_error}` : 'Connecting';
    default: return restream.enabled ? 'Starts with the next session.' : 'Not sent to.';
  }
}
