import { confirmDialog, element, toast } from './dom.js';
import { moderation, TYPES } from './moderation-api.js';

/** What is moderated, to be changed while the stream is live. */
export class AuditSettings {
  #stream;
  #changed;
  #interval = element('input', { name: 'frame_interval', type: 'number', min: '1', max: '3600', value: '2', required: true });
  #types = new Map();
  #reject = element('select', { name: 'on_reject' }, element('option', { value: 'none' }, 'Nothing'), element('option', { value: 'disable' }, 'Disable the stream'), element('option', { value: 'standby' }, 'Cut to the slate'));
  #gate = element('input', { name: 'gate', type: 'checkbox' });
  #error = element('p', { class: 'field-error', role: 'alert' });
  #warnings = element('ul', { class: 'warnings' });
  #stop = element('button', { type: 'button', class: 'quiet', id: 'stop-audit', onclick: () => this.#stopSession() }, 'Stop for this session');
  #remove = element('button', { type: 'button', class: 'danger', id: 'delete-audit', onclick: () => this.#delete() }, 'Turn off');
  #buttons = element('fieldset', { class: 'bare actions' }, element('button', { type: 'submit' }, 'Save'), this.#stop, this.#remove);
  #session = null;
  root;

  /**
   * @param stream id
   * @param changed called when settings were stored or deleted
   */
  constructor(stream, changed) {
    this.#stream = stream;
    this.#changed = changed;
    const field = (label, input, hint) => element('label', { class: 'field' }, element('span', {}, label), input, hint && element('small', {}, hint));
    const form = element('form', { id: 'audit-settings' },
      field('Seconds between analysed frames', this.#interval, '1 for high risk, 2 to 5 otherwise.'),
      TYPES.map((type) => this.#threshold(type)),
      field('When a frame is rejected', this.#reject),
      element('label', { class: 'check' }, this.#gate, 'Delay parts until a later frame has passed'),
      this.#error, this.#warnings, this.#buttons);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#save();
    });
    this.root = element('section', { class: 'card', 'aria-label': 'Audit settings' }, element('h2', {}, 'Audit settings'), form);
  }

  #threshold(type) {
    const wanted = element('input', { type: 'checkbox', name: `wants-${type}`, checked: true });
    const value = element('input', { type: 'number', name: type, min: '0', max: '1', step: '0.01', value: '0.6', 'aria-label': `Threshold of ${type}` });
    wanted.addEventListener('change', () => { value.disabled = !wanted.checked; });
    this.#types.set(type, { wanted, value });
    return element('div', { class: 'threshold' }, element('label', { class: 'check' }, wanted, type), value);
  }

  /**
   * Shows what is stored; called when that has changed only, so that typing is not undone.
   *
   * @param audit the stream's audit_settings, undefined where there are none
   */
  show(audit) {
    this.#remove.hidden = audit === undefined;
    if (audit === undefined) {
      return;
    }
    this.#interval.value = audit.frame_interval;
    for (const [type, { wanted, value }] of this.#types) {
      wanted.checked = type in audit.models;
      value.disabled = !wanted.checked;
      if (wanted.checked) {
        value.value = audit.models[type];
      }
    }
    this.#reject.value = audit.on_reject ?? 'none';
    this.#gate.checked = audit.gate ?? false;
  }

  /** @param session id of the running session that is moderated, or null */
  running(session) {
    this.#session = session;
    this.#stop.hidden = session === null;
  }

  async #save() {
    const models = {};
    for (const [type, { wanted, value }] of this.#types) {
      if (wanted.checked) {
        models[type] = Number(value.value);
      }
    }
    await this.#act(async () => {
      const reply = await moderation.put(this.#stream, {
        frame_interval: Number(this.#interval.value), models, on_reject: this.#reject.value, gate: this.#gate.checked,
      });
      this.#warnings.replaceChildren(...(reply.warnings ?? []).map((text) => element('li', {}, text)));
      toast('Saved');
    });
  }

  async #delete() {
    if (await confirmDialog('Turn moderation off?', 'Frames of this stream are not analysed any more. Records are kept.', 'Turn off')) {
      await this.#act(async () => {
        await moderation.remove(this.#stream);
        toast('Moderation is off');
      });
    }
  }

  #stopSession() {
    return this.#act(async () => {
      await moderation.stop(this.#session);
      toast('Stopped for this session');
    });
  }

  /** One change at a time: two on their way at once may arrive in any order. */
  async #act(work) {
    this.#buttons.disabled = true;
    this.#error.textContent = '';
    try {
      await work();
      await this.#changed();
    } catch (problem) {
      this.#error.textContent = problem.message;
    } finally {
      this.#buttons.disabled = false;
    }
  }
}
