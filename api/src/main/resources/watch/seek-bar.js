/** 1:02:03, or 2:03. */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const CUE = /^(?:(\d+):)?(\d{2}):(\d{2})\.(\d{3}) --> /;

/** Starts and texts of the cues of a WebVTT file: `[{at, label}]`, seconds. */
export function chapters(text) {
  const found = [];
  for (const block of text.split(/\r?\n\r?\n/)) {
    const lines = block.split(/\r?\n/);
    const at = lines.findIndex((line) => CUE.test(line));
    if (at >= 0) {
      const [, h = '0', m, s, ms] = CUE.exec(lines[at]);
      const label = new DOMParser().parseFromString(lines.slice(at + 1).join(' '), 'text/html').body.textContent.trim();
      found.push({ at: Number(h) * 3600 + Number(m) * 60 + Number(s) + Number(ms) / 1000, label });
    }
  }
  return found;
}

/** A slider over the whole recording with a mark for each chapter. Event: `seek`, `detail` in seconds. */
export class SeekBar extends EventTarget {
  root = document.createElement('div');
  #slider = document.createElement('input');
  #marks = document.createElement('div');
  #hint = document.createElement('output');
  #chapters = [];
  #length = 0;
  #dragging = false;

  constructor() {
    super();
    this.root.className = 'seek';
    this.root.hidden = true;
    Object.assign(this.#slider, { type: 'range', min: '0', max: '0', step: '0.1', value: '0' });
    this.#slider.setAttribute('aria-label', 'Position');
    this.#marks.className = 'marks';
    this.#hint.className = 'hint';
    this.#hint.hidden = true;
    this.root.append(this.#marks, this.#slider, this.#hint);
    this.#slider.addEventListener('input', () => {
      this.#dragging = true;
      this.#describe(Number(this.#slider.value));
    });
    this.#slider.addEventListener('change', () => {
      this.#dragging = false;
      this.dispatchEvent(new CustomEvent('seek', { detail: Number(this.#slider.value) }));
    });
    this.#slider.addEventListener('pointermove', (event) => this.#hover(event));
    this.#slider.addEventListener('pointerleave', () => (this.#hint.hidden = true));
  }

  /** `[{at, label}]`, seconds. */
  set chapters(list) {
    this.#chapters = list;
    this.#place();
  }

  /** Shows a position within a length, both in seconds; a length of 0 hides the bar. */
  show(position, length) {
    this.root.hidden = length <= 0;
    if (length !== this.#length) {
      this.#length = length;
      this.#slider.max = String(length);
      this.#place();
    }
    if (!this.#dragging) {
      this.#slider.value = String(position);
      this.#describe(position);
    }
  }

  #describe(seconds) {
    this.#slider.setAttribute('aria-valuetext', `${clock(seconds)} of ${clock(this.#length)}`);
    this.root.style.setProperty('--share', `${this.#length > 0 ? (100 * seconds) / this.#length : 0}%`);
  }

  #place() {
    this.#marks.replaceChildren(...this.#chapters.filter(({ at }) => at <= this.#length).map(({ at, label }) => {
      const mark = document.createElement('span');
      mark.title = label;
      mark.style.left = `${(100 * at) / this.#length}%`;
      return mark;
    }));
  }

  #hover(event) {
    const box = this.#slider.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const seconds = share * this.#length;
    const chapter = this.#chapters.findLast(({ at }) => at <= seconds);
    this.#hint.textContent = chapter ? `${clock(seconds)}  ${chapter.label}` : clock(seconds);
    this.#hint.style.left = `${share * 100}%`;
    this.#hint.hidden = false;
  }
}
