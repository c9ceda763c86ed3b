import { assets, ApiError } from '../api.js';
import { element, replace, toast } from '../dom.js';
import { goalRanges, MAX_RANGES } from '../goals.js';
import { clock } from '../time.js';

const BEFORE_S = 10;
const AFTER_S = 5;
const MAX_AROUND_S = 600;

/** Joins ranges of an asset to one clip: those that were collected, or those around all goals. Times are milliseconds of the asset. */
export class ReelEditor {
  #asset = null;
  #ranges = [];
  #goals = 0;
  #made;
  #shown;
  #list = element('ol', { class: 'ranges', 'aria-label': 'Ranges of the reel' });
  #empty = element('p', { class: 'hint' }, 'Set in and out, then add the range. The reel shows the ranges in this order.');
  #length = element('output', { class: 'number', 'aria-label': 'Length of the reel' });
  #error = element('p', { class: 'field-error', role: 'alert' });
  #create = element('button', { type: 'button', id: 'create-reel', onclick: () => this.#cut(this.#ranges) }, 'Create reel');
  #before = around('seconds_before', 'Seconds before', BEFORE_S);
  #after = around('seconds_after', 'Seconds after', AFTER_S);
  #ofGoals = element('button', { type: 'button', id: 'reel-of-goals', onclick: () => this.#cutGoals() }, 'Reel of all goals');
  #goalsForm = element('div', { class: 'actions goals', hidden: true }, this.#before.root, this.#after.root, this.#ofGoals);
  root = element('section', { class: 'card reel', 'aria-label': 'Reel', hidden: true },
    element('h2', {}, 'Make a reel'),
    this.#goalsForm,
    this.#empty,
    this.#list,
    this.#error,
    element('div', { class: 'actions' }, element('span', { class: 'grow length' }, 'Length ', this.#length), this.#create));

  /**
   * @param {{made: (clip: object, lengthMs: number) => void, shown: (range: {inMs: number, outMs: number}) => void}} listener
   *     `made` when a reel was requested, `shown` when a range of the list is to be edited
   */
  constructor({ made, shown }) {
    this.#made = made;
    this.#shown = shown;
    this.#draw();
  }

  /** The asset as it is now, and how to play it (null: not). */
  async show(asset, play) {
    this.#asset = asset;
    this.root.hidden = asset.status !== 'ready' || play === null;
    if (!this.root.hidden) {
      const goals = goalRanges(await assets.markers(asset.asset_id), this.#around(0, 1)).length;
      if (goals !== this.#goals) {
        this.#goals = goals;
        this.#goalsForm.hidden = goals === 0;
      }
    }
  }

  /** Adds a range at the end. */
  add(inMs, outMs) {
    if (this.#ranges.length === MAX_RANGES) {
      toast(`A reel has ${MAX_RANGES} ranges at most`, true);
      return;
    }
    this.#ranges.push({ inMs, outMs });
    this.#draw();
  }

  #around(beforeS, afterS) {
    return { beforeMs: beforeS * 1000, afterMs: afterS * 1000, durationMs: Math.floor(this.#asset.duration * 1000) };
  }

  #draw() {
    this.#empty.hidden = this.#ranges.length > 0;
    this.#create.disabled = this.#ranges.length < 2;
    this.#length.textContent = clock(lengthMs(this.#ranges));
    this.#error.textContent = '';
    replace(this.#list, this.#ranges.map((range, i) => this.#row(range, i)));
  }

  #row(range, i) {
    const name = `range ${i + 1}`;
    const times = `${clock(range.inMs)} – ${clock(range.outMs)}`;
    const button = (label, text, attributes, act) =>
      element('button', { class: 'quiet small', type: 'button', 'aria-label': `${label} ${name}`, title: label, ...attributes, onclick: act }, text);
    return element('li', { 'data-range': `${range.inMs}-${range.outMs}` },
      element('button', { class: 'quiet grow number', type: 'button', 'aria-label': `Show ${name}, ${times}`, onclick: () => this.#shown(range) }, times),
      button('Move up', '↑', { disabled: i === 0 }, () => this.#move(i, -1)),
      button('Move down', '↓', { disabled: i === this.#ranges.length - 1 }, () => this.#move(i, 1)),
      button('Remove', '×', {}, () => this.#remove(i)));
  }

  #move(i, by) {
    const [range] = this.#ranges.splice(i, 1);
    this.#ranges.splice(i + by, 0, range);
    this.#draw();
    this.#list.children[i + by].querySelector('button').focus();
  }

  #remove(i) {
    this.#ranges.splice(i, 1);
    this.#draw();
    (this.#list.children[Math.min(i, this.#ranges.length - 1)]?.querySelector('button') ?? this.#ofGoals).focus();
  }

  async #cutGoals() {
    const beforeS = this.#before.seconds();
    const afterS = this.#after.seconds();
    if (beforeS === null || afterS === null || beforeS + afterS === 0) {
      this.#error.textContent = `Seconds before and after: 0 to ${MAX_AROUND_S}, not both 0`;
      return;
    }
    const ranges = goalRanges(await assets.markers(this.#asset.asset_id), this.#around(beforeS, afterS));
    if (ranges.length === 0 || ranges.length > MAX_RANGES) {
      this.#error.textContent = `${ranges.length} ranges around goals (a reel has 1 to ${MAX_RANGES})`;
      return;
    }
    await this.#cut(ranges);
  }

  async #cut(ranges) {
    this.#create.disabled = true;
    this.#ofGoals.disabled = true;
    this.#error.textContent = '';
    try {
      const id = this.#asset.asset_id;
      const [{ inMs, outMs }] = ranges;
      const clip = await (ranges.length === 1 ? assets.clip(id, inMs, outMs) : assets.reel(id, ranges));
      this.#made(clip, lengthMs(ranges));
      toast('The reel is being cut');
    } catch (problem) {
      this.#error.textContent = problem instanceof ApiError ? problem.message : 'The server cannot be reached.';
    } finally {
      this.#create.disabled = this.#ranges.length < 2;
      this.#ofGoals.disabled = false;
    }
  }
}

function lengthMs(ranges) {
  return ranges.reduce((sum, { inMs, outMs }) => sum + outMs - inMs, 0);
}

/** A field for seconds; `seconds()` is null where they are not valid. */
function around(name, label, standard) {
  const input = element('input', { name, type: 'number', min: '0', max: String(MAX_AROUND_S), step: '0.5', value: String(standard), class: 'number' });
  return {
    root: element('label', { class: 'field' }, element('span', {}, label), input),
    seconds: () => (input.value !== '' && input.valueAsNumber >= 0 && input.valueAsNumber <= MAX_AROUND_S ? input.valueAsNumber : null),
  };
}
