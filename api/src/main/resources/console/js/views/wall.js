import { AlertList } from '../alert-list.js';
import { streamOf } from '../alert-rules.js';
import { viewers } from '../api.js';
import { element, replace } from '../dom.js';
import { eventHub } from '../event-hub.js';
import { keyOf } from '../keys.js';
import { readEvents } from '../server-sent-events.js';
import { ViewersCard } from '../viewers.js';
import { WallModel } from '../wall-model.js';
import { WallTile } from '../wall-tile.js';

/** Every frame on the screen is renewed in this time; with many, more slowly. */
const REFRESH_MS = 5000;
const MANY = 20;
const TICK_MS = 1000;

/** Frames that are asked for at a time. */
const MAX_PER_TICK = 8;

/** Players at a time. The other tiles show frames. */
const MAX_PLAYERS = 9;

/** Events that come together lead to one reading. */
const SETTLE_MS = 250;

/** Without events the streams are read this often, with them as a check. */
const POLL_MS = 4000;
const CHECK_MS = 30_000;

const PAUSE_MS = 3000;
const MODE = 'touchline.wall';

/** All live streams at once, and their alerts. */
export async function wallPage(main) {
  const wall = new Wall();
  await wall.load();
  const alertList = new AlertList();
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Control room'), wall.modes),
    element('div', { class: 'room' }, wall.root, element('div', { class: 'room-side stack' }, alertList.root, wall.audience.root)));
  wall.start();
  return {
    title: 'Control room',
    keys: wall.keys,
    refresh: () => wall.poll(),
    close: () => {
      wall.close();
      alertList.close();
    },
  };
}

class Wall {
  #model = new WallModel();
  #tiles = new Map();
  #list = element('ul', { class: 'wall', 'aria-label': 'Live streams' });
  #empty = element('div', { class: 'card empty', hidden: true },
    element('p', {}, 'No stream is live. A stream appears here by itself when its encoder starts.'),
    element('a', { class: 'button', href: '#/streams' }, 'Streams'));
  #hint = element('p', { class: 'hint', role: 'status' });
  #keys = element('p', { class: 'hint keys' },
    'Click or ', element('kbd', {}, keyOf('listen')), ': audio of this stream. Double click or ', element('kbd', {}, keyOf('fullScreen')), ': full screen. ',
    element('kbd', {}, keyOf('page')), ': its page. Arrows walk, ', element('kbd', {}, keyOf('mute')), ' mutes.');
  #mode = readMode();
  #solo = null;
  #current = null;
  #dirty = new Set();
  #settling = 0;
  #timer = 0;
  #readAt = 0;
  #stopped = new AbortController();
  #endEvents = () => {};
  #observer = new IntersectionObserver((changes) => this.#seen(changes), { rootMargin: '64px' });
  #onVisibility = () => this.#arrangePlayers();
  audience = new ViewersCard(viewers.all);

  /** Actions by their keys, of the tile that has or had the focus; the first one before. */
  keys = {
    listen: () => this.#withCurrent((tile) => this.#toggleSolo(tile)),
    mute: () => document.fullscreenElement || this.#hear(null),
    fullScreen: () => this.#withCurrent((tile) => this.#fullScreen(tile)),
    page: () => this.#withCurrent((tile) => tile.open()),
    walk: (key) => this.#withCurrent((tile) => this.#walk(tile, key)),
  };

  root = element('section', { 'aria-label': 'Wall' }, this.#list, this.#empty, this.#hint, this.#keys);
  modes = element('fieldset', { class: 'modes' }, element('legend', { class: 'unseen' }, 'What the wall shows'),
    [['frames', 'Thumbnails'], ['players', 'Players']].map(([value, text]) =>
      element('label', {}, element('input', { type: 'radio', name: 'wall-mode', value, checked: this.#mode === value, onchange: () => this.#setMode(value) }), text)));

  constructor() {
    this.#list.addEventListener('click', (event) => event.detail < 2 && this.#with(event, (tile) => this.#toggleSolo(tile)));
    this.#list.addEventListener('dblclick', (event) => this.#with(event, (tile) => this.#fullScreen(tile)));
    this.#list.addEventListener('focusin', (event) => this.#with(event, (tile) => this.#focus(tile, false)));
  }

  async load() {
    await this.#model.read();
    this.#readAt = performance.now();
    this.#draw();
  }

  start() {
    this.#count().catch(() => {});
    this.#endEvents = eventHub.listen({ event: (event, isNew) => isNew && this.#event(event) });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    document.addEventListener('visibilitychange', this.#onVisibility);
    document.addEventListener('fullscreenchange', this.#onVisibility);
    this.#followSignals();
  }

  close() {
    this.#stopped.abort();
    this.#endEvents();
    clearInterval(this.#timer);
    clearTimeout(this.#settling);
    this.#observer.disconnect();
    document.removeEventListener('visibilitychange', this.#onVisibility);
    document.removeEventListener('fullscreenchange', this.#onVisibility);
    this.#tiles.forEach((tile) => tile.close());
    this.#tiles.clear();
  }

  /** Called every other second while the page is visible. */
  async poll() {
    const every = eventHub.state === 'live' ? CHECK_MS : POLL_MS;
    if (performance.now() - this.#readAt >= every) {
      await this.load();
    }
    await this.#count();
  }

  async #count() {
    const { shown } = this.audience;
    await this.audience.refresh();
    if (this.audience.shown !== shown && !this.#stopped.signal.aborted) {
      const counts = new Map(this.audience.shown.streams.map((each) => [each.live_stream_id, each.viewers]));
      this.#tiles.forEach((tile, id) => (tile.viewers = counts.get(id) ?? 0));
      this.#draw();
    }
  }

  #event(event) {
    const stream = streamOf(event);
    if (stream !== null) {
      this.#dirty.add(stream);
      this.#settling ||= setTimeout(() => this.#settle(), SETTLE_MS);
    }
  }

  async #settle() {
    this.#settling = 0;
    const changed = this.#dirty;
    this.#dirty = new Set();
    // What cannot be read now is read by the next poll.
    await this.#model.read(changed).catch(() => {});
    if (!this.#stopped.signal.aborted) {
      this.#draw();
    }
  }

  /** Tiles stay the elements that they are: a video that is moved begins anew. */
  #draw() {
    this.#model.forget();
    const entries = this.#model.entries;
    const wanted = new Set(entries.map(({ stream }) => stream.id));
    for (const [id, tile] of this.#tiles) {
      if (!wanted.has(id)) {
        this.#drop(id, tile);
      }
    }
    entries.forEach((entry, place) => {
      const tile = this.#tiles.get(entry.stream.id) ?? this.#add(entry.stream.id);
      tile.show(entry);
      if (this.#list.children[place] !== tile.root) {
        this.#list.insertBefore(tile.root, this.#list.children[place] ?? null);
      }
    });
    if (!this.#tiles.has(this.#current)) {
      this.#current = entries[0]?.stream.id ?? null;
    }
    for (const [id, tile] of this.#tiles) {
      tile.button.tabIndex = id === this.#current ? 0 : -1;
    }
    this.#empty.hidden = entries.length > 0;
    this.#keys.hidden = entries.length === 0;
    this.#arrangePlayers();
  }

  #add(id) {
    const tile = new WallTile();
    tile.root.dataset.stream = id;
    this.#tiles.set(id, tile);
    this.#observer.observe(tile.root);
    return tile;
  }

  #drop(id, tile) {
    if (this.#solo === id) {
      this.#solo = null;
    }
    this.#observer.unobserve(tile.root);
    tile.close();
    this.#tiles.delete(id);
  }

  #seen(changes) {
    for (const { target, isIntersecting } of changes) {
      const tile = this.#tiles.get(target.dataset.stream);
      if (tile) {
        tile.isVisible = isIntersecting;
      }
    }
    this.#arrangePlayers();
    this.#tick();
  }

  /** The frames that are due: spread over the time, and only what is on the screen. */
  #tick() {
    if (document.hidden) {
      return;
    }
    const shown = [...this.#tiles.values()].filter((tile) => tile.isVisible && tile.isLive && !tile.hasPlayer);
    const every = REFRESH_MS * Math.max(1, shown.length / MANY);
    const now = performance.now();
    const share = Math.min(MAX_PER_TICK, Math.ceil(shown.length * TICK_MS / every));
    shown.filter((tile) => now - tile.askedAt >= every).sort((a, b) => a.askedAt - b.askedAt).slice(0, share).forEach((tile) => tile.refresh());
    if ([...this.#tiles.values()].some((tile) => !tile.isLive)) {
      this.#draw();
    }
  }

  #setMode(mode) {
    this.#mode = mode;
    try {
      localStorage.setItem(MODE, mode);
    } catch {
      // A browser without storage forgets it.
    }
    this.#arrangePlayers();
    this.#tick();
  }

  /** Who plays: the stream that is heard, the one in full screen, then what is on the screen. */
  #arrangePlayers() {
    const full = document.fullscreenElement?.dataset.stream ?? null;
    const wanted = new Set([this.#solo, full].filter((id) => id !== null && this.#tiles.get(id)?.isLive));
    const live = this.#model.entries.filter(({ endedAt }) => endedAt === null);
    if (this.#mode === 'players' && !document.hidden) {
      for (const { stream } of live) {
        if (wanted.size < MAX_PLAYERS && this.#tiles.get(stream.id)?.isVisible) {
          wanted.add(stream.id);
        }
      }
    }
    for (const [id, tile] of this.#tiles) {
      tile.play(wanted.has(id));
    }
    const notes = [];
    if (this.#mode === 'players' && live.length > MAX_PLAYERS) {
      notes.push(`At most ${MAX_PLAYERS} of ${live.length} streams play at a time; the others show thumbnails.`);
    }
    if (this.#model.more > 0) {
      notes.push(`${this.#model.more} more live streams are not on the wall.`);
    }
    const text = notes.join(' ');
    if (this.#hint.textContent !== text) {
      this.#hint.textContent = text;
    }
  }

  #with(event, work) {
    const tile = event.target.closest?.('.tile-button') ? this.#tiles.get(event.target.closest('.tile').dataset.stream) : null;
    if (tile) {
      work(tile);
    }
  }

  #toggleSolo(tile) {
    const id = tile.entry.stream.id;
    this.#hear(this.#solo === id || !tile.isLive ? null : id);
  }

  #hear(id) {
    const before = this.#tiles.get(this.#solo);
    if (before) {
      before.audible = false;
    }
    this.#solo = id;
    if (id !== null) {
      this.#tiles.get(id).audible = true;
    }
    this.#arrangePlayers();
  }

  #fullScreen(tile) {
    if (document.fullscreenElement) {
      document.exitFullscreen();
    } else {
      tile.root.requestFullscreen().catch(() => {});
    }
  }

  #withCurrent(work) {
    const tile = this.#tiles.get(this.#current);
    if (tile) {
      work(tile);
    }
  }

  #walk(tile, key) {
    const all = [...this.#list.children];
    const place = all.indexOf(tile.root);
    const to = {
      ArrowLeft: () => all[place - 1],
      ArrowRight: () => all[place + 1],
      ArrowUp: () => neighbour(all, tile.root, false),
      ArrowDown: () => neighbour(all, tile.root, true),
      Home: () => all[0],
      End: () => all.at(-1),
    };
    this.#focusRoot(to[key]());
  }

  #focusRoot(root) {
    const tile = root && this.#tiles.get(root.dataset.stream);
    if (tile) {
      this.#focus(tile, true);
    }
  }

  #focus(tile, move) {
    const before = this.#tiles.get(this.#current);
    if (before) {
      before.button.tabIndex = -1;
    }
    this.#current = tile.entry.stream.id;
    tile.button.tabIndex = 0;
    if (move) {
      tile.button.focus();
    }
  }

  /** The levels of all watched streams, by one connection. */
  async #followSignals() {
    const stopped = this.#stopped.signal;
    while (!stopped.aborted) {
      await readEvents('/live/v1/signals', stopped, () => {}, (sample) => {
        const tile = this.#tiles.get(sample.live_stream_id);
        if (tile?.isVisible && !document.hidden) {
          tile.measure(sample.audio);
        }
      }).catch(() => {});
      if (!stopped.aborted) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}

/** The tile in the next row that is closest to the same column. */
function neighbour(all, from, down) {
  const here = from.getBoundingClientRect();
  const rows = all.filter((each) => {
    const { top } = each.getBoundingClientRect();
    return down ? top > here.top + 1 : top < here.top - 1;
  });
  const tops = rows.map((each) => each.getBoundingClientRect().top);
  const row = down ? Math.min(...tops) : Math.max(...tops);
  return rows.filter((each) => Math.abs(each.getBoundingClientRect().top - row) <= 1)
    .sort((a, b) => Math.abs(a.getBoundingClientRect().left - here.left) - Math.abs(b.getBoundingClientRect().left - here.left))[0];
}

function readMode() {
  try {
    return localStorage.getItem(MODE) === 'players' ? 'players' : 'frames';
  } catch {
    return 'frames';
  }
}
