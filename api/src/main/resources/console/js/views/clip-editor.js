import { assets, ApiError } from '../api.js';
import { element, replace, toast } from '../dom.js';
import { Timeline } from '../timeline.js';
import { clock, parseClock } from '../time.js';
import { assetBadges, thumbnail } from './asset-parts.js';

const PREVIEW_WIDTH = 320;

/** A dragged handle asks for frames only where it rests. */
const REST_MS = 120;

const FIELDS = { in: 'start_time', out: 'end_time' };

/**
 * Cuts clips out of an asset: in and out on a line of time, by keys, or typed to the millisecond,
 * with the frame at either end. The player shows that end exactly; the small frames are of the
 * key frame before it until the player has it. Times are milliseconds of the asset.
 */
export class ClipEditor {
  #asset = null;
  #play = null;
  #video;
  #add;
  #inMs = 0;
  #outMs = 0;
  #touched = false;
  #rest = 0;
  #stopAtMs = null;
  #clips = new Map();
  #timeline = new Timeline({
    changed: (which, ms) => this.#set(which, ms, { seek: true }),
    sought: (ms) => this.#seek(ms),
  });
  #ends = { in: this.#end('in', 'In', 'Shown at this time'), out: this.#end('out', 'Out', 'Shown just before it') };
  #length = element('output', { class: 'number', 'aria-label': 'Length of the clip' });
  #error = element('p', { class: 'field-error', role: 'alert' });
  #create = element('button', { type: 'button', id: 'create-clip', onclick: () => this.#cut() }, 'Create clip');
  #made = element('ul', { class: 'clips', 'aria-label': 'Clips made here', 'aria-live': 'polite' });
  root = element('section', { class: 'card editor', 'aria-label': 'Clip editor', hidden: true },
    element('h2', {}, 'Cut a clip'),
    this.#timeline.root,
    element('div', { class: 'ends' }, this.#ends.in.root, this.#ends.out.root),
    this.#error,
    element('div', { class: 'actions' },
      element('span', { class: 'grow length' }, 'Length ', this.#length),
      element('button', { class: 'quiet', type: 'button', onclick: () => this.#playRange() }, 'Play the clip'),
      element('button', { class: 'quiet', type: 'button', id: 'add-range', onclick: () => this.#add(this.#inMs, this.#outMs) }, 'Add to the reel'),
      this.#create),
    element('p', { class: 'hint keys' },
      element('kbd', {}, 'I'), ' and ', element('kbd', {}, 'O'), ' set in and out to the player’s time, ',
      element('kbd', {}, '←'), ' ', element('kbd', {}, '→'), ' on a handle move it by a frame, with ',
      element('kbd', {}, 'Shift'), ' by a second.'),
    this.#made);

  /** Actions by their keys. */
  keys = {
    in: () => this.root.hidden || this.#take('in'),
    out: () => this.root.hidden || this.#take('out'),
  };

  /**
   * @param {HTMLVideoElement} video that plays the asset
   * @param {(inMs: number, outMs: number) => void} add adds the range to a reel
   */
  constructor(video, add) {
    this.#video = video;
    this.#add = add;
    video.addEventListener('timeupdate', () => this.#moved());
    video.addEventListener('seeked', () => this.#moved());
  }

  /** The asset as it is now, and how to play it (null: not); where it grows, so does the line. */
  async show(asset, play) {
    this.#asset = asset;
    this.#play = play;
    this.root.hidden = asset.status !== 'ready' || play === null;
    const durationMs = Math.floor(asset.duration * 1000);
    if (!this.root.hidden && durationMs !== this.#timeline.durationMs) {
      const wasWhole = !this.#touched;
      const isAnew = this.#timeline.show(durationMs, (ms) => play.thumbnail({ ms, width: 160 }));
      this.#inMs = wasWhole ? 0 : this.#inMs;
      this.#outMs = wasWhole ? durationMs : Math.min(this.#outMs, durationMs);
      this.#draw();
      if (isAnew && wasWhole) {
        this.#preview('in');
        this.#preview('out');
      }
    }
    await this.#follow();
  }

  /** Takes a range to edit it. */
  edit({ inMs, outMs }) {
    this.#set('out', outMs, { seek: false });
    this.#set('in', inMs, { seek: true });
  }

  /** Shows a clip or a reel that was requested, until it is ready. */
  made(clip, lengthMs) {
    const item = element('li', {});
    this.#clips.set(clip.asset_id, { asset: { ...clip, is_live: false, errors: [] }, lengthMs, item });
    this.#made.prepend(item);
    this.#drawClip(clip.asset_id);
  }

  #end(which, label, hint) {
    const input = element('input', { name: FIELDS[which], inputmode: 'decimal', autocomplete: 'off', spellcheck: 'false', class: 'number', 'aria-describedby': `${which}-error` });
    const error = element('span', { id: `${which}-error`, class: 'field-error', role: 'alert' });
    const image = element('img', { alt: '' });
    const canvas = element('canvas', { hidden: true });
    image.addEventListener('error', () => { image.hidden = true; });
    image.addEventListener('load', () => { image.hidden = false; });
    input.addEventListener('change', () => this.#typed(which));
    const root = element('div', { class: 'clip-end' },
      element('figure', {}, element('div', { class: 'preview' }, image, canvas), element('figcaption', { class: 'sub' }, hint)),
      element('div', {},
        element('label', { class: 'field' }, element('span', {}, label), input, error),
        element('button', { class: 'quiet small', type: 'button', 'data-take': which, title: 'Uses the time of the player', onclick: () => this.#take(which) }, `Set ${label.toLowerCase()} here`)));
    return { root, input, error, image, canvas };
  }

  #take(which) {
    const ms = Math.round(this.#assetMs(this.#video.currentTime));
    this.#set(which, Math.max(0, Math.min(this.#timeline.durationMs, ms)), { seek: false });
    this.#grab(which);
  }

  #typed(which) {
    const { input, error } = this.#ends[which];
    const ms = parseClock(input.value);
    if (ms === null || ms > this.#timeline.durationMs) {
      error.textContent = ms === null ? 'A time like 1:23.456, or seconds' : `The asset ends at ${clock(this.#timeline.durationMs)}`;
      input.setAttribute('aria-invalid', 'true');
      return;
    }
    this.#set(which, ms, { seek: true });
  }

  /** Sets one end; the other one gives way where they would cross. */
  #set(which, ms, { seek }) {
    this.#touched = true;
    const durationMs = this.#timeline.durationMs;
    if (which === 'in') {
      this.#inMs = Math.min(ms, durationMs - 1);
      this.#outMs = this.#outMs > this.#inMs ? this.#outMs : durationMs;
    } else {
      this.#outMs = Math.max(ms, 1);
      this.#inMs = this.#inMs < this.#outMs ? this.#inMs : 0;
    }
    this.#draw();
    if (seek) {
      this.#video.pause();
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => {
        this.#preview(which);
        this.#seek(this.#shownMs(which));
      }, REST_MS);
    }
  }

  /** What is shown at an end: out is the time behind the last frame. */
  #shownMs(which) {
    return which === 'in' ? this.#inMs : Math.max(this.#inMs, this.#outMs - 1);
  }

  #draw() {
    this.#timeline.set(this.#inMs, this.#outMs);
    this.#length.textContent = clock(this.#outMs - this.#inMs);
    this.#error.textContent = '';
    for (const [which, ms] of [['in', this.#inMs], ['out', this.#outMs]]) {
      const { input, error } = this.#ends[which];
      input.value = clock(ms);
      input.removeAttribute('aria-invalid');
      error.textContent = '';
    }
  }

  /** The key frame before it, at once; the player brings the frame itself. */
  #preview(which) {
    const { image, canvas } = this.#ends[which];
    canvas.hidden = true;
    image.src = this.#play.thumbnail({ ms: this.#shownMs(which), width: PREVIEW_WIDTH });
  }

  #seek(ms) {
    this.#stopAtMs = null;
    this.#video.currentTime = this.#playerS(ms);
  }

  #moved() {
    const ms = this.#assetMs(this.#video.currentTime);
    this.#timeline.playheadAt(ms);
    if (this.#stopAtMs !== null && ms >= this.#stopAtMs) {
      this.#stopAtMs = null;
      this.#video.pause();
    }
    if (this.#video.paused && !this.#video.seeking) {
      for (const which of ['in', 'out']) {
        if (this.#touched && Math.abs(ms - this.#shownMs(which)) < 1) {
          this.#grab(which);
        }
      }
    }
  }

  /** Takes the player's frame as that of an end. */
  #grab(which) {
    const { canvas } = this.#ends[which];
    const { videoWidth: width, videoHeight: height } = this.#video;
    if (width === 0) {
      return;
    }
    canvas.width = PREVIEW_WIDTH;
    canvas.height = Math.round((PREVIEW_WIDTH * height) / width);
    canvas.getContext('2d').drawImage(this.#video, 0, 0, canvas.width, canvas.height);
    canvas.hidden = false;
  }

  #playRange() {
    this.#seek(this.#inMs);
    this.#stopAtMs = this.#outMs;
    this.#video.play().catch(() => toast('The browser needs a click on the player first', true));
  }

  /** The player and the asset have one clock. */
  #assetMs(playerS) {
    return playerS * 1000;
  }

  /** A hair inside the frame, which else may be the one before. */
  #playerS(ms) {
    return (ms + 0.5) / 1000;
  }

  async #cut() {
    this.#create.disabled = true;
    this.#error.textContent = '';
    try {
      const clip = await assets.clip(this.#asset.asset_id, this.#inMs, this.#outMs);
      this.made(clip, this.#outMs - this.#inMs);
      toast('The clip is being cut');
    } catch (problem) {
      this.#refused(problem);
    } finally {
      this.#create.disabled = false;
    }
  }

  #refused(problem) {
    const fields = problem.fields ?? [];
    for (const which of ['in', 'out']) {
      const found = fields.find(({ field }) => field === FIELDS[which]);
      if (found) {
        this.#ends[which].error.textContent = found.reason;
        this.#ends[which].input.setAttribute('aria-invalid', 'true');
      }
    }
    this.#error.textContent = problem instanceof ApiError ? problem.message : 'The server cannot be reached.';
  }

  /** Looks after clips that are not ready yet. */
  async #follow() {
    for (const [id, clip] of this.#clips) {
      if (clip.asset.status === 'preparing') {
        const asset = await assets.get(id);
        if (JSON.stringify(asset) !== JSON.stringify(clip.asset)) {
          clip.asset = asset;
          this.#drawClip(id);
        }
      }
    }
  }

  #drawClip(id) {
    const { asset, lengthMs, item } = this.#clips.get(id);
    const ready = asset.status === 'ready';
    item.setAttribute('data-clip', id);
    item.setAttribute('data-status', asset.status);
    replace(item,
      thumbnail(asset),
      element('div', { class: 'grow' },
        element('div', { class: 'badges' }, assetBadges(asset), element('span', { class: 'number' }, clock(lengthMs))),
        element('div', { class: 'sub mono' }, id),
        (asset.errors ?? []).map((error) => element('p', { class: 'field-error' }, error.message))),
      ready && element('a', { class: 'button', href: `#/assets/${encodeURIComponent(id)}` }, 'Open the clip'));
  }
}
