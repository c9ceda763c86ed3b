import { ApiError } from './api.js';
import { frameImage } from './evidence.js';
import { moderation } from './moderation-api.js';

/** Records of one call, and how few may wait before the next call. */
const CHUNK = 25;
const FEW = 12;

/** Frames that are loaded before they are shown. */
const AHEAD = 8;

/** Decisions that can be undone. */
const HISTORY = 100;

/** Decided records whose frames are kept. */
const FRAMES = 12;

/**
 * The open records of all streams, in their order, as far as they are known. Records that arrive, and
 * those that another person decides, change what waits, never the record that is shown. Decisions are
 * sent in the background: the next record is there at once. Events: `changed`; `refused` with
 * `detail`, a text.
 */
export class ReviewQueue extends EventTarget {
  #filter;
  #waiting = [];
  #skipped = new Set();
  #sent = 0;
  #backAt = new Map();
  #frames = new Map();
  #decided = [];
  #isWhole = false;
  #filling = null;
  #total = 0;
  #count = 0;

  /** The record that is shown; null where none is open. */
  current = null;

  /** @param filter parameters of the list: search, alert_type, order, from */
  constructor(filter) {
    super();
    this.#filter = filter;
  }

  /** Open records, also those that are not loaded. */
  get open() {
    return Math.max(this.#total - this.#sent, this.#waiting.length);
  }

  /** Decisions of this page. */
  get count() {
    return this.#count;
  }

  /** What waits behind the current record. */
  get next() {
    return this.#waiting.filter((record) => record !== this.current && !this.#skipped.has(record.id));
  }

  get skipped() {
    return this.#skipped.size;
  }

  /** Decisions, the newest first: `{record, word}`. */
  get history() {
    return this.#decided.toReversed();
  }

  /** The frame of a record as an image element, loaded or loading; null where it has none. */
  frame(record) {
    if (!this.#frames.has(record.id)) {
      this.#frames.set(record.id, frameImage(record));
    }
    return this.#frames.get(record.id);
  }

  /** Whether the current record's frame has been loaded, or cannot be. */
  get isShown() {
    const image = this.current && this.frame(this.current);
    return this.current !== null && (image === null || image.complete);
  }

  /** Asks what is open now. */
  async refresh() {
    const askedAt = performance.now();
    const reply = await moderation.open(this.#filter, CHUNK);
    this.#total = reply.total;
    const found = reply.data.filter(({ id }) => !this.#isDecided(id, askedAt));
    const ids = new Set(found.map(({ id }) => id));
    const last = reply.data.at(-1);
    const isGone = (record) =>
      !ids.has(record.id)
      && (!reply.has_more || !this.#isBehind(record, last))
      && !(this.#backAt.get(record.id) > askedAt);
    const gone = this.#waiting.filter(isGone);
    gone.forEach((record) => this.#drop(record));
    this.#add(found);
    this.#isWhole = !reply.has_more;
    if (this.current && gone.includes(this.current)) {
      this.#tell(`${nameOf(this.current)}: another person has decided this record`);
      this.current = null;
    }
    this.#goOn();
  }

  /** Whether it is being decided here, or was decided after that time: the reply may be older. */
  #isDecided(id, askedAt) {
    return this.#decided.some((entry) => entry.record.id === id && entry.settledAt > askedAt);
  }

  #add(records) {
    const known = new Set(this.#waiting.map(({ id }) => id));
    this.#waiting = [...this.#waiting, ...records.filter(({ id }) => !known.has(id))]
      .toSorted((a, b) => (this.#isBehind(a, b) ? 1 : -1));
  }

  #isBehind(a, b) {
    return this.#filter.order === 'newest' ? a.id < b.id : a.id > b.id;
  }

  #drop(record) {
    this.#waiting = this.#waiting.filter((each) => each !== record);
    this.#skipped.delete(record.id);
    this.#frames.delete(record.id);
  }

  /** Shows the next record where none is shown, and loads what will be shown soon. */
  #goOn() {
    if (this.current === null) {
      this.current = this.next[0] ?? null;
      if (this.current === null && this.#skipped.size > 0) {
        // From the start again: what was skipped is still open.
        this.#skipped.clear();
        this.current = this.next[0] ?? null;
      }
    }
    for (const record of this.next.slice(0, AHEAD)) {
      this.frame(record);
    }
    if (!this.#isWhole && this.next.length < FEW) {
      this.#fill();
    }
    this.dispatchEvent(new Event('changed'));
  }

  /** Loads what is behind the last known record. */
  #fill() {
    this.#filling ??= (async () => {
      try {
        const askedAt = performance.now();
        const last = this.#waiting.at(-1);
        const reply = await moderation.open(last ? { ...this.#filter, after: last.id } : this.#filter, CHUNK);
        this.#add(reply.data.filter(({ id }) => !this.#isDecided(id, askedAt)));
        this.#isWhole = !reply.has_more;
        this.#filling = null;
        this.#goOn();
      } catch {
        // The next refresh asks again.
        this.#filling = null;
      }
    })();
  }

  skip() {
    if (this.current) {
      this.#skipped.add(this.current.id);
      this.current = null;
      this.#goOn();
    }
  }

  /**
   * Decides the current record, and shows the next one.
   *
   * @param decision `pass` or `reject`
   * @param word for the list of decisions
   * @param also done after it; resolves to what undoes it, or to nothing
   */
  decide(decision, note, word = decision, also = async () => {}) {
    const record = this.current;
    const entry = { record, word, done: null, settledAt: Infinity };
    this.#sent++;
    this.#waiting = this.#waiting.filter((each) => each !== record);
    this.#decided = [...this.#decided, entry].slice(-HISTORY);
    // The frame of an old decision is loaded again where that is undone.
    this.#frames.delete(this.#decided.at(-FRAMES)?.record.id);
    this.#count++;
    this.current = null;
    this.#goOn();
    entry.done = this.#send(entry, decision, note, also);
    return entry.done;
  }

  async #send(entry, decision, note, also) {
    const { record } = entry;
    try {
      const reviewed = await moderation.decide(record.id, decision, note);
      return { reviewed, undoMore: await also() };
    } catch (problem) {
      this.#forget(entry);
      if (problem instanceof ApiError && (problem.status === 409 || problem.status === 404)) {
        this.#drop(record);
        this.#tell(problem.status === 409 ? `${nameOf(record)}: ${problem.message}` : `${nameOf(record)}: the record is gone`);
      } else {
        // Still open: it waits again.
        this.#putBack(record);
        this.#tell(`Not saved: ${problem instanceof ApiError ? problem.message : 'the server cannot be reached'}`);
      }
      this.#goOn();
      return null;
    } finally {
      entry.settledAt = performance.now();
      this.#sent--;
      this.#total--;
    }
  }

  #forget(entry) {
    this.#decided = this.#decided.filter((each) => each !== entry);
    this.#count--;
  }

  #putBack(record) {
    this.#backAt.set(record.id, performance.now());
    this.#add([record]);
    this.#total++;
  }

  /** Takes the last decision back, and shows its record. Resolves to whether there was one. */
  async undo() {
    const entry = this.#decided.at(-1);
    if (!entry) {
      return false;
    }
    this.#decided.pop();
    const done = await entry.done;
    if (done === null) {
      return true;
    }
    try {
      await done.undoMore?.();
      const record = await moderation.takeBack(done.reviewed);
      this.#count--;
      this.#putBack(record);
      this.current = record;
    } catch (problem) {
      if (!(problem instanceof ApiError && problem.status === 409)) {
        this.#decided.push(entry);
      }
      this.#tell(`Not undone: ${problem instanceof ApiError ? problem.message : 'the server cannot be reached'}`);
    }
    this.#goOn();
    return true;
  }

  #tell(text) {
    this.dispatchEvent(new CustomEvent('refused', { detail: text }));
  }
}

/** The stream of a record. */
export function nameOf(record) {
  return record.live_stream_title || record.live_stream_id;
}
