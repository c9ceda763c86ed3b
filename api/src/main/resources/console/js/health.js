import { liveStreams } from './api.js';
import { bitrate, element, replace } from './dom.js';
import { time } from './session-timeline.js';
import { svg } from './svg.js';

const HOUR_S = 3600;

/** The line of time is at least so long, and grows to an hour. */
const LEAST_S = 300;

/** Samples are asked for this often, and a little more than what is new. */
const EVERY_MS = 5000;
const OVERLAP_S = 15;

const WIDTH = 1000;
const HEIGHT = 60;

/** Advice this close together, as a share of the line, has one pin. */
const CLOSE = 0.03;

/** What is drawn of each sample: the value, how it reads, and the least height of its scale. */
const ROWS = [
  ['Bitrate', ({ video_bitrate: video, audio_bitrate: audio }) => video + audio, bitrate, 1e5],
  ['Frame rate', ({ frame_rate: rate }) => rate, (value) => `${value.toFixed(1)} fps`, 10],
  ['Key frames apart', ({ key_frame_interval_s: seconds }) => seconds, (value) => `${value.toFixed(1)} s`, 4],
  ['Audio against video', ({ drift_ms: ms }) => ms, (value) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value)} ms`, 300, { signed: true }],
  ['Frames dropped', ({ missing_frames: frames }) => frames, (value) => String(value), 5, { sum: true }],
];

const MINUTE_S = 60;

/** What the encoder sent in the last hour and how many watched it, with the advice of the ingest doctor at its moment. */
export class HealthCard {
  root = element('section', { class: 'card', 'aria-label': 'Health', hidden: true });
  #id;
  #session = null;
  #samples = [];
  #step = 5;
  #readAt = -Infinity;
  #rows = ROWS.map((row) => new Row(...row));
  #audience = new Row('Viewers', ({ viewers }) => viewers, (value) => String(value), 5);
  #viewers = [];
  #pins = element('div', { class: 'health-pins' });
  #pinned = '';
  #chosen = null;
  #advice = element('div', { class: 'health-advice', role: 'status' });
  #from = element('span');
  #to = element('span');
  #cursor = element('div', { class: 'health-cursor', hidden: true });
  #span = { from: 0, to: 1 };

  constructor(id) {
    this.#id = id;
    const charts = element('div', { class: 'health-charts' }, this.#rows.map((row) => row.root), this.#audience.root, this.#cursor);
    charts.addEventListener('pointermove', (event) => this.#point(event));
    charts.addEventListener('pointerleave', () => this.#leave());
    replace(this.root,
      element('h2', {}, 'Health, last hour'),
      element('div', { class: 'health-row' }, element('span', { class: 'health-name' }, 'Advice'), this.#pins, element('span')),
      charts,
      element('div', { class: 'health-row health-ends' }, element('span'), element('div', { class: 'timeline-ends' }, this.#from, this.#to), element('span')),
      this.#advice);
  }

  /**
   * Reads what is new; at most every five seconds.
   *
   * @param points viewers by minutes, as the API replies
   */
  async follow(stream, points) {
    const isActive = stream.status === 'active';
    this.root.hidden = !isActive;
    if (!isActive || performance.now() - this.#readAt < EVERY_MS) {
      return;
    }
    this.#readAt = performance.now();
    this.#viewers = points;
    const last = this.#samples.at(-1);
    const isKnown = this.#session === stream.active_session_id && last !== undefined;
    const seconds = isKnown ? Math.ceil(Date.now() / 1000 - last.at) + OVERLAP_S : HOUR_S;
    this.#take(await liveStreams.health(this.#id, Math.min(HOUR_S, Math.max(1, seconds))));
  }

  #take(health) {
    const before = health.session_id === this.#session ? this.#samples : [];
    this.#session = health.session_id;
    this.#step = health.step_s;
    const newest = before.at(-1)?.at ?? 0;
    const all = [...before, ...health.samples.filter((sample) => sample.at > newest)];
    const to = all.at(-1)?.at ?? 0;
    this.#samples = all.filter((sample) => sample.at > to - HOUR_S);
    this.#draw(health.warnings);
  }

  #draw(warnings) {
    const first = this.#samples[0];
    const to = Math.max(this.#samples.at(-1)?.at ?? 0, Math.floor(Date.now() / 1000));
    const from = Math.max(to - HOUR_S, Math.min(first ? first.at - this.#step : to, to - LEAST_S));
    this.#span = { from, to };
    this.#rows.forEach((row) => row.draw(this.#samples, this.#span, this.#step));
    // A minute is drawn where it ends, the one that runs up to now.
    const watched = this.#viewers.map(({ at, viewers }) => ({ at: Math.min(to, at + MINUTE_S), viewers }));
    this.#audience.draw(watched.filter(({ at }) => at > from), this.#span, MINUTE_S);
    this.#from.textContent = time(from * 1000);
    this.#to.textContent = time(to * 1000);
    this.#drawPins(warnings.filter((warning) => (warning.ended_at ?? to) >= from));
  }

  #drawPins(warnings) {
    const groups = [];
    for (const warning of warnings.toSorted((a, b) => a.at - b.at)) {
      const place = this.#place(warning.at);
      const group = groups.at(-1);
      if (group && place - group.place < CLOSE) {
        group.warnings.push(warning);
      } else {
        groups.push({ place, warnings: [warning] });
      }
    }
    const key = JSON.stringify(groups);
    if (key === this.#pinned) {
      return;
    }
    this.#pinned = key;
    const focused = [...this.#pins.children].indexOf(document.activeElement);
    replace(this.#pins, groups.map((group) => this.#pin(group)));
    if (focused >= 0) {
      this.#pins.children[Math.min(focused, this.#pins.children.length - 1)]?.focus();
    }
    const chosen = groups.find((group) => group.warnings.some((warning) => id(warning) === this.#chosen)) ?? null;
    this.#show(chosen);
  }

  #pin(group) {
    const codes = group.warnings.map((warning) => warning.code.replaceAll('_', ' ')).join(', ');
    const pin = element('button', {
      class: 'health-pin', type: 'button', 'aria-label': `${time(group.warnings[0].at * 1000)}: ${codes}`, 'aria-expanded': 'false',
      onclick: () => {
        const isChosen = this.#chosen !== null && group.warnings.some((warning) => id(warning) === this.#chosen);
        this.#chosen = isChosen ? null : id(group.warnings[0]);
        this.#show(isChosen ? null : group);
      },
    }, group.warnings.length > 1 ? String(group.warnings.length) : '!');
    pin.style.left = `clamp(.8rem, ${(group.place * 100).toFixed(2)}%, 100% - .8rem)`;
    pin.dataset.warning = id(group.warnings[0]);
    return pin;
  }

  #show(group) {
    for (const pin of this.#pins.children) {
      pin.setAttribute('aria-expanded', String(group !== null && pin.dataset.warning === id(group.warnings[0])));
    }
    replace(this.#advice, (group?.warnings ?? []).map((warning) => element('p', {},
      element('b', {}, `${time(warning.at * 1000)}${warning.ended_at ? ` to ${time(warning.ended_at * 1000)}` : ''}`), ` ${warning.message}`)));
  }

  #place(at) {
    const { from, to } = this.#span;
    return Math.min(1, Math.max(0, (at - from) / (to - from)));
  }

  #point(event) {
    const box = this.#rows[0].chart.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    if (share < 0 || share > 1 || this.#samples.length === 0) {
      this.#leave();
      return;
    }
    const at = this.#span.from + share * (this.#span.to - this.#span.from);
    const nearest = this.#samples.reduce((best, sample) => Math.abs(sample.at - at) < Math.abs(best.at - at) ? sample : best);
    this.#rows.forEach((row) => row.read(nearest));
    this.#audience.read(this.#viewers.findLast((minute) => minute.at <= nearest.at) ?? null);
    this.#cursor.hidden = false;
    this.#cursor.style.left = `${box.left - this.#cursor.parentElement.getBoundingClientRect().left + this.#place(nearest.at) * box.width}px`;
  }

  #leave() {
    this.#cursor.hidden = true;
    [...this.#rows, this.#audience].forEach((row) => row.read(null));
  }
}

/** One value over time, and what it is now or where the pointer is. */
class Row {
  #name;
  #value;
  #text;
  #least;
  #signed;
  #sum;
  #newest = null;
  #shown = element('output', { class: 'mono' });
  #line = svg('path', { class: 'health-line' });
  #area = svg('path', { class: 'health-area' });
  chart = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', class: 'health-chart' }, this.#area, this.#line);

  constructor(name, value, text, least, { signed = false, sum = false } = {}) {
    this.#name = name;
    this.#value = value;
    this.#text = text;
    this.#least = least;
    this.#signed = signed;
    this.#sum = sum;
    this.root = element('div', { class: 'health-row' }, element('span', { class: 'health-name' }, name), this.chart, this.#shown);
  }

  draw(samples, { from, to }, step) {
    const values = samples.map(this.#value).filter((value) => value !== null);
    const most = Math.max(this.#least, ...values.map(Math.abs)) * 1.1;
    const base = this.#signed ? HEIGHT / 2 : HEIGHT;
    const points = [];
    let run = [];
    let before = null;
    for (const sample of samples) {
      const value = this.#value(sample);
      // Without media there is no sample: the line has a gap.
      if (value === null || (before !== null && sample.at - before > step)) {
        points.push(run);
        run = [];
      }
      if (value !== null) {
        const end = WIDTH * (sample.at - from) / (to - from);
        const start = Math.max(0, WIDTH * (sample.at - step - from) / (to - from));
        const y = base - (this.#signed ? base : HEIGHT) * value / most;
        run.push([start, y], [end, y]);
      }
      before = sample.at;
    }
    points.push(run);
    const runs = points.filter((each) => each.length > 0);
    this.#line.setAttribute('d', runs.map(path).join(''));
    this.#area.setAttribute('d', runs.map((each) => `${path(each)}V${base}H${each[0][0].toFixed(1)}Z`).join(''));
    const last = samples.at(-1);
    this.#newest = last === undefined ? null : last;
    this.read(null);
    const total = values.reduce((sum, value) => sum + value, 0);
    this.chart.setAttribute('aria-label', values.length === 0 ? `${this.#name}: not known` : this.#sum
      ? `${this.#name}: ${total} in all`
      : `${this.#name}: now ${this.#text(values.at(-1))}, lowest ${this.#text(Math.min(...values))}, highest ${this.#text(Math.max(...values))}`);
  }

  /** The value of a sample; null: of the newest. */
  read(sample) {
    const value = this.#value(sample ?? this.#newest ?? {}) ?? null;
    this.#shown.textContent = value === null || Number.isNaN(value) ? '–' : this.#text(value);
  }
}

function path(points) {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

function id(warning) {
  return `${warning.code} ${warning.at}`;
}
