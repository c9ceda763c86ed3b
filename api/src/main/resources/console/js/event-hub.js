import { events, EventStream } from './events-api.js';

/** Events of this time are read when the console opens. */
const HISTORY_MS = 3_600_000;
const PAGE = 100;
const MAX_PAGES = 3;

/**
 * The events of the server, by one connection for all parts of the console. It exists while the page is
 * visible, and in the background only for as long as a listener needs it there: over HTTP/1.1 a browser
 * has six connections for all its tabs.
 */
class EventHub {
  #listeners = new Set();
  #stream = null;
  #last = '';
  #isOpen = false;
  #inBackground = false;

  /** `off`, `connecting`, `live`, or `refused` where the token may not read events. */
  state = 'off';

  constructor() {
    document.addEventListener('visibilitychange', () => this.#adjust());
  }

  /**
   * @param {{event: (event: object, isNew: boolean) => void, state?: (state: string) => void}} listener
   *     `isNew` is false for events of before the console was opened
   * @returns a function that ends it
   */
  listen(listener) {
    this.#listeners.add(listener);
    listener.state?.(this.state);
    return () => this.#listeners.delete(listener);
  }

  /** The token may read now, or is another one. */
  async open() {
    if (this.#isOpen) {
      return;
    }
    this.#isOpen = true;
    this.#last = '';
    try {
      await this.#readHistory();
    } catch (problem) {
      if (problem.status === 401 || problem.status === 403) {
        this.#show('refused');
        return;
      }
    }
    this.#adjust();
  }

  close() {
    this.#isOpen = false;
    this.#stop();
    this.#show('off');
  }

  /** Whether events are needed while the page is hidden. */
  keepInBackground(needed) {
    this.#inBackground = needed;
    this.#adjust();
  }

  async #readHistory() {
    const since = Date.now() - HISTORY_MS;
    const known = [];
    for (let page = 1, more = true; more && page <= MAX_PAGES; page++) {
      const reply = await events.list(page, PAGE);
      known.push(...reply.data.filter((event) => Date.parse(event.created_at) >= since));
      this.#last ||= reply.data[0]?.id ?? '';
      more = reply.has_more && known.length === page * PAGE;
    }
    if (this.#isOpen) {
      known.reverse().forEach((event) => this.#pass(event, false));
    }
  }

  #adjust() {
    const wanted = this.#isOpen && this.state !== 'refused' && (!document.hidden || this.#inBackground);
    if (wanted && !this.#stream) {
      this.#show('connecting');
      this.#stream = new EventStream(this.#last, (event) => {
        this.#last = event.id;
        this.#pass(event, true);
      }, (connected, refused) => this.#show(connected ? 'live' : refused ? 'refused' : 'connecting'));
    } else if (!wanted) {
      this.#stop();
    }
  }

  #stop() {
    this.#stream?.stop();
    this.#stream = null;
  }

  #pass(event, isNew) {
    for (const listener of this.#listeners) {
      listener.event(event, isNew);
    }
  }

  #show(state) {
    this.state = state;
    for (const listener of this.#listeners) {
      listener.state?.(state);
    }
  }
}

export const eventHub = new EventHub();
