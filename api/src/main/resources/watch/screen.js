import { Captions, continuousCaptions } from './captions.js';
import { SESSION_ID, earlyLoader } from './early.js';
import Hls from './hls.min.mjs';
import { keepOneClock } from './one-clock.js';
import { Recovery, SETTINGS, STORED_SETTINGS } from './playback.js';
import { leaveSlowParts } from './slow-part.js';

/**
 * The video element and what feeds it: hls.js where there is Media Source Extensions, else the
 * browser's own HLS. It tries again after each failure with growing pauses. Events: `playing`,
 * `waiting`, `tracks` (qualities, audio tracks or captions are known), `trouble` (with `detail.status`, the HTTP
 * status or 0), `blocked` (the browser wants a click before it plays).
 */
export class Screen extends EventTarget {
  video = document.createElement('video');
  #captions = new Captions(this.video);
  #hls = null;
  #source = null;
  #timer = 0;
  #recovery = new Recovery();

  constructor() {
    super();
    const video = this.video;
    video.playsInline = true;
    video.muted = true;
    video.addEventListener('playing', () => {
      this.#recovery.playing();
      this.#tell('playing');
    });
    video.addEventListener('waiting', () => this.#tell('waiting'));
    video.addEventListener('error', () => this.#source && !this.#hls && this.#again(0));
    video.textTracks.addEventListener('addtrack', () => this.#tell('tracks'));
  }

  /** Whether something is being played, or tried. */
  get isOpen() {
    return this.#source !== null;
  }

  /** Qualities, the highest first: `{index, label}`; empty where the browser chooses alone. */
  get qualities() {
    return (this.#hls?.levels ?? [])
      .map((level, index) => ({ index, side: Math.min(level.width, level.height), rate: level.bitrate }))
      .toSorted((a, b) => b.side - a.side || b.rate - a.rate)
      .map(({ index, side, rate }) => ({ index, label: side > 0 ? `${side}p` : `${Math.round(rate / 1000)} kbit/s` }));
  }

  /** -1 chooses by the line. */
  get quality() {
    return this.#hls?.manualLevel ?? -1;
  }

  set quality(index) {
    if (this.#hls) {
      this.#hls.nextLevel = index;
    }
  }

  get audioTracks() {
    return (this.#hls?.audioTracks ?? []).map((track, index) => ({ index, label: track.name || track.lang || `Audio ${index + 1}` }));
  }

  get audioTrack() {
    return this.#hls?.audioTrack ?? 0;
  }

  set audioTrack(index) {
    if (this.#hls) {
      this.#hls.audioTrack = index;
    }
  }

  get captionTracks() {
    return this.#texts().map(({ label, language }, index) => ({ index, label: label.startsWith('CC') ? label : `CC ${label || language || index + 1}` }));
  }

  /** -1 shows none. */
  get captions() {
    return this.#texts().findIndex(({ mode }) => mode === 'showing');
  }

  set captions(index) {
    this.#texts().forEach((track, at) => (track.mode = at === index ? 'showing' : 'hidden'));
  }

  #texts() {
    return this.#hls ? this.#captions.tracks : [...this.video.textTracks].filter(({ kind }) => kind === 'captions' || kind === 'subtitles');
  }

  /** Seconds behind the live edge; null where unknown. */
  get behind() {
    const latency = this.#hls?.latency ?? 0;
    const target = this.#hls?.targetLatency ?? null;
    return target === null || !Number.isFinite(latency) ? null : Math.max(0, latency - target);
  }

  /**
   * Plays an address from now on.
   *
   * @param source `{address, stored, startAt}`: `stored` plays from `startAt` seconds
   */
  open(source) {
    this.close();
    this.#source = source;
    this.#recovery.reset();
    this.#start();
  }

  close() {
    this.#source = null;
    this.#release();
  }

  /** Goes to the newest media. */
  jump() {
    const live = this.#hls?.liveSyncPosition ?? null;
    if (live !== null) {
      this.video.currentTime = live;
    } else if (!this.#hls && this.video.seekable.length > 0) {
      this.video.currentTime = this.video.seekable.end(this.video.seekable.length - 1);
    }
    this.play();
  }

  play() {
    this.video.play().catch((problem) => problem.name === 'NotAllowedError' && this.#tell('blocked'));
  }

  #start() {
    const { address, stored, startAt = 0 } = this.#source;
    if (!Hls.isSupported()) {
      this.video.src = stored && startAt > 0 ? `${address}#t=${startAt}` : address;
      this.play();
      return;
    }
    const hls = new Hls({
      ...(stored ? { ...STORED_SETTINGS, startPosition: startAt } : SETTINGS),
      loader: earlyLoader(Hls.DefaultConfig.loader),
      timelineController: continuousCaptions(Hls),
      cmcd: { useHeaders: true, sessionId: SESSION_ID },
    });
    this.#hls = hls;
    keepOneClock(hls, Hls);
    leaveSlowParts(hls, Hls);
    this.#captions.follow(hls, Hls);
    hls.on(Hls.Events.MANIFEST_PARSED, () => this.play());
    for (const event of [Hls.Events.MANIFEST_PARSED, Hls.Events.LEVELS_UPDATED, Hls.Events.AUDIO_TRACKS_UPDATED, Hls.Events.NON_NATIVE_TEXT_TRACKS_FOUND]) {
      hls.on(event, () => this.#tell('tracks'));
    }
    hls.on(Hls.Events.ERROR, (_, problem) => problem.fatal && this.#recover(hls, problem));
    hls.loadSource(address);
    hls.attachMedia(this.video);
  }

  #recover(hls, problem) {
    if (this.#recovery.mayFlush(problem, Hls)) {
      hls.recoverMediaError();
      this.play();
      return;
    }
    this.#again(problem.response?.code ?? 0);
  }

  /** Opens everything anew, a stored source where it stopped. */
  #again(status) {
    if (this.#source.stored && this.video.currentTime > 0) {
      this.#source = { ...this.#source, startAt: this.video.currentTime };
    }
    this.#release();
    this.#tell('trouble', { status });
    this.#timer = setTimeout(() => this.#start(), this.#recovery.pause());
  }

  #release() {
    clearTimeout(this.#timer);
    this.#hls?.destroy();
    this.#hls = null;
    this.#captions.clear();
    this.video.removeAttribute('src');
    this.video.load();
  }

  #tell(type, detail = null) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
