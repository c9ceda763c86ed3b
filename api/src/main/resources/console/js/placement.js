import { element } from './dom.js';

/** Rectangles in percent of the frame, {x, y, width, height}, and what the API calls the same. */

const SNAP = 2;
const LEAST = 2;
const STEP = 0.5;

const number = (text, otherwise) => (text === undefined || text === '' || Number.isNaN(parseFloat(text)) ? otherwise : parseFloat(text));
const percent = (value) => `${Math.round(value * 10) / 10}%`;

/** As the server reads them: a missing side keeps the frame's shape, without both it is all of it. */
export function boxOf(settings) {
  const only = number(settings.width, number(settings.height, 100));
  const width = number(settings.width, only);
  const height = number(settings.height, only);
  return {
    x: start(settings.horizontal_align, width, number(settings.horizontal_margin, 0)),
    y: start(settings.vertical_align, height, number(settings.vertical_margin, 0)),
    width,
    height,
  };
}

function start(align, size, margin) {
  switch (align) {
    case 'center':
    case 'middle':
      return (100 - size) / 2 + margin;
    case 'right':
    case 'bottom':
      return 100 - size - margin;
    default:
      return margin;
  }
}

/** Counted from the nearer edge, or from the middle where it stands there. */
export function placementOf({ x, y, width, height }) {
  const [horizontal, horizontalMargin] = side(x, width, ['left', 'center', 'right']);
  const [vertical, verticalMargin] = side(y, height, ['top', 'middle', 'bottom']);
  return {
    width: percent(width),
    height: percent(height),
    horizontal_align: horizontal,
    vertical_align: vertical,
    horizontal_margin: percent(horizontalMargin),
    vertical_margin: percent(verticalMargin),
  };
}

function side(from, size, [first, middle, last]) {
  const end = 100 - from - size;
  if (Math.abs(from - end) < SNAP) {
    return [middle, 0];
  }
  return from < end ? [first, Math.max(0, from)] : [last, Math.max(0, end)];
}

/** A box over a frame that is moved and sized by mouse, finger or keys. */
export class PlacementBox {
  #rectangle = { x: 0, y: 0, width: 100, height: 100 };
  #locked = false;
  #changed;
  #frame;
  #grip = element('span', { class: 'grip', 'aria-hidden': 'true' });
  #root = element('div', { class: 'placement', tabindex: '0', role: 'group', 'aria-label': 'Scoreboard box: arrow keys move it, with Shift they size it' }, this.#grip);

  /** Calls `changed` for every rectangle made by mouse, finger or keys. */
  constructor(frame, changed) {
    this.#frame = frame;
    this.#changed = changed;
    frame.append(this.#root);
    this.#root.addEventListener('pointerdown', (event) => this.#drag(event));
    this.#root.addEventListener('keydown', (event) => this.#key(event));
  }

  show(rectangle) {
    this.#rectangle = rectangle;
    for (const [name, value] of [['left', rectangle.x], ['top', rectangle.y], ['width', rectangle.width], ['height', rectangle.height]]) {
      this.#root.style[name] = `${value}%`;
    }
  }

  lock(locked) {
    this.#locked = locked;
    this.#root.classList.toggle('locked', locked);
  }

  #drag(event) {
    if (this.#locked) {
      return;
    }
    event.preventDefault();
    this.#root.focus();
    const sizing = event.target === this.#grip;
    const from = this.#rectangle;
    const { width, height } = this.#frame.getBoundingClientRect();
    const move = (moved) => this.#change(from, sizing, 100 * (moved.clientX - event.clientX) / width, 100 * (moved.clientY - event.clientY) / height);
    const end = () => {
      this.#root.removeEventListener('pointermove', move);
      this.#root.removeEventListener('pointerup', end);
      this.#root.removeEventListener('pointercancel', end);
    };
    this.#root.setPointerCapture(event.pointerId);
    this.#root.addEventListener('pointermove', move);
    this.#root.addEventListener('pointerup', end);
    this.#root.addEventListener('pointercancel', end);
  }

  #key(event) {
    const steps = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    const step = steps[event.key];
    if (step && !this.#locked) {
      event.preventDefault();
      this.#change(this.#rectangle, event.shiftKey, ...step);
    }
  }

  #change(from, sizing, byX, byY) {
    const clamp = (value, most) => Math.max(0, Math.min(value, most));
    const next = sizing
      ? { ...from, width: Math.max(LEAST, Math.min(from.width + byX, 100 - from.x)), height: Math.max(LEAST, Math.min(from.height + byY, 100 - from.y)) }
      : { ...from, x: clamp(from.x + byX, 100 - from.width), y: clamp(from.y + byY, 100 - from.height) };
    this.show(next);
    this.#changed(next);
  }
}
