import { Controls } from './controls.js';
import { Screen } from './screen.js';
import { chapters } from './seek-bar.js';

/** How often the page asks what is on the air. */
const ASK_MS = 2000;

/** In a tab that nobody sees. */
const ASK_HIDDEN_MS = 15_000;

const CHAPTERS_MS = 10_000;
const SHOW_MS = 250;

/** What is left in the buffer when a stream ends may play out this long. */
const PLAY_OUT_MS = 30_000;

/** Less than this in the buffer is as good as nothing. */
const PLAYED_OUT_S = 0.1;

/** Farther behind than this is not at the live edge. */
const BEHIND_S = 6;

const TEXTS = {
  idle: ['Starts soon', 'The stream starts here by itself.'],
  ended: ['The stream has ended', 'If it comes back, it goes on here.'],
  disabled: ['Off the air', 'This stream is not available now.'],
  recording: ['Starting …', ''],
  ready: ['Starting …', ''],
  live: ['Starting …', ''],
  interrupted: ['One moment', 'The stream is interrupted and goes on here by itself.'],
  gone: ['Not available', 'There is nothing under this address.'],
  refused: ['Not available', 'This link is not valid, or not any more.'],
  click: ['Press play', 'The browser wants a click first.'],
  offline: ['One moment', 'The server cannot be reached. The page tries again.'],
};

/** The page: what is on the air decides what the screen plays. */
class Page {
  #id = document.body.dataset.playbackId;
  #base = document.body.dataset.base;
  #token = new URLSearchParams(location.search).get('token');
  #state = JSON.parse(document.body.dataset.state);
  #askedAt = performance.now();
  #player = document.getElementById('player');
  #heading = document.getElementById('heading');
  #screen = new Screen();
  #controls = new Controls(this.#screen, this.#player);
  #title = document.createElement('strong');
  #note = document.createElement('span');
  #veil = document.createElement('div');

  /** What the screen plays: `live`, `dvr` (a running session from its start) or `asset`; null for nothing. */
  #shows = null;
  #session = null;
  #hasPlayed = false;
  #endsAt = 0;
  #chaptersAt = -Infinity;

  start() {
    this.#veil.className = 'veil';
    this.#veil.setAttribute('role', 'status');
    this.#veil.append(this.#title, this.#note);
    this.#screen.video.setAttribute('aria-label', document.title);
    this.#screen.video.poster = this.#address(`${this.#id}/thumbnail.jpg`);
    this.#player.append(this.#screen.video, this.#veil, this.#controls.root);
    this.#screen.addEventListener('playing', () => this.#playing());
    this.#screen.addEventListener('waiting', () => this.#waiting());
    this.#screen.addEventListener('tracks', () => this.#controls.tracks());
    this.#screen.addEventListener('trouble', () => this.#trouble());
    this.#screen.addEventListener('blocked', () => this.#tell('click'));
    this.#controls.addEventListener('seek', ({ detail }) => this.#seek(detail));
    this.#controls.addEventListener('step', ({ detail }) => this.#seek(this.#position() + detail));
    this.#controls.addEventListener('live', () => this.#goLive());
    document.addEventListener('visibilitychange', () => document.hidden || this.#ask());
    this.#follow();
    this.#askLater();
    setInterval(() => this.#show(), SHOW_MS);
  }

  #address(path, parameters = {}) {
    const query = new URLSearchParams(this.#token === null ? parameters : { ...parameters, token: this.#token });
    return new URL(`${this.#base}${path}${query.size > 0 ? `?${query}` : ''}`, location.href).href;
  }

  #tell(name) {
    [this.#title.textContent, this.#note.textContent] = TEXTS[name];
    this.#veil.hidden = false;
    this.#player.dataset.says = name;
  }

  #askLater() {
    setTimeout(() => this.#ask().finally(() => this.#askLater()), document.hidden ? ASK_HIDDEN_MS : ASK_MS);
  }

  async #ask() {
    try {
      const response = await fetch(this.#address(`${this.#id}/watch.json`), { cache: 'no-store' });
      if (response.ok) {
        this.#state = await response.json();
        this.#askedAt = performance.now();
        this.#follow();
      } else if (response.status === 404 || response.status === 403) {
        this.#stop(response.status === 404 ? 'gone' : 'refused');
      }
    } catch {
      if (!this.#screen.isOpen) {
        this.#tell('offline');
      }
    }
  }

  /** Brings the screen in line with the state. */
  #follow() {
    const { state, title, session_id: session } = this.#state;
    if (title) {
      this.#heading.textContent = title;
      document.title = title;
    }
    if (state === 'ready' || state === 'recording') {
      this.#open('asset');
    } else if (state === 'live' || state === 'interrupted') {
      this.#endsAt = 0;
      if (this.#session !== session) {
        this.#session = session;
        this.#open('live');
      }
    } else if (state === 'disabled') {
      this.#stop('disabled');
    } else {
      this.#end();
    }
    this.#readChapters();
  }

  #open(what, startAt = 0) {
    if (what === 'asset' && this.#shows === 'asset') {
      return;
    }
    this.#shows = what;
    this.#tell(this.#state.state);
    this.#controls.atNormalSpeed();
    const address = this.#address(`${this.#id}.m3u8`, what === 'dvr' ? { dvr: 1 } : {});
    this.#screen.open({ address, stored: what !== 'live', startAt });
  }

  /** The session is over: what is buffered plays out first. */
  #end() {
    if (this.#shows === null) {
      this.#tell(this.#hasPlayed ? 'ended' : 'idle');
    } else if (this.#endsAt === 0) {
      this.#endsAt = performance.now() + PLAY_OUT_MS;
    }
  }

  #stop(says) {
    this.#screen.close();
    this.#shows = null;
    this.#session = null;
    this.#endsAt = 0;
    this.#tell(says);
  }

  #playing() {
    this.#hasPlayed = true;
    this.#veil.hidden = true;
    this.#player.dataset.says = 'playing';
  }

  #waiting() {
    if (this.#state.state === 'interrupted' && this.#shows === 'live') {
      this.#tell('interrupted');
    }
  }

  #trouble() {
    this.#tell(this.#state.state === 'live' && this.#hasPlayed ? 'interrupted' : this.#state.state);
  }

  /** Seconds since the session's first frame, by now. */
  #length() {
    const { state, position, duration } = this.#state;
    if (this.#shows === 'asset') {
      const { video } = this.#screen;
      return Number.isFinite(video.duration) ? Math.max(duration, video.duration) : duration;
    }
    const since = state === 'live' ? (performance.now() - this.#askedAt) / 1000 : 0;
    return this.#state.dvr && position !== undefined ? position + since : 0;
  }

  #position() {
    return this.#shows === 'live' ? this.#length() : this.#screen.video.currentTime;
  }

  #seek(seconds) {
    const to = Math.min(Math.max(0, seconds), this.#length());
    if (this.#shows === 'live') {
      if (to < this.#length() - 1) {
        this.#open('dvr', to);
      }
    } else if (this.#shows !== null && this.#shows !== 'live') {
      this.#screen.video.currentTime = to;
    }
  }

  #goLive() {
    if (this.#shows === 'dvr') {
      this.#open('live');
    } else if (this.#shows === 'live') {
      this.#screen.jump();
    } else if (this.#shows === 'asset') {
      this.#seek(this.#length());
    }
  }

  #show() {
    const { video } = this.#screen;
    const isLive = this.#shows === 'live' || this.#shows === 'dvr';
    this.#controls.show({
      position: this.#position(),
      length: this.#length(),
      live: isLive,
      atEdge: this.#shows === 'live' && (this.#screen.behind ?? 0) < BEHIND_S && !video.paused,
    });
    if (this.#endsAt > 0 && this.#shows === 'live') {
      const left = video.buffered.length > 0 ? video.buffered.end(video.buffered.length - 1) - video.currentTime : 0;
      if (left < PLAYED_OUT_S || performance.now() > this.#endsAt || video.paused) {
        this.#stop('ended');
      }
    } else if (this.#endsAt > 0 && this.#shows === 'dvr' && video.ended) {
      this.#stop('ended');
    }
  }

  async #readChapters() {
    const now = performance.now();
    if (this.#shows === null || this.#length() <= 0 || now - this.#chaptersAt < CHAPTERS_MS) {
      return;
    }
    this.#chaptersAt = now;
    try {
      const response = await fetch(this.#address(`${this.#id}/chapters.vtt`));
      this.#controls.chapters = response.ok ? chapters(await response.text()) : [];
    } catch {
      // The next round asks again.
    }
  }
}

new Page().start();
