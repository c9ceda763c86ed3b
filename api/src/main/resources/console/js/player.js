import Hls from '../vendor/hls.light.min.mjs';
import { element, replace } from './dom.js';

/** Waits before another look at a playlist that is not there yet. */
const RETRY_MS = 1500;

/**
 * A player for one live address: hls.js where there is Media Source Extensions, else the browser's
 * own HLS. It waits for the stream to begin, recovers from what can be recovered from, and shows
 * how far behind live the picture is.
 */
export class Player {
  #hls = null;
  #timer = 0;
  #figuresTimer = 0;
  #address = null;
  #session = null;
  #video = element('video', { controls: true, muted: true, playsinline: true, 'aria-label': 'Live picture' });
  #title = element('span', {}, 'Not live');
  #subtitle = element('small', {}, '');
  #veil = element('div', { class: 'veil' }, this.#title, this.#subtitle);
  #figures = element('div', { class: 'figures', 'aria-live': 'off' });
  root = element('div', {}, element('div', { class: 'player' }, this.#video, this.#veil), this.#figures);

  constructor() {
    this.#video.muted = true;
    this.#video.addEventListener('playing', () => { this.#veil.hidden = true; });
  }

  /** Plays a session at an address; the same one again changes nothing. */
  play(address, session) {
    if (this.#address === address && this.#session === session) {
      return;
    }
    this.stop('Waiting for the first segment …', 'The picture appears as soon as the server has packaged it.');
    this.#address = address;
    this.#session = session;
    this.#open();
  }

  stop(title, subtitle = '') {
    clearTimeout(this.#timer);
    clearInterval(this.#figuresTimer);
    this.#hls?.destroy();
    this.#hls = null;
    this.#address = null;
    this.#video.removeAttribute('src');
    this.#video.load();
    replace(this.#figures);
    this.#show(title, subtitle);
  }

  #show(title, subtitle) {
    this.#title.textContent = title;
    this.#subtitle.textContent = subtitle;
    this.#veil.hidden = false;
  }

  #open() {
    if (!Hls.isSupported()) {
      this.#video.src = this.#address;
      this.#start();
      return;
    }
    const hls = new Hls({ enableWorker: false, lowLatencyMode: true, backBufferLength: 30 });
    this.#hls = hls;
    hls.on(Hls.Events.MANIFEST_PARSED, () => this.#start());
    hls.on(Hls.Events.ERROR, (_, problem) => problem.fatal && this.#recover(hls, problem));
    hls.loadSource(this.#address);
    hls.attachMedia(this.#video);
    this.#figuresTimer = setInterval(() => this.#measure(), 1000);
  }

  #start() {
    this.#video.play().catch(() => this.#show('Press play', 'The browser wants a click before it plays.'));
  }

  #recover(hls, problem) {
    if (problem.type === Hls.ErrorTypes.MEDIA_ERROR) {
      hls.recoverMediaError();
      return;
    }
    const address = this.#address;
    this.stop('Waiting for the stream …', problem.response?.code === 403 ? 'This playback id is signed: it needs a token.' : '');
    this.#address = address;
    this.#timer = setTimeout(() => this.#open(), RETRY_MS);
  }

  #measure() {
    const { videoWidth: width, videoHeight: height } = this.#video;
    if (!width || !this.#hls) {
      return;
    }
    const played = this.#hls.playingDate;
    const behind = played ? (Date.now() - played.getTime()) / 1000 : this.#hls.latency;
    const quality = this.#video.getVideoPlaybackQuality();
    replace(this.#figures,
      figure('Behind live', `${behind.toFixed(1)} s`),
      figure('Picture', `${width} × ${height}`),
      figure('Dropped frames', String(quality.droppedVideoFrames)));
  }
}

function figure(label, value) {
  return element('span', {}, `${label} `, element('b', {}, value));
}
