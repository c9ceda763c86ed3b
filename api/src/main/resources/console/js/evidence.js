import { element, replace } from './dom.js';
import { moderation, statusWord } from './moderation-api.js';
import { svg } from './svg.js';
import { time } from './session-timeline.js';
import { named, table } from './table.js';

const COLUMNS = ['Type', 'Model', 'Confidence', 'Risk'];

/** One record: the frame with its boxes, what each model said, and the review. */
export class Evidence {
  #models;
  #reviewed;
  root = element('section', { class: 'card evidence', 'aria-label': 'Evidence' });

  /**
   * @param models by name, to say which only demonstrate
   * @param reviewed called when a record was reviewed
   */
  constructor(models, reviewed) {
    this.#models = models;
    this.#reviewed = reviewed;
    this.clear();
  }

  clear() {
    replace(this.root, element('h2', {}, 'Evidence'),
      element('p', { class: 'hint' }, 'Choose a frame with a record in the timeline or in the list.'));
  }

  draw(record) {
    const findings = JSON.parse(record.detect_info);
    const word = statusWord(record.detect_status);
    replace(this.root,
      element('h2', {}, `Frame of ${time(record.captured_at)}`),
      evidenceFrame(record, findings),
      table(COLUMNS, element('tbody', {}, findings.map((finding) => this.#finding(finding))), { class: 'table findings', 'aria-label': 'Findings' }),
      this.#review(record, word));
  }

  #finding(finding) {
    return named(COLUMNS, element('tr', {},
      element('td', {}, finding.model),
      element('td', {}, this.#named(finding.model_version)),
      element('td', { class: 'mono' }, finding.confidence.toFixed(3)),
      element('td', {}, risk(finding.risk_level))));
  }

  #named(name) {
    return this.#models().find((model) => model.name === name)?.demo ? `${name} (demo)` : name;
  }

  #review(record, word) {
    const note = element('input', { name: 'note', maxlength: '1000', value: record.review_note, autocomplete: 'off' });
    const error = element('p', { class: 'field-error', role: 'alert' });
    const decide = (decision) => async (event) => {
      event.target.disabled = true;
      error.textContent = '';
      try {
        const changed = await moderation.review(record.id, decision, note.value);
        this.draw(changed);
        this.#reviewed(changed);
      } catch (problem) {
        error.textContent = problem.message;
        event.target.disabled = false;
      }
    };
    return element('div', { class: 'review' },
      element('p', {}, record.audit_from === 2
        ? `Reviewed at ${time(record.review_at)}: `
        : 'Not reviewed; the model says: ', risk(word)),
      element('label', { class: 'field' }, element('span', {}, 'Note'), note),
      error,
      element('div', { class: 'actions' },
        element('button', { type: 'button', id: 'review-pass', onclick: decide('pass') }, 'Pass'),
        element('button', { type: 'button', class: 'danger', id: 'review-reject', onclick: decide('reject') }, 'Reject')));
  }
}

/**
 * The frame of a record. Boxes lie over it in fractions of it: right at every size.
 *
 * @param image an element that has loaded the frame before, or loads it now
 */
export function evidenceFrame(record, findings, image = frameImage(record)) {
  if (!image) {
    return element('p', { class: 'hint' }, 'The frame was deleted.');
  }
  const boxes = svg('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    findings.filter((finding) => finding.risk_level !== 'pass').map((finding) => {
      const [x, y, width, height] = finding.bounding_box;
      return svg('rect', { x, y, width, height, class: `box ${finding.risk_level}` });
    }));
  const failed = element('p', { class: 'hint', hidden: true }, 'The frame cannot be loaded.');
  const fail = () => { failed.hidden = false; };
  image.addEventListener('error', fail);
  if (image.complete && image.naturalWidth === 0) {
    fail();
  }
  return element('div', {}, element('div', { class: 'frame' }, image, boxes), failed);
}

/** Loads the frame of a record; null where it has none. */
export function frameImage(record) {
  return record.url
    ? element('img', { src: record.url, alt: `Frame of record ${record.id}`, crossorigin: 'anonymous', referrerpolicy: 'no-referrer' })
    : null;
}

/** A risk level as a coloured word. */
export function risk(word) {
  return element('span', { class: `risk ${word}` }, word);
}
