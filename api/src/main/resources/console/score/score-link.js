import { apply, undone } from './score-rules.js';
import { ChangeQueue } from './score-queue.js';

const POLL_MS = 2000;
const TIMEOUT_MS = 8000;
const MAX_PAUSE_MS = 5000;
const KEPT_UNDOS = 20;

/**
 * The scoreboard behind a score link. Changes are shown at once, wait in a queue, and are sent one
 * after the other; a change is sent again, with the same key, until the server has answered it. Calls
 * `changed` whenever something to show has changed.
 */
export class ScoreLink {
  #token;
  #address;
  #queue;
  #changed;
  #timer = 0;
  #busy = false;
  #pauseMs = 0;
  #bestRttMs = Infinity;
  #offsetMs = 0;

  /** `base`: the newest reply; null before the first. */
  base = null;
  /** starting, connected, offline or gone. */
  state = 'starting';
  /** Why the link is gone, or the last change was not taken. */
  problem = '';

  /** `fragment`: the stream's id, a slash, and the token. */
  constructor(fragment, storage, changed) {
    const [stream, token] = fragment.split('/');
    this.#token = token ?? '';
    this.#address = `/live/v1/live-streams/${encodeURIComponent(stream)}/scoreboard`;
    this.#queue = new ChangeQueue(this.#token.split('.')[0], storage);
    this.#changed = changed;
    this.base = this.#queue.load('base');
    this.#offsetMs = this.#queue.load('offset') ?? 0;
  }

  /** The server's clock. */
  now() {
    return Date.now() + this.#offsetMs;
  }

  start() {
    addEventListener('online', () => this.#wake());
    addEventListener('visibilitychange', () => this.#wake());
    addEventListener('storage', () => this.#changed());
    this.#wake();
  }

  waiting() {
    return this.#queue.all();
  }

  /** What the board is with all waiting changes; null before the first reply. */
  board() {
    if (!this.base) {
      return null;
    }
    const waiting = this.waiting();
    const taken = new Set(waiting.filter((entry) => entry.undoes).map((entry) => entry.undoes));
    let board = this.base.scoreboard;
    for (const entry of waiting) {
      if (entry.undoes) {
        const done = this.#done().find((each) => each.key === entry.undoes);
        board = (done && undone(done.before, done.after, board)) ?? board;
      } else if (!taken.has(entry.key)) {
        board = this.#with(board, entry);
      }
    }
    return board;
  }

  #with(board, entry) {
    if (entry.action) {
      return apply(board, this.base.rules, entry.action, entry.action.at_ms);
    }
    const after = structuredClone(board);
    const { home, away, ...fields } = entry.fields;
    const plain = ([, value]) => value !== null && typeof value !== 'object';
    Object.assign(after, Object.fromEntries(Object.entries(fields).filter(plain)));
    Object.assign(after.home, Object.fromEntries(Object.entries(home ?? {}).filter(plain)));
    Object.assign(after.away, Object.fromEntries(Object.entries(away ?? {}).filter(plain)));
    return after;
  }

  /** An action of the match; `label` names it for people. */
  act(action, label) {
    this.#add({ action: { ...action, at_ms: Math.round(this.now()) }, label });
  }

  /** Names, colours and the like. */
  set(fields, label) {
    this.#add({ fields, label });
  }

  #add(change) {
    this.problem = '';
    this.#queue.add(change);
    this.#changed();
    this.#wake();
  }

  /** The change that `undo` would take back; null if there is none. */
  undoable() {
    const waiting = this.waiting();
    const taken = new Set(waiting.map((entry) => entry.undoes));
    const candidates = [...this.#done(), ...waiting.filter((entry) => !entry.undoes)];
    return candidates.filter((entry) => !taken.has(entry.key)).at(-1) ?? null;
  }

  undo() {
    const last = this.undoable();
    if (!last) {
      return;
    }
    const waiting = this.waiting().find((entry) => entry.key === last.key);
    if (waiting && !waiting.tried) {
      this.#queue.remove(last.key);
      this.#changed();
    } else {
      this.#add({ undoes: last.key, at_ms: Math.round(this.now()), label: `Undo: ${last.label}` });
    }
  }

  #done() {
    return this.#queue.load('done') ?? [];
  }

  #wake() {
    clearTimeout(this.#timer);
    if (!this.#busy && this.state !== 'gone') {
      this.#busy = true;
      this.#step().finally(() => {
        this.#busy = false;
        this.#changed();
        const waits = this.waiting().length > 0;
        if (this.state !== 'gone' && (waits || document.visibilityState === 'visible')) {
          const pause = this.#pauseMs || (waits ? 0 : POLL_MS);
          this.#timer = setTimeout(() => this.#wake(), pause);
        }
      });
    }
  }

  /** Sends the oldest change, or asks for the newest content. */
  async #step() {
    const entry = this.waiting()[0];
    try {
      if (entry) {
        await this.#send(entry);
      } else {
        await this.#read();
      }
    } catch {
      this.#failed(0);
    }
  }

  async #read() {
    const reply = await this.#call('GET', this.#address);
    if (reply.ok) {
      // What was added meanwhile is not in the reply, and is shown on top of it.
      this.#take(reply.data);
    } else {
      this.#refused(reply);
    }
  }

  async #send(entry) {
    const call = this.#callOf(entry);
    if (!call) {
      // What it undoes was not taken.
      this.#queue.remove(entry.key);
      return;
    }
    if (!entry.tried) {
      this.#queue.markTried(entry);
    }
    const before = this.base?.scoreboard;
    const reply = await this.#call(call.method, call.path, call.body, entry.key);
    if (!reply.ok) {
      this.#refused(reply, entry);
      return;
    }
    this.#queue.remove(entry.key);
    this.#note(entry, before, reply.data);
    this.#take(reply.data);
    if (entry.tried) {
      // The answer may be the stored one of an earlier attempt.
      await this.#read();
    }
  }

  #callOf(entry) {
    if (entry.fields) {
      return { method: 'PUT', path: this.#address, body: entry.fields };
    }
    if (entry.action) {
      return { method: 'POST', path: `${this.#address}/actions`, body: entry.action };
    }
    const undoneChange = this.#done().find((each) => each.key === entry.undoes);
    return undoneChange
      ? { method: 'POST', path: `${this.#address}/actions`, body: { action: 'undo', change_id: undoneChange.change_id, at_ms: entry.at_ms } }
      : null;
  }

  /** Remembers a change of this page, so that it can be undone. */
  #note(entry, before, data) {
    let done = this.#done();
    if (entry.undoes) {
      done = done.filter((each) => each.key !== entry.undoes);
    } else if (data.change_id && before) {
      done.push({ key: entry.key, label: entry.label, change_id: data.change_id, before, after: data.scoreboard });
    }
    this.#queue.store('done', done.slice(-KEPT_UNDOS));
  }

  #take(data) {
    this.state = 'connected';
    this.#pauseMs = 0;
    if (!this.base || data.scoreboard.revision >= this.base.scoreboard.revision) {
      this.base = { scoreboard: data.scoreboard, rules: data.rules, link: data.link };
      this.#queue.store('base', this.base);
    }
  }

  #refused(reply, entry) {
    if ([401, 403, 404].includes(reply.status)) {
      this.state = 'gone';
      this.problem = reply.status === 401 ? this.#ended() : 'The live stream of this link was deleted, or the link is not complete.';
    } else if (entry && reply.status < 500 && reply.status !== 429 && reply.retryAfterMs === 0) {
      this.#queue.remove(entry.key);
      this.problem = `Not taken: ${entry.label} (${reply.message})`;
    } else {
      this.#failed(reply.retryAfterMs);
    }
  }

  #ended() {
    const expiresAt = this.base?.link?.expires_at;
    return expiresAt && expiresAt * 1000 <= this.now()
      ? `This link expired on ${new Date(expiresAt * 1000).toLocaleString()}.`
      : 'This link was deleted, or it is not complete.';
  }

  #failed(retryAfterMs) {
    this.state = 'offline';
    this.#pauseMs = retryAfterMs || Math.min(MAX_PAUSE_MS, Math.max(500, this.#pauseMs * 2));
  }

  async #call(method, path, body, key) {
    const headers = { Authorization: `Bearer ${this.#token}` };
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
    }
    if (key !== undefined && method === 'POST') {
      headers['Idempotency-Key'] = key;
    }
    const sentMs = Date.now();
    const reply = await fetch(path, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const envelope = await reply.json();
    if (reply.ok && method === 'GET') {
      this.#adjust(sentMs, envelope.data.now_ms);
    }
    return {
      ok: reply.ok,
      status: reply.status,
      data: envelope.data,
      message: [envelope.message, ...(envelope.errors ?? []).map((each) => `${each.field}: ${each.reason}`)].join('; '),
      retryAfterMs: Number(reply.headers.get('Retry-After') ?? 0) * 1000,
    };
  }

  /** The fastest reply tells best how far the server's clock is ahead of this one. */
  #adjust(sentMs, serverMs) {
    const nowMs = Date.now();
    const rttMs = nowMs - sentMs;
    if (rttMs <= this.#bestRttMs) {
      this.#bestRttMs = rttMs;
      this.#offsetMs = Math.round(serverMs - (sentMs + nowMs) / 2);
      this.#queue.store('offset', this.#offsetMs);
    } else {
      // The best one ages, so that a clock that was set is followed.
      this.#bestRttMs += 20;
    }
  }
}
