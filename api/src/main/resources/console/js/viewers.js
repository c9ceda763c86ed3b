import { bitrate, element, replace } from './dom.js';
import { svg } from './svg.js';

const WIDTH = 1000;
const HEIGHT = 120;
const PAUSE_MS = 5000;

/** The viewers of the last hour as a curve, with what their players report. */
export class ViewersCard {
  root = element('section', { class: 'card', 'aria-label': 'Viewers' });

  /** What was read last: as the API replies. */
  shown = { now: 0, peak: 0, points: [], streams: [] };

  #read;
  #askedAt = -Infinity;
  #now = element('output', { class: 'viewers-now' });
  #chart = svg('svg', { class: 'viewers-curve', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
  #from = element('span');
  #facts = element('dl', { class: 'facts' });

  /**
   * @param read returns what the API replies, of one stream or of all
   */
  constructor(read) {
    this.#read = read;
    replace(this.root, element('h2', {}, 'Viewers'), this.#now, this.#chart,
      element('div', { class: 'timeline-ends' }, this.#from, element('span', {}, 'now')), this.#facts);
  }

  /** Asks the server, but not at each refresh of the page. */
  async refresh() {
    if (performance.now() - this.#askedAt < PAUSE_MS) {
      return;
    }
    this.#askedAt = performance.now();
    this.shown = await this.#read();
    this.#draw(this.shown);
  }

  #draw({ now, peak, points }) {
    this.#now.textContent = String(now);
    const highest = Math.max(1, peak);
    const place = (count, index) => `${(index / Math.max(1, points.length - 1) * WIDTH).toFixed(1)},${(HEIGHT - count / highest * (HEIGHT - 4)).toFixed(1)}`;
    const line = points.map((point, index) => place(point.viewers, index));
    this.#chart.setAttribute('aria-label', `Viewers of the last hour: ${now} now, at most ${peak}`);
    replace(this.#chart,
      svg('polygon', { points: [`0,${HEIGHT}`, ...line, `${WIDTH},${HEIGHT}`].join(' ') }),
      svg('polyline', { points: line.join(' ') }));
    this.#from.textContent = points.length ? new Date(points[0].at * 1000).toLocaleTimeString(undefined, { timeStyle: 'short' }) : '';
    const last = (name) => points.findLast((point) => point[name] !== null)?.[name] ?? null;
    const rows = [
      ['Most in the last hour', String(peak)],
      ['Rebuffering', reported(last('rebuffering_ratio'), (ratio) => `${(ratio * 100).toFixed(1)} %`)],
      ['Start, median', reported(last('startup_ms_p50'), (ms) => `${(ms / 1000).toFixed(2)} s`)],
      ['Bit rate, median', reported(last('bitrate_p50'), bitrate)],
    ];
    replace(this.#facts, rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
  }
}

/** A count in words. */
export function viewersText(count) {
  return `${count} ${count === 1 ? 'viewer' : 'viewers'}`;
}

/** Players without CMCD report nothing. */
function reported(value, text) {
  return value === null ? '–' : text(value);
}
