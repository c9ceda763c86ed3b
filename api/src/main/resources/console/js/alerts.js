import { alertOf, isEnd } from './alert-rules.js';
import { eventHub } from './event-hub.js';
import { liveStreams } from './api.js';
import { titleOf } from './stream-title.js';
import { Tone } from './tone.js';

/** Alerts of this time are listed, and so many at most. */
const KEPT_MS = 3_600_000;
const MAX_ALERTS = 200;

/** Acknowledged ids that are remembered. */
const MAX_ACKNOWLEDGED = 500;

const STORE = 'touchline.alerts';

/**
 * The alerts of all streams, newest first. What is acknowledged and muted, and whether it is heard, stays
 * in this browser (decision 0072).
 */
class Alerts {
  #all = [];
  #listeners = new Set();
  #settings = readSettings();
  #titles = new Map();
  #tone = new Tone();
  #page = 'Touchline';

  constructor() {
    eventHub.listen({ event: (event, isNew) => this.#take(event, isNew) });
    eventHub.keepInBackground(this.#needsBackground());
    for (const gesture of ['pointerdown', 'keydown']) {
      document.addEventListener(gesture, () => this.#unlock());
    }
    // Another tab has acknowledged or muted.
    window.addEventListener('storage', (event) => {
      if (event.key === STORE) {
        this.#settings = readSettings();
        this.#changed();
      }
    });
  }

  /** @returns a function that ends it; `added` is the new alert, or undefined */
  listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Newest first. */
  get all() {
    const since = Date.now() - KEPT_MS;
    return this.#all.filter((alert) => alert.at >= since);
  }

  /** Those that wait for a person. */
  get open() {
    return this.all.filter((alert) => !this.isAcknowledged(alert) && !this.isMuted(alert));
  }

  isAcknowledged(alert) {
    return this.#settings.acknowledged.includes(alert.id);
  }

  isMuted(alert) {
    return mutesOf(alert).some(({ key }) => key in this.#settings.muted);
  }

  /** Keys and texts of what is muted. */
  get muted() {
    return Object.entries(this.#settings.muted);
  }

  acknowledge(...alerts) {
    const ids = alerts.map((alert) => alert.id);
    this.#store({ acknowledged: [...new Set([...ids, ...this.#settings.acknowledged])].slice(0, MAX_ACKNOWLEDGED) });
  }

  mute({ key, label }) {
    this.#store({ muted: { ...this.#settings.muted, [key]: label } });
  }

  unmute(key) {
    const { [key]: _, ...muted } = this.#settings.muted;
    this.#store({ muted });
  }

  /** `off`, `waiting` for a click or a key, or `on`. */
  get sound() {
    return !this.#settings.sound ? 'off' : this.#tone.isHeard ? 'on' : 'waiting';
  }

  /** By a click: browsers need one. The tone is heard once, as a check. */
  async switchSound(on) {
    this.#store({ sound: on });
    if (on) {
      await this.#unlock();
      this.#tone.check();
    } else {
      this.#tone.lock();
      this.#changed();
    }
  }

  async #unlock() {
    if (this.#settings.sound && !this.#tone.isHeard) {
      await this.#tone.unlock().catch(() => {});
      this.#changed();
    }
  }

  /** `unsupported`, `denied`, `off` or `on`. */
  get desktop() {
    if (!('Notification' in window) || !window.isSecureContext) {
      return 'unsupported';
    }
    return Notification.permission === 'denied' ? 'denied' : this.#settings.desktop && Notification.permission === 'granted' ? 'on' : 'off';
  }

  async switchDesktop(on) {
    const granted = on && await Notification.requestPermission() === 'granted';
    this.#store({ desktop: granted });
  }

  /** The title of the page, with the number of open alerts before it. */
  title(page) {
    this.#page = page;
    const open = this.open.length;
    document.title = open > 0 ? `(${open}) ${page}` : page;
  }

  /** The token is gone: what was listed is not for the next one. */
  clear() {
    this.#all = [];
    this.#titles.clear();
    this.#changed();
  }

  #take(event, isNew) {
    const ended = this.#all.filter((alert) => isEnd(event, alert));
    ended.forEach((alert) => {
      alert.endedAt = Date.parse(event.created_at);
      alert.sessionEnded = event.type === 'live_stream.idle';
    });
    const alert = alertOf(event);
    if (alert && !this.#all.some((known) => known.id === alert.id)) {
      this.#add(alert, isNew);
    } else if (ended.length > 0) {
      this.#changed();
    }
  }

  #add(alert, isNew) {
    this.#all = [alert, ...this.#all].slice(0, MAX_ALERTS);
    this.#name(alert);
    if (isNew && !this.isMuted(alert)) {
      this.#tone.alert(alert.level);
      this.#notify(alert);
    }
    this.#changed(isNew ? alert : undefined);
  }

  /** Events of assets, restreams and moderation do not have the title of their stream. */
  async #name(alert) {
    if (alert.stream === null) {
      return;
    }
    if (alert.streamTitle) {
      this.#titles.set(alert.stream, alert.streamTitle);
      return;
    }
    const known = this.#titles.get(alert.stream) ?? await liveStreams.get(alert.stream).then(titleOf, () => null);
    if (known !== null) {
      alert.streamTitle = known;
      this.#titles.set(alert.stream, known);
      this.#changed();
    }
  }

  #notify(alert) {
    if (this.desktop === 'on') {
      const shown = new Notification([alert.title, alert.streamTitle].filter(Boolean).join(' – '), { body: alert.text, tag: alert.id, icon: 'icon.svg' });
      shown.addEventListener('click', () => {
        window.focus();
        location.hash = addressOf(alert);
        shown.close();
      });
    }
  }

  #needsBackground() {
    return this.#settings.sound || this.#settings.desktop;
  }

  #store(change) {
    this.#settings = { ...this.#settings, ...change };
    try {
      localStorage.setItem(STORE, JSON.stringify(this.#settings));
    } catch {
      // A browser without storage forgets them with the page.
    }
    eventHub.keepInBackground(this.#needsBackground());
    this.#changed();
  }

  #changed(added) {
    this.title(this.#page);
    for (const listener of this.#listeners) {
      listener(added);
    }
  }
}

/** What can be muted of an alert, the narrowest first. */
export function mutesOf({ kind, kindTitle, stream, streamTitle }) {
  const name = streamTitle ?? stream;
  return [
    stream && { key: `stream ${stream} ${kind}`, label: `${kindTitle}: ${name}` },
    { key: `kind ${kind}`, label: `${kindTitle}, all streams` },
    stream && { key: `stream ${stream}`, label: `All of ${name}` },
  ].filter(Boolean);
}

/** The page that shows what an alert is about. */
export function addressOf({ page, stream, kind }) {
  if (stream === null) {
    return kind === 'server' ? '#/host' : '#/alerts';
  }
  return page === 'moderation' ? `#/moderation/${encodeURIComponent(stream)}` : `#/streams/${encodeURIComponent(stream)}`;
}

/** What a browser has stored may be of another version, or damaged. */
function readSettings() {
  const empty = { acknowledged: [], muted: {}, sound: false, desktop: false };
  try {
    const stored = JSON.parse(localStorage.getItem(STORE)) ?? {};
    return {
      acknowledged: Array.isArray(stored.acknowledged) ? stored.acknowledged.filter((id) => typeof id === 'string').slice(0, MAX_ACKNOWLEDGED) : [],
      muted: typeof stored.muted === 'object' && stored.muted !== null && !Array.isArray(stored.muted) ? stored.muted : {},
      sound: stored.sound === true,
      desktop: stored.desktop === true,
    };
  } catch {
    return empty;
  }
}

export const alerts = new Alerts();
