import { dateTime, element, replace } from '../dom.js';
import { EventStream, events } from '../events-api.js';
import { WebhookList } from './webhook-list.js';

const SHOWN = 200;

/** Live events, and the webhook endpoints. */
export async function eventsPage(main) {
  const feed = new Feed();
  const endpoints = new WebhookList();
  await Promise.all([feed.load(), endpoints.refresh()]);
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Events'), feed.state),
    element('div', { class: 'columns' },
      element('div', { class: 'stack' }, feed.root),
      element('div', { class: 'stack' }, endpoints.root)));
  feed.follow();
  return { title: 'Events', refresh: () => endpoints.refresh(), close: () => feed.stop() };
}

/** The newest events, newest first. */
class Feed {
  state = element('p', { class: 'badge', role: 'status', id: 'feed-state' }, 'Connecting');
  #list = element('ol', { class: 'events', id: 'events' });
  #filter = element('input', { type: 'search', placeholder: 'Filter by type or live stream', 'aria-label': 'Filter events', autocomplete: 'off', spellcheck: 'false' });
  #empty = element('p', { class: 'hint' }, 'No events yet.');
  #known = [];
  #stream = null;
  root = element('section', { class: 'card', 'aria-label': 'Event log' },
    element('label', { class: 'field' }, element('span', {}, 'Filter'), this.#filter), this.#empty, this.#list);

  constructor() {
    this.#filter.addEventListener('input', () => this.#draw());
  }

  async load() {
    this.#known = (await events.list(1, 50)).data;
    this.#draw();
  }

  follow() {
    this.#stream = new EventStream(
      this.#known[0]?.id ?? '',
      (event) => this.#add(event),
      (connected) => {
        this.state.textContent = connected ? 'Live' : 'Reconnecting';
        this.state.classList.toggle('active', connected);
      });
  }

  stop() {
    this.#stream?.stop();
  }

  #add(event) {
    if (this.#known.some((known) => known.id === event.id)) {
      return;
    }
    this.#known.unshift(event);
    this.#known.length = Math.min(this.#known.length, SHOWN);
    if (this.#matches(event)) {
      this.#list.prepend(item(event));
      while (this.#list.children.length > SHOWN) {
        this.#list.lastElementChild.remove();
      }
      this.#empty.hidden = true;
    }
  }

  #matches(event) {
    const wanted = this.#filter.value.trim().toLowerCase();
    return wanted === '' || event.type.includes(wanted) || (subject(event) ?? '').toLowerCase().includes(wanted);
  }

  #draw() {
    const shown = this.#known.filter((event) => this.#matches(event));
    this.#empty.hidden = shown.length > 0;
    replace(this.#list, shown.map(item));
  }
}

function subject(event) {
  return event.data.live_stream_id ?? event.data.stream_info?.stream_id ?? null;
}

function item(event) {
  const stream = subject(event);
  return element('li', { class: 'event', id: event.id },
    element('details', {},
      element('summary', {},
        element('span', { class: `kind ${tone(event.type)}` }, event.type),
        element('time', { datetime: event.created_at }, dateTime(event.created_at)),
        element('span', { class: 'sub' }, stream ? `${stream} · ${event.data.seq}` : `${event.data.seq}`)),
      stream && element('p', {}, element('a', { href: `#/streams/${encodeURIComponent(stream)}` }, 'Open the live stream')),
      element('pre', { class: 'mono' }, JSON.stringify(event, null, 2))));
}

function tone(type) {
  if (/failed|errored|low_space|storage\.backlog$|webhook\.disabled|audit_check/.test(type)) {
    return 'bad';
  }
  return /warning|disconnected|disabled|deleted/.test(type) ? 'careful' : '';
}
