import { liveStreams } from '../api.js';
import { dateTime, element, replace, toast } from '../dom.js';
import { evidenceFrame, risk } from '../evidence.js';
import { keyOf } from '../keys.js';
import { ListFilter } from '../list-filter.js';
import { statusWord, TYPES } from '../moderation-api.js';
import { nameOf, ReviewQueue } from '../review-queue.js';

const UPCOMING = 6;
const LATEST = 6;
const HOUR_MS = 3_600_000;

/** A second press within this time disables. */
const ARMED_MS = 3000;

const RANGES = [['24', 'Last 24 hours'], ['1', 'Last hour'], ['', 'All']];
const ORDERS = [['oldest', 'Oldest first'], ['newest', 'Newest first']];

/** One queue of the open moderation records of all streams, decided by keys. */
export async function reviewPage(main) {
  const page = new ReviewPage();
  await page.begin();
  page.mount(main);
  return { title: 'Review', refresh: () => page.refresh(), close: () => page.close(), keys: page.keys };
}

class ReviewPage {
  #queue = null;
  #drawn = undefined;
  #armed = 0;
  #filter = new ListFilter({ search: 'Search title, metadata or id of the stream' });
  #type = select('alert_type', 'Type', [['', 'All types'], ...TYPES.map((type) => [type, type])]);
  #order = select('order', 'Order', ORDERS);
  #range = select('range', 'Time', RANGES);
  #place = element('div', { class: 'review-frame' });
  #facts = element('div', { class: 'review-facts', 'aria-live': 'polite' });
  #count = element('p', { class: 'hint number', id: 'review-count', role: 'status' });
  #warning = element('p', { class: 'notice', role: 'alert', hidden: true });
  #note = element('input', { name: 'note', maxlength: '1000', autocomplete: 'off', 'aria-label': 'Note', placeholder: 'Note, sent with the decision' });
  #upcoming = element('ul', { class: 'upcoming', 'aria-label': 'Next records' });
  #latest = element('ul', { class: 'plain decided', 'aria-label': 'Last decisions' });
  #decided = element('section', { class: 'card', 'aria-label': 'Decided', hidden: true }, element('h2', {}, 'Last decisions'), this.#latest);
  #next = element('section', { class: 'card', 'aria-label': 'Next', hidden: true }, element('h2', {}, 'Next'), this.#upcoming);
  #buttons = element('div', { class: 'review-keys', role: 'group', 'aria-label': 'Decision' });

  /** Actions by their keys. */
  keys = {
    pass: () => this.#decide('pass'),
    reject: () => this.#decide('reject'),
    disable: () => this.#disable(),
    undo: () => this.#undo(),
    skip: () => this.#skip(),
    note: () => this.#note.focus(),
  };

  constructor() {
    this.#filter.root.append(this.#type, this.#order, this.#range);
    for (const each of [this.#type, this.#order, this.#range]) {
      each.addEventListener('change', () => this.#again());
    }
    this.#filter.follow(() => this.#again());
    this.#note.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === 'Escape') {
        this.#note.blur();
      }
    });
    replace(this.#buttons,
      this.#button('pass', 'Pass', ''),
      this.#button('reject', 'Reject', 'danger'),
      this.#button('disable', 'Disable stream', 'danger'),
      this.#button('skip', 'Skip', 'quiet'),
      this.#button('undo', 'Undo', 'quiet'));
  }

  #button(name, text, look) {
    return element('button', { type: 'button', class: look, id: `review-${name}`, onclick: () => this.keys[name]() }, text, element('kbd', {}, keyOf(name)));
  }

  mount(main) {
    replace(main,
      element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Review'), this.#count),
      this.#filter.root,
      element('div', { class: 'columns review' },
        element('section', { class: 'card', 'aria-label': 'Record' }, this.#place, this.#warning, this.#buttons, this.#note, this.#facts),
        element('div', { class: 'stack' }, this.#next, this.#decided)));
  }

  async begin() {
    const hours = Number(this.#range.value);
    const filter = {
      ...this.#filter.values,
      order: this.#order.value,
      ...(this.#type.value && { alert_type: this.#type.value }),
      ...(hours > 0 && { from: Date.now() - hours * HOUR_MS }),
    };
    const queue = new ReviewQueue(filter);
    queue.addEventListener('changed', () => this.#queue === queue && this.#draw());
    queue.addEventListener('refused', ({ detail }) => toast(detail, true));
    this.#queue = queue;
    await queue.refresh();
  }

  #again() {
    this.begin().catch((problem) => toast(problem.message, true));
  }

  refresh() {
    return this.#queue.refresh();
  }

  close() {
    clearTimeout(this.#armed);
  }

  #decide(decision) {
    this.#disarm();
    if (this.#ready()) {
      this.#queue.decide(decision, this.#takeNote());
    }
  }

  /** Nothing is decided that has not been seen. */
  #ready() {
    if (this.#queue.current && !this.#queue.isShown) {
      toast('The frame is still loading');
    }
    return this.#queue.isShown;
  }

  #takeNote() {
    const note = this.#note.value.trim();
    this.#note.value = '';
    return note;
  }

  #skip() {
    this.#disarm();
    this.#queue.skip();
  }

  async #undo() {
    this.#disarm();
    if (!await this.#queue.undo()) {
      toast('Nothing to undo');
    }
  }

  /** Viewers lose the stream, so the key is pressed twice. */
  #disable() {
    if (!this.#ready()) {
      return;
    }
    const record = this.#queue.current;
    if (this.#armed === 0) {
      this.#warning.textContent = `Press ${keyOf('disable')} again to disable “${nameOf(record)}”: its encoder is disconnected, and playback ends for all viewers.`;
      this.#warning.hidden = false;
      this.#armed = setTimeout(() => this.#disarm(), ARMED_MS);
      return;
    }
    this.#disarm();
    const id = record.live_stream_id;
    this.#queue.decide('reject', this.#takeNote(), 'reject, stream disabled', async () => {
      const { status } = await liveStreams.get(id);
      await liveStreams.disable(id);
      toast(`“${nameOf(record)}” is disabled`);
      return status === 'disable' ? undefined : () => liveStreams.enable(id);
    });
  }

  #disarm() {
    clearTimeout(this.#armed);
    this.#armed = 0;
    this.#warning.hidden = true;
  }

  #draw() {
    const queue = this.#queue;
    const { current } = queue;
    this.#count.textContent = [`${queue.count} reviewed here`, `${queue.open} open`, queue.skipped > 0 && `${queue.skipped} skipped`].filter(Boolean).join(' · ');
    if (this.#drawn !== current) {
      this.#drawn = current;
      this.#disarm();
      this.#drawRecord(current);
    }
    for (const button of this.#buttons.querySelectorAll('button')) {
      button.disabled = button.id === 'review-undo' ? queue.history.length === 0 : current === null;
    }
    replace(this.#upcoming, queue.next.slice(0, UPCOMING).map((record) => this.#waiting(record)));
    this.#next.hidden = queue.next.length === 0;
    this.#decided.hidden = queue.history.length === 0;
    replace(this.#latest, queue.history.slice(0, LATEST).map(({ record, word }) => element('li', {},
      risk(word.split(',')[0]), word.includes(',') && word.slice(word.indexOf(',')), ' ', element('span', { class: 'sub' }, `${nameOf(record)}, ${time(record)}`))));
  }

  #drawRecord(record) {
    this.#place.toggleAttribute('data-empty', record === null);
    if (record === null) {
      delete this.#place.dataset.record;
      replace(this.#place, element('p', { class: 'empty' }, 'Nothing to review. New records appear here by themselves.'));
      replace(this.#facts);
      return;
    }
    const findings = JSON.parse(record.detect_info);
    this.#place.dataset.record = record.id;
    replace(this.#place, evidenceFrame(record, findings, this.#queue.frame(record)));
    replace(this.#facts,
      element('h2', {}, element('a', { href: `#/moderation/${encodeURIComponent(record.live_stream_id)}/${encodeURIComponent(record.channel_id)}` }, nameOf(record))),
      element('p', {}, dateTime(record.captured_at / 1000), ' – the model says ', risk(statusWord(record.detect_status))),
      element('ul', { class: 'plain' }, findings.filter(({ risk_level: level }) => level !== 'pass').map((finding) => element('li', {},
        risk(finding.risk_level), ` ${finding.model} ${finding.confidence.toFixed(3)} `, element('span', { class: 'sub' }, finding.model_version)))));
  }

  #waiting(record) {
    const image = this.#queue.frame(record);
    const small = image && element('img', { src: image.src, alt: '', crossorigin: 'anonymous', referrerpolicy: 'no-referrer' });
    return element('li', {}, element('span', { class: 'thumbnail' }, small ?? 'no frame'), element('span', {}, nameOf(record), element('span', { class: 'sub' }, ` ${time(record)}`)));
  }
}

function time(record) {
  return new Date(record.captured_at).toLocaleTimeString(undefined, { timeStyle: 'medium' });
}

function select(name, label, choices) {
  return element('select', { name, 'aria-label': label }, choices.map(([value, text]) => element('option', { value }, text)));
}
