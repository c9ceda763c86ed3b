import Hls from '../vendor/hls.min.mjs';
import { element } from './dom.js';
import { Figures, measure } from './latency.js';
import { keepOneClock } from './one-clock.js';
import { Recovery, SETTINGS, STORED_SETTINGS } from './playback.js';
import { AudioMenu, QualityMenu } from './quality.js';
import { leaveSlowParts } from './slow-part.js';

/** What is still buffered when a stream ends may play out this long. */
const PLAY_OUT_MS = 30_000;

/** Less than this in the buffer is as good as nothing. */
const PLAYED_OUT_S = 0.1;

const MEASURE_MS = 500;

/**
 * Faults of a media playlist. hls.js reports them while an encoder is away: the playlist does not
 * change, a reload is not answered in time, or the playlist changes in a way that hls.js rejects.
 */
const PLAYLIST_FAULTS = new Set([
  Hls.ErrorDetails.AUDIO_TRACK_LOAD_ERROR,
  Hls.ErrorDetails.AUDIO_TRACK_LOAD_TIMEOUT,
  Hls.ErrorDetails.LEVEL_EMPTY_ERROR,
  Hls.ErrorDetails.LEVEL_LOAD_ERROR,
  Hls.ErrorDetails.LEVEL_LOAD_TIMEOUT,
  Hls.ErrorDetails.LEVEL_PARSING_ERROR,
  Hls.ErrorDetails.PLAYLIST_UNCHANGED_ERROR,
]);

/**
 * A player for one live address, or for one of a recording: hls.js where there is Media Source Extensions, else the browser's
 * own HLS. It waits for the stream to begin, recovers from failures with growing pauses, plays out
 * what is left when the stream ends, and shows how far it is behind live. A recording stays
 * where it ended, to be played again.
 */
export class Player {
  #stored;
  #hls = null;
  #address = null;
  #session = null;
  #retryTimer = 0;
  #endTimer = 0;
  #measureTimer = 0;
  #recovery = new Recovery();
  #ending = null;
  #back = null;
  #shifts = new Map();
  #figures = new Figures();
  #quality = new QualityMenu();
  #audio = new AudioMenu();
  #video = element('video', { controls: true, muted: true, playsinline: true, 'aria-label': 'Frame' });
  #title = element('span', {}, 'Not live');
  #subtitle = element('small', {}, '');
  #veil = element('div', { class: 'veil', role: 'status' }, this.#title, this.#subtitle);
  #goLive = element('button', { class: 'go-live small', type: 'button', hidden: true, onclick: () => this.goLive() }, 'Go live');
  /** Container of the elements over the video. */
  frame = element('div', { class: 'player' }, this.#video, this.#goLive, this.#veil);
  root = element('div', {}, this.frame, this.#quality.root, this.#audio.root, this.#figures.root);

  constructor({ stored = false } = {}) {
    this.#stored = stored;
    const video = this.#video;
    video.muted = true;
    video.addEventListener('playing', () => this.#playing());
    video.addEventListener('ended', () => this.#stored || this.#ended());
    video.addEventListener('error', () => this.#isNative() && this.#tryAgain('Playback failed', video.error?.message ?? ''));
  }

  /** The video element, for seeking. */
  get video() {
    return this.#video;
  }

  /**
   * Media time of a time of the player, in seconds: as in the segments, which the recording has too.
   * null before the first segment, and where the browser plays HLS itself.
   */
  mediaTime(playerS) {
    const shift = this.#shifts.get(this.#rangeAt(playerS)) ?? this.#anyShift;
    return shift === undefined ? null : playerS + shift;
  }

  /** The other way round. */
  playerTime(mediaS) {
    const found = [...this.#shifts].find(([range, shift]) => this.#rangeAt(mediaS - shift) === range);
    const shift = found?.[1] ?? this.#anyShift;
    return shift === undefined ? null : mediaS - shift;
  }

  /** hls.js may move the media behind each discontinuity by its own offset. */
  #rangeAt(playerS) {
    const fragments = this.#hls?.latestLevelDetails?.fragments ?? [];
    return (fragments.find(({ end }) => playerS < end) ?? fragments.at(-1))?.cc;
  }

  get #anyShift() {
    return this.#shifts.values().next().value;
  }

  /** Whether it plays the recording of the running session, not its live edge. */
  get isRewound() {
    return this.#back !== null;
  }

  /**
   * Leaves the live edge: plays the session from its recording, paused.
   *
   * @param address of the recording, which may grow
   * @param mediaS the frame to show first, in media time
   * @param startS about where that is, in seconds since the start
   */
  rewind(address, mediaS, startS) {
    const [live, session] = [this.#address, this.#session];
    this.#close();
    this.#address = live;
    this.#session = session;
    this.#back = { address, mediaS, startS };
    this.#open();
  }

  /** Back to the live edge. */
  goLive() {
    if (this.#back) {
      this.#close();
      this.#back = null;
      this.#open();
    } else {
      this.#jump();
    }
  }

  /** Plays a session at an address; the same one again changes nothing, unless it has more renditions now. */
  play(address, session, renditions = 0) {
    if (this.#address === address && this.#session === session) {
      this.#findRenditions(renditions);
      return;
    }
    this.stop('Waiting for the first segment …', 'Video appears after the first packaged segment.');
    this.#address = address;
    this.#session = session;
    this.#open();
  }

  /** hls.js reads the multivariant playlist once: renditions that begin later are found by opening it again. */
  async #findRenditions(running) {
    const hls = this.#back ? null : this.#hls;
    const known = hls?.levels.length ?? 0;
    if (known === 0 || running < known || this.#ending) {
      return;
    }
    const text = await fetch(this.#address).then((reply) => reply.text(), () => '');
    const listed = text.split('\n').filter((line) => line.startsWith('#EXT-X-STREAM-INF')).length;
    if (listed > known && this.#hls === hls && !this.#ending) {
      this.#close();
      this.#open();
    }
  }

  /** The stream has ended: what is buffered plays out, then the text is shown. */
  end(title, subtitle = '') {
    if (this.#ending || this.#back) {
      // What is rewound stays.
      return;
    }
    const isPlaying = !this.#video.paused && this.#video.readyState > 2;
    if (!isPlaying) {
      this.stop(title, subtitle);
      return;
    }
    this.#ending = { title, subtitle };
    this.#endTimer = setTimeout(() => this.#ended(), PLAY_OUT_MS);
  }

  /** Ends at once. */
  stop(title, subtitle = '') {
    this.#close();
    this.#back = null;
    this.#address = null;
    this.#session = null;
    this.#recovery.reset();
    this.#show(title, subtitle);
  }

  #close() {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#endTimer);
    clearInterval(this.#measureTimer);
    this.#ending = null;
    this.#shifts.clear();
    this.#hls?.destroy();
    this.#hls = null;
    this.#video.removeAttribute('src');
    this.#video.load();
    this.#goLive.hidden = true;
    this.#figures.hide();
    this.#quality.hide();
    this.#audio.hide();
  }

  #show(title, subtitle) {
    this.#title.textContent = title;
    this.#subtitle.textContent = subtitle;
    this.#veil.hidden = false;
  }

  #open() {
    if (Hls.isSupported()) {
      this.#openHls();
    } else if (this.#video.canPlayType('application/vnd.apple.mpegurl')) {
      this.#video.src = this.#address;
      this.#start();
    } else {
      this.#show('This browser does not support HLS', 'It has neither Media Source Extensions nor native HLS.');
      return;
    }
    if (!this.#stored && !this.#back) {
      this.#measureTimer = setInterval(() => this.#measure(), MEASURE_MS);
    }
  }

  #openHls() {
    const back = this.#back;
    const hls = new Hls(back ? { ...STORED_SETTINGS, startPosition: back.startS } : this.#stored ? STORED_SETTINGS : SETTINGS);
    this.#hls = hls;
    this.#goLive.hidden = !back;
    keepOneClock(hls, Hls);
    leaveSlowParts(hls, Hls);
    hls.on(Hls.Events.INIT_PTS_FOUND, (_, { id, frag, initPTS, timescale }) => id === 'main' && this.#shifted(frag.cc, initPTS / timescale));
    hls.on(Hls.Events.MANIFEST_PARSED, () => {
      this.#quality.show(hls);
      this.#audio.show(hls);
      this.#start();
    });
    hls.on(Hls.Events.LEVELS_UPDATED, () => this.#quality.show(hls));
    hls.on(Hls.Events.ERROR, (_, problem) => problem.fatal && this.#recover(hls, problem));
    hls.loadSource(back?.address ?? this.#address);
    hls.attachMedia(this.#video);
  }

  #isNative() {
    return this.#hls === null && this.#address !== null;
  }

  /** Media time minus the player's is known; the first frame of what was rewound is sought exactly. */
  #shifted(range, seconds) {
    this.#shifts.set(range, seconds);
    if (this.#back && this.#back.mediaS !== null) {
      this.#video.currentTime = this.playerTime(this.#back.mediaS);
      this.#back.mediaS = null;
    }
  }

  #start() {
    if (this.#back) {
      this.#veil.hidden = true;
      return;
    }
    this.#video.play().catch((problem) => {
      if (problem.name === 'NotAllowedError') {
        this.#show('Press play', 'The browser requires a click before playback.');
      }
    });
  }

  #playing() {
    this.#veil.hidden = true;
    this.#recovery.playing();
  }

  #ended() {
    if (this.#back) {
      return;
    }
    const { title, subtitle } = this.#ending ?? { title: 'The stream has ended', subtitle: '' };
    const [address, session] = [this.#address, this.#session];
    this.stop(title, subtitle);
    // A page that still says "active" must not open the ended session again.
    this.#address = address;
    this.#session = session;
  }

  #recover(hls, problem) {
    if (this.#recovery.mayFlush(problem, Hls)) {
      hls.recoverMediaError();
      this.#start();
      return;
    }
    const status = problem.response?.code;
    if (this.#ending) {
      this.#ended();
    } else if (status === 403) {
      this.#tryAgain('This playback id is signed', 'A token is required.');
    } else if (status === 404) {
      this.#tryAgain(this.#stored ? 'Waiting for the recording …' : 'Waiting for the stream …', '');
    } else if (PLAYLIST_FAULTS.has(problem.details) && !this.#stored) {
      this.#tryAgain('Waiting for the encoder …', 'Playback continues when new media arrives.');
    } else {
      this.#tryAgain('Playback interrupted', `Trying again (${problem.details}).`);
    }
  }

  /** Opens everything anew, after a pause that grows until something has played for a while. */
  #tryAgain(title, subtitle) {
    if (this.#back && this.#video.currentTime > 0) {
      this.#back = { ...this.#back, mediaS: this.mediaTime(this.#video.currentTime), startS: this.#video.currentTime };
    }
    this.#close();
    this.#show(title, subtitle);
    this.#retryTimer = setTimeout(() => this.#open(), this.#recovery.pause());
  }

  #measure() {
    if (this.#video.readyState < 2) {
      return;
    }
    const facts = measure(this.#hls, this.#video);
    this.#figures.show(facts, this.#video);
    this.#goLive.hidden = !facts.isFarBehind || this.#ending !== null;
    if (this.#ending && facts.buffer < PLAYED_OUT_S) {
      this.#ended();
    }
  }

  #jump() {
    const live = this.#hls?.liveSyncPosition ?? null;
    if (live !== null) {
      this.#video.currentTime = live;
    }
    this.#goLive.hidden = true;
    this.#start();
  }
}
