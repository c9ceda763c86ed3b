import { element, replace } from './dom.js';
import { statusWord } from './moderation-api.js';
import { svg } from './svg.js';

const WIDTH = 1000;
const HEIGHT = 120;
const NARROWEST = 2;
const WIDEST = 16;

/**
 * The sampled frames of a session from left to right: as high as the highest confidence, in the
 * colour of what was decided. A frame with a record can be chosen, by mouse and by keyboard.
 */
export class SessionTimeline {
  #chart = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'group', 'aria-label': 'Sampled frames' });
  #from = element('span');
  #to = element('span');
  #empty = element('p', { class: 'hint' }, 'No frames were sampled in this session.');
  #choose;
  #drawn = '';
  root;

  /** @param choose called with the id of a record */
  constructor(choose) {
    this.#choose = choose;
    this.root = element('div', { class: 'session-timeline' }, this.#chart,
      element('div', { class: 'timeline-ends' }, this.#from, this.#to), this.#empty);
  }

  /**
   * @param frames newest first, as the interface lists them
   * @param chosen id of the record that is shown
   */
  draw(frames, chosen) {
    const key = JSON.stringify([frames.length, frames[0], frames.at(-1), chosen, frames.map((f) => f.detect_status).join('')]);
    if (key === this.#drawn) {
      return;
    }
    this.#drawn = key;
    this.#empty.hidden = frames.length > 0;
    this.#chart.toggleAttribute('hidden', frames.length === 0);
    const oldestFirst = frames.toReversed();
    const first = oldestFirst[0]?.captured_at ?? 0;
    const span = Math.max(1, (oldestFirst.at(-1)?.captured_at ?? 0) - first);
    const width = Math.min(WIDEST, Math.max(NARROWEST, WIDTH / Math.max(1, frames.length) - 1));
    replace(this.#chart, oldestFirst.map((frame) => this.#bar(frame, (frame.captured_at - first) / span * (WIDTH - width), width, chosen)));
    this.#from.textContent = frames.length ? time(first) : '';
    this.#to.textContent = frames.length > 1 ? time(first + span) : '';
  }

  #bar(frame, x, width, chosen) {
    const word = statusWord(frame.detect_status);
    const highest = Math.max(0, ...Object.values(frame.scores));
    const height = Math.max(6, highest * (HEIGHT - 8));
    const scores = Object.entries(frame.scores).map(([type, score]) => `${type} ${score.toFixed(3)}`).join(', ');
    const label = `${time(frame.captured_at)}: ${word}${scores ? `, ${scores}` : ''}`;
    const id = frame.record_id;
    const choose = () => this.#choose(id);
    return svg('rect', {
      x, y: HEIGHT - height, width, height,
      class: `frame ${word}${id !== null && id === chosen ? ' chosen' : ''}${id === null ? '' : ' recorded'}`,
      'data-record': id,
      ...(id === null ? {} : {
        tabindex: 0, role: 'button', 'aria-label': label, onclick: choose,
        onkeydown: (event) => {
          if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            choose();
          }
        },
      }),
    }, svgTitle(label));
  }
}

function svgTitle(text) {
  const title = svg('title');
  title.textContent = text;
  return title;
}

export function time(milliseconds) {
  return new Date(milliseconds).toLocaleTimeString(undefined, { timeStyle: 'medium' });
}
