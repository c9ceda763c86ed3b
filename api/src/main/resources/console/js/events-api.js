import { ApiError, call } from './api.js';
import { readEvents } from './server-sent-events.js';

/** The API of events and webhooks. */

const hooks = '/system/v1/webhooks';
const one = (id) => `${hooks}/${encodeURIComponent(id)}`;

export const webhooks = {
  list: (page = 1, limit = 100) => call('GET', `${hooks}?page=${page}&limit=${limit}`),
  get: async (id) => (await call('GET', one(id))).data,
  create: async (fields) => (await call('POST', hooks, fields)).data,
  patch: async (id, fields) => (await call('PATCH', one(id), fields)).data,
  remove: (id) => call('DELETE', one(id)),
  test: async (id) => (await call('POST', `${one(id)}/test`)).data,
  rotate: async (id) => (await call('POST', `${one(id)}/rotate-secret`)).data,
  deliveries: (id, status = '', page = 1) =>
    call('GET', `${one(id)}/deliveries?page=${page}&limit=25${status ? `&status=${status}` : ''}`),
  replay: async (id, delivery) => (await call('POST', `${one(id)}/deliveries/${encodeURIComponent(delivery)}/replay`)).data,
  replayMany: async (id, fields) => (await call('POST', `${one(id)}/replay`, fields)).data,
};

export const events = {
  list: (page = 1, limit = 50) => call('GET', `/system/v1/events?page=${page}&limit=${limit}`),
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Follows events as they happen. After a break it goes on behind the last event that was seen.
 */
export class EventStream {
  #onEvent;
  #onState;
  #last;
  #stopped = new AbortController();

  /**
   * @param last id of the newest event that is known, or ''
   * @param onEvent called with each event
   * @param onState called with true when it is connected and false when it is not; then also with
   *     whether the token was refused, which ends it
   */
  constructor(last, onEvent, onState) {
    this.#last = last;
    this.#onEvent = onEvent;
    this.#onState = onState;
    this.#follow();
  }

  stop() {
    this.#stopped.abort();
  }

  async #follow() {
    let pause = FIRST_PAUSE_MS;
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#read(() => {
          pause = FIRST_PAUSE_MS;
        });
      } catch (problem) {
        if (problem instanceof ApiError && problem.status === 400) {
          this.#last = '';
        }
        if (problem instanceof ApiError && (problem.status === 401 || problem.status === 403)) {
          // The token was revoked, or has expired: it does not become valid again.
          this.stop();
          this.#onState(false, true);
        }
      }
      if (this.#stopped.signal.aborted) {
        return;
      }
      this.#onState(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }

  #read(connected) {
    const after = this.#last ? `?after=${encodeURIComponent(this.#last)}` : '';
    return readEvents(`/system/v1/events/stream${after}`, this.#stopped.signal, () => {
      connected();
      this.#onState(true);
    }, (event) => {
      this.#last = event.id;
      this.#onEvent(event);
    });
  }
}
