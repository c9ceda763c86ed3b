/**
 * The changes that wait to be sent, in their order. Each is one entry of the browser's storage, so a
 * reload loses none, and two windows do not overwrite each other's. Without storage they are in
 * memory only.
 */
export class ChangeQueue {
  #prefix;
  #storage;
  #lastMs = 0;

  /** `storage`: like localStorage, or null. */
  constructor(linkId, storage) {
    this.#prefix = `touchline.score.${linkId}.`;
    this.#storage = storage ?? memory();
  }

  /** The waiting changes, oldest first. */
  all() {
    const prefix = `${this.#prefix}change.`;
    const names = [];
    for (let i = 0; i < this.#storage.length; i += 1) {
      const name = this.#storage.key(i);
      if (name.startsWith(prefix)) {
        names.push(name);
      }
    }
    return names.sort().map((name) => parsed(this.#storage.getItem(name))).filter(Boolean);
  }

  /** Adds a change behind all others; returns it with its key, which makes its sending idempotent. */
  add(change) {
    const last = this.all().at(-1);
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1, last ? Number(last.key.split('-')[0]) + 1 : 0);
    const entry = { ...change, key: `${String(this.#lastMs).padStart(15, '0')}-${randomText()}`, tried: false };
    this.#write(entry);
    return entry;
  }

  /** Notes that the server may have received the change. */
  markTried(entry) {
    this.#write({ ...entry, tried: true });
  }

  remove(key) {
    this.#storage.removeItem(`${this.#prefix}change.${key}`);
  }

  #write(entry) {
    this.#storage.setItem(`${this.#prefix}change.${entry.key}`, JSON.stringify(entry));
  }

  /** A value beside the queue; null if there is none. */
  load(name) {
    return parsed(this.#storage.getItem(this.#prefix + name));
  }

  store(name, value) {
    this.#storage.setItem(this.#prefix + name, JSON.stringify(value));
  }
}

/** The browser's storage; null where it refuses it. */
export function durableStorage() {
  try {
    localStorage.setItem('touchline.score.test', '1');
    localStorage.removeItem('touchline.score.test');
    return localStorage;
  } catch {
    return null;
  }
}

/** Also on pages without TLS, where crypto.randomUUID does not exist. */
export function randomText() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function parsed(text) {
  try {
    return text === null || text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function memory() {
  const entries = new Map();
  return {
    get length() { return entries.size; },
    key: (i) => [...entries.keys()][i],
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => { entries.set(name, value); },
    removeItem: (name) => { entries.delete(name); },
  };
}
