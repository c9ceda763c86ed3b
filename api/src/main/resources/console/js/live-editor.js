import { ApiError, assets, markers } from './api.js';
import { element, replace, toast } from './dom.js';
import { DvrLine } from './dvr-line.js';
import { keyOf } from './keys.js';
import { LiveClips } from './live-clips.js';
import { MarkerLabels } from './marker-labels.js';
import { playable } from './playable.js';
import { Shuttle } from './shuttle.js';
import { clock } from './time.js';

const DRAW_MS = 100;

/** Times of frames are rounded to microseconds, more than once. */
const ROUNDING_MS = 0.01;

/** Where the encoder's frame rate is not known yet. */
const USUAL_FRAMES = 25;

/** The newest media of the recording: nearer to now there may be none. */
const EDGE_MS = 1000;

/**
 * The line of the running session below its player: back and forth by keys, clips of what has just
 * happened, and markers. A frame's time is its media time in the segments minus that of the session's
 * first frame, as in the recording: exact to the frame. Times are milliseconds.
 */
export class LiveEditor {
  #player;
  #shuttle;
  #session = null;
  #startS = null;
  #asset = null;
  #address = null;
  #lengthMs = 0;
  #knownAt = 0;
  #isMoving = false;
  #frameS = 1 / USUAL_FRAMES;
  #inMs = null;
  #outMs = null;
  #timer = 0;
  #line = new DvrLine((ms) => this.#seek(ms));
  #labels = new MarkerLabels(() => this.#drawPresets());
  #clips = new LiveClips();
  #cut = element('p', { class: 'number', id: 'live-cut', 'aria-live': 'polite' });
  #make = element('button', { type: 'button', class: 'small', disabled: true, onclick: () => this.#clip() }, 'Make clip ', element('kbd', {}, '↵'));
  #hint = element('p', { class: 'hint' });
  #body = element('div', { hidden: true });
  #presets = element('div', { class: 'presets', role: 'group', 'aria-label': 'Set a marker' });
  #own = element('form', { class: 'own-marker', hidden: true });
  #ownLabel = element('input', { name: 'marker', maxlength: '60', autocomplete: 'off', placeholder: 'Marker', 'aria-label': 'Label of the marker' });
  #ownMs = null;
  #list = element('ul', { class: 'plain markers', 'aria-label': 'Markers' });
  #markerState = '';
  root = element('section', { class: 'card live-editor', 'aria-label': 'Clips and markers', hidden: true });

  /** Actions by their keys. */
  keys = {
    back: () => this.#rewound(() => this.#shuttle.back()),
    pause: () => this.#toggle(),
    forward: () => (this.#player.isRewound ? this.#shuttle.forward() : this.#shuttle.speed === 0 && this.#toggle()),
    frameBack: () => this.#step(-1),
    frameOn: () => this.#step(1),
    live: () => this.#goLive(),
    in: () => this.#set('in'),
    out: () => this.#set('out'),
    clip: () => this.#clip(),
    clear: () => this.#clear(),
    marker: () => this.#askMarker(),
    label: (key) => this.#mark(this.#labels.of(key), this.#shownMs()),
  };

  constructor(player) {
    this.#player = player;
    this.#shuttle = new Shuttle(player.video, () => this.#frameS);
    this.#own.append(this.#ownLabel, element('button', { class: 'small', type: 'submit' }, 'Set'));
    this.#own.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#mark(this.#ownLabel.value.trim() || 'Marker', this.#ownMs);
      this.#own.hidden = true;
    });
    this.#ownLabel.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        this.#own.hidden = true;
      }
    });
    this.#drawPresets();
    replace(this.#body,
      this.#line.root,
      element('div', { class: 'transport', role: 'group', 'aria-label': 'Player' },
        this.#button('back', '◀', 'Backwards'), this.#button('frameBack', '−1', 'A frame back'), this.#button('pause', 'Pause', 'Pause or play'),
        this.#button('frameOn', '+1', 'A frame on'), this.#button('forward', '▶', 'Forwards'), this.#button('live', 'Live', 'Go live'),
        this.#button('in', 'In', 'Clip starts here'), this.#button('out', 'Out', 'Clip ends here'), this.#make),
      this.#cut);
    replace(this.root,
      element('h2', {}, 'Clips and markers'),
      this.#hint, this.#body, this.#clips.root, this.#presets, this.#own, this.#list, this.#labels.root);
    this.#timer = setInterval(() => this.#draw(), DRAW_MS);
    this.#drawCut();
  }

  #button(name, text, label) {
    return element('button', { type: 'button', class: 'quiet small', 'data-key': name, 'aria-label': label, title: `${label}: ${keyOf(name)}`, onclick: () => this.keys[name]() }, text);
  }

  #drawPresets() {
    replace(this.#presets,
      this.#labels.all.map((label, index) => element('button', { type: 'button', class: 'quiet small', onclick: () => this.keys.label(String(index + 1)) }, element('kbd', {}, String(index + 1)), label)),
      element('button', { type: 'button', class: 'quiet small', onclick: () => this.#askMarker() }, element('kbd', {}, keyOf('marker')), 'Other …'));
  }

  /**
   * Follows the stream.
   *
   * @param session the newest one; undefined before the first
   */
  async follow(stream, session) {
    const isLive = stream.status === 'active' && session !== undefined;
    this.root.hidden = !isLive && this.#asset === null;
    if (!isLive) {
      this.#isMoving = false;
      return;
    }
    if (this.#session !== session.id) {
      this.#begin(session.id);
    }
    this.#frameS = session.frame_rate > 0 ? 1 / session.frame_rate : this.#frameS;
    const asset = await this.#recording(stream);
    const play = await playable(stream.playback_ids);
    const now = play && await fetch(play.watch(), { cache: 'no-store' }).then((reply) => (reply.ok ? reply.json() : null), () => null);
    const stored = asset && await playable(asset.playback_ids);
    if (play && now === null) {
      // Not reached for a moment: what is known stays.
      return;
    }
    if (now?.session_id === session.id && now.media_start !== undefined) {
      this.#startS = now.media_start;
      this.#lengthMs = now.position * 1000;
      this.#knownAt = performance.now();
      this.#isMoving = now.state === 'live';
    }
    this.#asset = now?.dvr && stored ? asset : null;
    this.#address = stored?.hls() ?? null;
    this.#body.hidden = this.#asset === null || this.#startS === null;
    this.#hint.hidden = !this.#body.hidden;
    this.#hint.textContent = stream.record
      ? 'The line appears with the first recorded segment.'
      : 'Only a recorded stream can be rewound and cut: switch “Record” on for the next session. Markers work without.';
    await this.#readMarkers();
  }

  #begin(session) {
    this.#session = session;
    this.#startS = null;
    this.#asset = null;
    this.#lengthMs = 0;
    this.#clear();
  }

  /** The asset that the session grows; null without one, and for tokens that may not see it. */
  async #recording(stream) {
    const newest = stream.recent_asset_ids?.[0];
    try {
      const asset = newest ? await assets.get(newest) : null;
      return asset?.is_live && asset.status === 'ready' ? asset : null;
    } catch (problem) {
      if (problem instanceof ApiError && (problem.status === 403 || problem.status === 404)) {
        return null;
      }
      throw problem;
    }
  }

  /** Time of the frame that is shown; null where that is unknown. */
  #shownMs() {
    const media = this.#player.mediaTime(this.#shuttle.frame);
    return media === null || this.#startS === null ? null : Math.max(0, (media - this.#startS) * 1000);
  }

  #length() {
    return this.#lengthMs + (this.#isMoving ? performance.now() - this.#knownAt : 0);
  }

  #draw() {
    this.root.toggleAttribute('data-exact', this.#shuttle.isExact);
    if (!this.#body.hidden) {
      this.#line.show(this.#shownMs(), this.#length());
    }
  }

  /** Shows the frame at a time, from the recording. */
  #seek(ms) {
    if (!this.#asset) {
      return;
    }
    const to = Math.min(Math.max(0, ms), Math.max(0, this.#length() - EDGE_MS));
    const mediaS = this.#startS + to / 1000 + this.#frameS / 2;
    if (this.#player.isRewound) {
      const at = this.#player.playerTime(mediaS);
      if (at !== null) {
        this.#shuttle.seek(at);
      }
    } else {
      this.#shuttle.pause();
      this.#player.rewind(this.#address, mediaS, to / 1000);
    }
    this.#draw();
  }

  /** Leaves the live edge first, at the frame that is shown. */
  #rewound(then) {
    const shown = this.#shownMs();
    if (!this.#asset || shown === null) {
      toast('This session cannot be rewound');
      return;
    }
    if (!this.#player.isRewound) {
      this.#seek(shown);
    }
    then();
  }

  #toggle() {
    this.#shuttle.toggle();
    this.#draw();
  }

  #step(by) {
    const shown = this.#shownMs();
    if (this.#player.isRewound) {
      this.#shuttle.step(by);
      this.#draw();
    } else if (this.#asset && shown !== null) {
      this.#seek(shown + by * this.#frameS * 1000);
    }
  }

  #goLive() {
    this.#shuttle.pause();
    this.#player.goLive();
  }

  #set(which) {
    const shown = this.#shownMs();
    if (shown === null || !this.#asset) {
      toast('This session is not recorded, or has not begun to play');
      return;
    }
    if (which === 'in') {
      this.#inMs = Math.floor(shown);
      this.#outMs = this.#outMs > this.#inMs ? this.#outMs : null;
    } else {
      // Behind this frame, not behind the next one: the end itself is not shown.
      this.#outMs = Math.max(Math.floor(shown) + 1, Math.floor(shown + this.#frameS * 1000));
      this.#inMs = this.#inMs !== null && this.#inMs < this.#outMs ? this.#inMs : null;
    }
    this.#drawCut();
  }

  #clear() {
    this.#inMs = null;
    this.#outMs = null;
    this.#drawCut();
  }

  #drawCut() {
    const text = (ms) => (ms === null ? '–' : clock(ms));
    const isWhole = this.#inMs !== null && this.#outMs !== null;
    this.#cut.textContent = `In ${text(this.#inMs)}   Out ${text(this.#outMs)}${isWhole ? `   Length ${clock(this.#outMs - this.#inMs)}` : ''}`;
    this.#line.cut(this.#inMs, this.#outMs);
    this.#make.disabled = !isWhole;
  }

  #clip() {
    if (this.#inMs === null) {
      toast(`Set the start of the clip first: ${keyOf('in')}`);
      return;
    }
    if (this.#outMs === null) {
      this.#set('out');
    }
    if (this.#inMs === null || this.#outMs === null) {
      return;
    }
    this.#clips.make(this.#asset, this.#inMs, this.#outMs);
    this.#clear();
  }

  #askMarker() {
    this.#ownMs = this.#shownMs();
    this.#own.hidden = false;
    this.#ownLabel.value = '';
    this.#ownLabel.focus();
  }

  /** A marker of the shown frame, which has begun at its time; of now where that is unknown. */
  async #mark(label, ms) {
    try {
      await markers.create(this.#session, label, ms === null ? null : Math.ceil(ms - ROUNDING_MS) / 1000);
      toast(`Marker “${label}” set`);
      await this.#readMarkers();
    } catch (problem) {
      toast(problem.message, true);
    }
  }

  async #readMarkers() {
    const found = await markers.list(this.#session);
    this.#line.markers = found;
    const state = JSON.stringify(found);
    if (state !== this.#markerState) {
      this.#markerState = state;
      replace(this.#list, found.toReversed().map((marker) => this.#marker(marker)));
    }
  }

  #marker(marker) {
    const at = clock(marker.time * 1000, { fraction: false });
    return element('li', {},
      element('button', { type: 'button', class: 'quiet small number', 'aria-label': `Go to ${marker.label} at ${at}`, onclick: () => this.#seek(marker.time * 1000) }, at),
      element('span', { class: 'grow' }, marker.label),
      element('button', { type: 'button', class: 'danger small', 'aria-label': `Delete marker ${marker.label} at ${at}`, onclick: () => this.#remove(marker) }, 'Delete'));
  }

  async #remove(marker) {
    try {
      await markers.remove(this.#session, marker.id);
      await this.#readMarkers();
    } catch (problem) {
      toast(problem.message, true);
    }
  }

  close() {
    clearInterval(this.#timer);
    this.#shuttle.close();
    this.#clips.close();
  }
}
