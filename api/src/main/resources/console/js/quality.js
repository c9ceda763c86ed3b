import { bitrate, element, replace } from './dom.js';

/** A menu of the renditions that hls.js found; hidden while there is nothing to choose. */
export class QualityMenu {
  #hls = null;
  #select = element('select', { 'aria-label': 'Quality' });
  root = element('label', { class: 'quality', hidden: true }, element('span', {}, 'Quality'), this.#select);

  constructor() {
    this.#select.addEventListener('change', () => {
      if (this.#hls) {
        this.#hls.nextLevel = Number(this.#select.value);
      }
    });
  }

  /** Shows the levels of a player that has read its multivariant playlist. */
  show(hls) {
    this.#hls = hls;
    const levels = hls.levels.map((level, index) => ({ level, index })).toSorted((a, b) => b.level.height - a.level.height);
    replace(this.#select,
      element('option', { value: '-1' }, 'automatic'),
      levels.map(({ level, index }) => element('option', { value: index }, `${Math.min(level.width, level.height)}p, ${bitrate(level.bitrate)}`)));
    this.#select.value = String(hls.manualLevel);
    this.root.hidden = levels.length < 2;
  }

  hide() {
    this.#hls = null;
    this.root.hidden = true;
  }
}

/** A menu of the audio renditions that hls.js found; hidden while there is nothing to choose. */
export class AudioMenu {
  #hls = null;
  #select = element('select', { 'aria-label': 'Audio' });
  root = element('label', { class: 'quality', hidden: true }, element('span', {}, 'Audio'), this.#select);

  constructor() {
    this.#select.addEventListener('change', () => {
      if (this.#hls) {
        this.#hls.audioTrack = Number(this.#select.value);
      }
    });
  }

  /** Shows the audio of a player that has read its multivariant playlist. */
  show(hls) {
    this.#hls = hls;
    const tracks = hls.allAudioTracks;
    replace(this.#select, tracks.map((track, index) => element('option', { value: index }, track.name)));
    this.root.hidden = tracks.length < 2;
  }

  hide() {
    this.#hls = null;
    this.root.hidden = true;
  }
}
