import Hls from './hls.min.mjs';

/** Pauses before another attempt; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

/** Played this long without trouble, the next trouble is a first one again. */
const CALM_MS = 10_000;

/** A second decoding error within this time is not mended by flushing the decoder again. */
const MEDIA_ERROR_MS = 5000;

const SETTINGS = {
  enableWorker: false,
  lowLatencyMode: true,
  maxLiveSyncPlaybackRate: 1.25,
  liveSyncOnStallIncrease: 0.25,
  backBufferLength: 30,
  maxBufferLength: 20,
};

const STORED_SETTINGS = { ...SETTINGS, lowLatencyMode: false, backBufferLength: 120 };

/**
 * The video element and what feeds it: hls.js where there is Media Source Extensions, else the
 * browser's own HLS. It tries again after each failure with growing pauses. Events: `playing`,
 * `waiting`, `tracks` (qualities or audio tracks are known), `trouble` (with `detail.status`, the HTTP
 * status or 0), `blocked` (the browser wants a click before it plays).
 */
export class Screen extends EventTarget {
  video = document.createElement('video');
  #hls = null;
  #source = null;
  #timer = 0;
  #attempts = 0;
  #calmSince = 0;
  #mediaErrorAt = -Infinity;

  constructor() {
    super();
    const video = this.video;
    video.playsInline = true;
    video.muted = true;
    video.addEventListener('playing', () => {
      this.#calmSince = performance.now();
      this.#tell('playing');
    });
    video.addEventListener('waiting', () => this.#tell('waiting'));
    video.addEventListener('error', () => this.#source && !this.#hls && this.#again(0));
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
  set quality(index) {
    if (this.#hls) {
      this.#hls.nextLevel = index;
    }
  }

  get audioTracks() {
    return (this.#hls?.audioTracks ?? []).map((track, index) => ({ index, label: track.name || track.lang || `Audio ${index + 1}` }));
  }

  set audioTrack(index) {
    if (this.#hls) {
      this.#hls.audioTrack = index;
    }
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
    this.#attempts = 0;
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
      cmcd: { useHeaders: true },
    });
    this.#hls = hls;
    hls.on(Hls.Events.MANIFEST_PARSED, () => this.play());
    for (const event of [Hls.Events.MANIFEST_PARSED, Hls.Events.LEVELS_UPDATED, Hls.Events.AUDIO_TRACKS_UPDATED]) {
      hls.on(event, () => this.#tell('tracks'));
    }
    hls.on(Hls.Events.ERROR, (_, problem) => problem.fatal && this.#recover(hls, problem));
    hls.loadSource(address);
    hls.attachMedia(this.video);
  }

  #recover(hls, problem) {
    const now = performance.now();
    if (problem.type === Hls.ErrorTypes.MEDIA_ERROR && now - this.#mediaErrorAt > MEDIA_ERROR_MS) {
      this.#mediaErrorAt = now;
      hls.recoverMediaError();
      this.play();
      return;
    }
    this.#again(problem.response?.code ?? 0);
  }

  /** Opens everything anew, a stored source where it stopped. */
  #again(status) {
    if (performance.now() - this.#calmSince > CALM_MS) {
      this.#attempts = 0;
    }
    if (this.#source.stored && this.video.currentTime > 0) {
      this.#source = { ...this.#source, startAt: this.video.currentTime };
    }
    const pause = RETRY_MS[Math.min(this.#attempts++, RETRY_MS.length - 1)];
    this.#release();
    this.#tell('trouble', { status });
    this.#timer = setTimeout(() => this.#start(), pause);
  }

  #release() {
    clearTimeout(this.#timer);
    this.#hls?.destroy();
    this.#hls = null;
    this.video.removeAttribute('src');
    this.video.load();
  }

  #tell(type, detail = null) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
