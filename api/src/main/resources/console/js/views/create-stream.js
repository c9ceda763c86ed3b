import { liveStreams, ApiError } from '../api.js';
import { element, showDialog, toast } from '../dom.js';
import { renditionFields } from '../renditions.js';

/** The dialog that makes a stream; calls back with the reply's data, push key included. */
export function createStream(done) {
  const errors = new Map();
  const title = element('input', { name: 'title', maxlength: '200', placeholder: 'Sunday cup, pitch 2' });
  const metadata = element('input', { name: 'user_metadata', maxlength: '1000' });
  const latency = element('select', { name: 'latency_mode' },
    element('option', { value: 'standard' }, 'standard'), element('option', { value: 'low' }, 'low'));
  const policy = element('select', { name: 'policy' },
    element('option', { value: 'public' }, 'public'), element('option', { value: 'signed' }, 'signed'));
  const reconnect = element('input', { name: 'reconnect_window', type: 'number', min: '0', max: '1800', value: '60' });
  const renditions = renditionFields();
  const record = element('input', { name: 'record', type: 'checkbox' });

  function field(label, input, hint) {
    const error = element('span', { class: 'field-error', role: 'alert' });
    errors.set(input.name, { input, error });
    return element('label', { class: 'field' }, element('span', {}, label), input, hint && element('small', {}, hint), error);
  }

  const general = element('p', { class: 'field-error', role: 'alert' });
  const form = element('form', {},
    element('h1', {}, 'Create a stream'),
    field('Title', title),
    field('Metadata', metadata, 'Free text; returned in every reply.'),
    element('div', { class: 'pair' },
      field('Latency', latency),
      field('Playback policy', policy),
      field('Reconnect window (s)', reconnect),
      field('Renditions', renditions.mode)),
    renditions.more,
    element('label', { class: 'check' }, record, 'Record'),
    general,
    element('div', { class: 'actions' },
      element('button', { class: 'quiet', type: 'button', value: 'no' }, 'Cancel'),
      element('button', { type: 'submit' }, 'Create')));

  async function create() {
    general.textContent = '';
    for (const { input, error } of errors.values()) {
      error.textContent = '';
      input.removeAttribute('aria-invalid');
    }
    try {
      return await liveStreams.create({
        title: title.value.trim() || undefined,
        user_metadata: metadata.value || undefined,
        latency_mode: latency.value,
        policy: policy.value,
        reconnect_window: Number(reconnect.value),
        record: record.checked,
        renditions: renditions.value(),
      });
    } catch (problem) {
      show(problem);
      return undefined;
    }
  }

  function show(problem) {
    general.textContent = problem instanceof ApiError ? problem.message : 'The server cannot be reached.';
    for (const { field: name, reason } of problem.fields ?? []) {
      const entry = errors.get(name.split('[')[0]);
      if (entry) {
        entry.error.textContent = reason;
        entry.input.setAttribute('aria-invalid', 'true');
      }
    }
  }

  showDialog(element('dialog', { 'aria-label': 'Create a stream' }, form), form, (made) => {
    if (made) {
      toast('Stream created');
      done(made);
    }
  }, create);
}
