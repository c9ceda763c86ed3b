import Hls from '../vendor/hls.min.mjs';
import { element } from './dom.js';
import { keepOneClock } from './one-clock.js';
import { leaveSlowParts } from './slow-part.js';

/** Pauses before another attempt; the last one repeats. */
const RETRY_MS = [1000, 2000, 4000, 8000];

/**
 * hls.js for many players on one page: the rendition that fits the tile, a short buffer, and nothing kept
 * behind the frame that is shown.
 */
const SETTINGS = {
  enableWorker: false,
  lowLatencyMode: true,
  maxLiveSyncPlaybackRate: 1.25,
  capLevelToPlayerSize: true,
  startLevel: 0,
  maxBufferLength: 8,
  backBufferLength: 0,
  enableCEA708Captions: false,
};

/** A muted player of a live address in a tile, without controls. It tries again until it is closed. */
export class TilePlayer {
  #address;
  #hls = null;
  #timer = 0;
  #attempts = 0;
  video = element('video', { playsinline: true, 'aria-hidden': 'true', tabindex: '-1' });

  constructor(address) {
    this.#address = address;
    this.video.muted = true;
    this.video.addEventListener('playing', () => {
      this.#attempts = 0;
    });
    this.#open();
  }

  set muted(muted) {
    this.video.muted = muted;
    this.#play();
  }

  close() {
    clearTimeout(this.#timer);
    this.#hls?.destroy();
    this.#hls = null;
    this.video.removeAttribute('src');
    this.video.load();
    this.video.remove();
  }

  #open() {
    if (!Hls.isSupported()) {
      this.video.src = this.#address;
      this.#play();
      return;
    }
    const hls = new Hls(SETTINGS);
    this.#hls = hls;
    keepOneClock(hls, Hls);
    leaveSlowParts(hls, Hls);
    hls.on(Hls.Events.MANIFEST_PARSED, () => this.#play());
    hls.on(Hls.Events.ERROR, (_, problem) => {
      if (problem.fatal && this.#hls === hls) {
        hls.destroy();
        this.#hls = null;
        this.#timer = setTimeout(() => this.#open(), RETRY_MS[Math.min(this.#attempts++, RETRY_MS.length - 1)]);
      }
    });
    hls.loadSource(this.#address);
    hls.attachMedia(this.video);
  }

  #play() {
    // Without a click before it, a browser refuses audio: the frame is shown without.
    this.video.play().catch((problem) => {
      if (problem.name === 'NotAllowedError' && !this.video.muted) {
        this.video.muted = true;
        this.video.play().catch(() => {});
      }
    });
  }
}
