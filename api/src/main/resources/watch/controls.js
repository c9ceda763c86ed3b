import { clock, SeekBar } from './seek-bar.js';

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2];
const STEP_S = 5;
const JUMP_S = 10;
const VOLUME_STEP = 0.1;
const HIDE_MS = 3000;
const SVG = 'http://www.w3.org/2000/svg';

const ICONS = {
  play: 'M8 5v14l11-7z',
  pause: 'M6 5h4v14H6zM14 5h4v14h-4z',
  audible: 'M4 9v6h4l5 5V4L8 9zM16 8a5 5 0 0 1 0 8M18.5 5.5a9 9 0 0 1 0 13',
  muted: 'M4 9v6h4l5 5V4L8 9zM17 9l5 6M22 9l-5 6',
  pip: 'M3 5h18v14H3zM12 12h7v5h-7z',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
};

function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

function button(label, name, action) {
  const made = document.createElement('button');
  made.type = 'button';
  made.append(icon(name));
  made.setAttribute('aria-label', label);
  made.title = label;
  made.addEventListener('click', action);
  return made;
}

function menu(label, action) {
  const made = document.createElement('select');
  made.setAttribute('aria-label', label);
  made.title = label;
  made.hidden = true;
  made.addEventListener('change', () => action(Number(made.value)));
  return made;
}

function options(select, list, chosen) {
  select.replaceChildren(...list.map(({ index, label }) => new Option(label, index)));
  select.value = String(chosen);
}

/**
 * The controls of a player, for pointer and keyboard. Events: `seek` (seconds), `live` (back to the live
 * edge).
 */
export class Controls extends EventTarget {
  root = document.createElement('div');
  #screen;
  #frame;
  #play = button('Play', 'play', () => this.#toggle());
  #mute = button('Unmute', 'muted', () => this.#setMuted(!this.#screen.video.muted));
  #volume = document.createElement('input');
  #live = document.createElement('button');
  #time = document.createElement('span');
  #quality = menu('Quality', (index) => (this.#screen.quality = index));
  #captions = menu('Captions', (index) => (this.#screen.captions = index));
  #audio = menu('Audio', (index) => (this.#screen.audioTrack = index));
  #speed = menu('Speed', (rate) => (this.#screen.video.playbackRate = rate));
  #bar = new SeekBar();
  #idle = 0;

  /**
   * @param screen what is controlled
   * @param frame the element that goes to full screen
   */
  constructor(screen, frame) {
    super();
    this.#screen = screen;
    this.#frame = frame;
    this.root.className = 'controls';
    Object.assign(this.#volume, { type: 'range', min: '0', max: '1', step: '0.05', value: '1', className: 'volume' });
    this.#volume.setAttribute('aria-label', 'Volume');
    this.#volume.addEventListener('input', () => {
      screen.video.volume = Number(this.#volume.value);
      this.#setMuted(screen.video.volume === 0);
    });
    Object.assign(this.#live, { type: 'button', className: 'live', textContent: 'Live', hidden: true });
    this.#live.addEventListener('click', () => this.dispatchEvent(new CustomEvent('live')));
    this.#time.className = 'time';
    options(this.#speed, SPEEDS.map((rate) => ({ index: rate, label: `${rate}×` })), 1);
    this.#bar.addEventListener('seek', ({ detail }) => this.#seek(detail));
    const space = document.createElement('span');
    space.className = 'space';
    const row = document.createElement('div');
    row.className = 'row';
    row.append(this.#play, this.#mute, this.#volume, this.#live, this.#time, space, this.#captions, this.#audio, this.#quality, this.#speed);
    if (document.pictureInPictureEnabled) {
      row.append(button('Picture in picture', 'pip', () => this.#pictureInPicture()));
    }
    if (frame.requestFullscreen || screen.video.webkitEnterFullscreen) {
      row.append(button('Full screen', 'full', () => this.#fullScreen()));
    }
    this.root.append(this.#bar.root, row);
    this.#listen();
  }

  set chapters(list) {
    this.#bar.chapters = list;
  }

  /**
   * Shows where playback is.
   *
   * @param now `{position, length, live, atEdge}`: seconds, length 0 without a seek bar
   */
  show({ position, length, live, atEdge }) {
    this.#bar.show(position, length);
    this.#live.hidden = !live;
    this.#live.classList.toggle('edge', atEdge);
    this.#live.setAttribute('aria-label', atEdge ? 'Live' : 'Go live');
    this.#live.textContent = atEdge ? 'Live' : 'Go live';
    this.#speed.hidden = live && atEdge;
    this.#time.textContent = length <= 0 || (live && atEdge) ? '' : `${clock(position)} / ${clock(length)}`;
  }

  /** Fills the menus with what the screen offers. */
  tracks() {
    const { qualities, quality, audioTracks, audioTrack, captionTracks, captions } = this.#screen;
    this.#quality.hidden = qualities.length < 2;
    options(this.#quality, [{ index: -1, label: 'Auto' }, ...qualities], quality);
    this.#audio.hidden = audioTracks.length < 2;
    options(this.#audio, audioTracks, audioTrack);
    this.#captions.hidden = captionTracks.length === 0;
    options(this.#captions, [{ index: -1, label: 'CC off' }, ...captionTracks], captions);
  }

  #toggleCaptions() {
    this.#screen.captions = this.#screen.captions < 0 ? 0 : -1;
    this.#captions.value = String(this.#screen.captions);
  }

  /** Normal speed: at the live edge there is nothing to catch up with. */
  atNormalSpeed() {
    this.#speed.value = '1';
    this.#screen.video.playbackRate = 1;
  }

  #listen() {
    const { video } = this.#screen;
    for (const event of ['play', 'pause', 'volumechange', 'emptied']) {
      video.addEventListener(event, () => this.#reflect());
    }
    video.addEventListener('click', () => this.#toggle());
    for (const event of ['pointermove', 'pointerdown', 'focusin']) {
      this.#frame.addEventListener(event, () => this.#awake());
    }
    document.addEventListener('keydown', (event) => this.#key(event));
    this.#reflect();
  }

  #awake() {
    clearTimeout(this.#idle);
    this.#frame.classList.remove('quiet');
    this.#idle = setTimeout(() => this.#frame.classList.toggle('quiet', !this.#screen.video.paused), HIDE_MS);
  }

  #reflect() {
    const { video } = this.#screen;
    const playing = !video.paused;
    this.#play.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.#label(this.#play, playing ? 'Pause' : 'Play');
    this.#mute.replaceChildren(icon(video.muted ? 'muted' : 'audible'));
    this.#label(this.#mute, video.muted ? 'Unmute' : 'Mute');
    this.#volume.value = String(video.muted ? 0 : video.volume);
    this.#awake();
  }

  #label(element, text) {
    element.setAttribute('aria-label', text);
    element.title = text;
  }

  #toggle() {
    const { video } = this.#screen;
    if (!video.paused) {
      video.pause();
    } else {
      this.#screen.play();
    }
  }

  #setMuted(muted) {
    const { video } = this.#screen;
    video.muted = muted;
    if (!muted && video.volume === 0) {
      video.volume = 0.5;
    }
  }

  #seek(seconds) {
    this.dispatchEvent(new CustomEvent('seek', { detail: seconds }));
  }

  #by(seconds) {
    this.dispatchEvent(new CustomEvent('step', { detail: seconds }));
  }

  #pictureInPicture() {
    const wanted = document.pictureInPictureElement
      ? document.exitPictureInPicture()
      : this.#screen.video.requestPictureInPicture();
    wanted.catch((problem) => console.warn('picture in picture', problem.message));
  }

  #fullScreen() {
    if (document.fullscreenElement) {
      document.exitFullscreen();
    } else if (this.#frame.requestFullscreen) {
      this.#frame.requestFullscreen().catch((problem) => console.warn('full screen', problem.message));
    } else {
      this.#screen.video.webkitEnterFullscreen();
    }
  }

  #key(event) {
    const typed = event.target.matches?.('input, select, textarea, button') ?? false;
    if (event.ctrlKey || event.metaKey || event.altKey || (typed && (event.key.startsWith('Arrow') || event.key === ' '))) {
      return;
    }
    const { video } = this.#screen;
    const volume = (by) => {
      video.volume = Math.min(1, Math.max(0, video.volume + by));
      this.#setMuted(video.volume === 0);
    };
    const actions = {
      ' ': () => this.#toggle(),
      k: () => this.#toggle(),
      m: () => this.#setMuted(!video.muted),
      c: () => this.#toggleCaptions(),
      f: () => this.#fullScreen(),
      p: () => this.#pictureInPicture(),
      j: () => this.#by(-JUMP_S),
      l: () => this.#by(JUMP_S),
      ArrowLeft: () => this.#by(-STEP_S),
      ArrowRight: () => this.#by(STEP_S),
      ArrowUp: () => volume(VOLUME_STEP),
      ArrowDown: () => volume(-VOLUME_STEP),
      Home: () => this.#seek(0),
      End: () => this.dispatchEvent(new CustomEvent('live')),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (action) {
      event.preventDefault();
      this.#awake();
      action();
    }
  }
}
