import { liveStreams } from './api.js';
import { confirmDialog, copyField, element, replace, toast } from './dom.js';

const HINT = 'A second encoder pushes the same match. If the first one fails, viewers go on with it.';

/** The backup of a stream: its key, when the programme switches, and turning it on and off. */
export function drawBackup(card, stream, refresh) {
  const failover = number('failover_after', stream.failover_after, { min: 0.5, max: 10, step: 0.1 });
  const failback = number('failback_after', stream.failback_after, { min: 0, max: 3600, step: 0.1 });
  const error = element('p', { class: 'field-error', role: 'alert' });

  async function change(fields, done) {
    error.textContent = '';
    try {
      await liveStreams.patch(stream.id, fields);
      toast(done);
      await refresh();
    } catch (problem) {
      error.textContent = (problem.fields ?? []).map(({ field, reason }) => `${field}: ${reason}`).join('; ') || problem.message;
    }
  }

  async function save(event) {
    event.preventDefault();
    await change({ failover_after: Number(failover.value), failback_after: Number(failback.value) }, 'Saved');
  }

  async function remove() {
    if (await confirmDialog('Remove the backup?', 'The backup encoder is disconnected at once, and its key stops working.', 'Remove')) {
      await change({ backup: false }, 'Backup removed');
    }
  }

  async function resetKey() {
    if (await confirmDialog('Replace the backup key?', 'A backup encoder with the old key is disconnected at once and needs the new one.', 'Replace')) {
      await liveStreams.resetKey(stream.id, 'backup').then(() => toast('Backup key replaced'), (problem) => toast(problem.message, true));
      await refresh();
    }
  }

  replace(card,
    element('h2', {}, 'Backup'),
    !stream.backup && element('p', { class: 'hint' }, HINT),
    !stream.backup && element('button', { class: 'quiet', type: 'button', onclick: () => change({ backup: true }, 'Backup added') }, 'Add a backup'),
    stream.backup && copyField('Server', stream.stream_url),
    stream.backup_stream_key && copyField('Backup key', stream.backup_stream_key, { secret: true }),
    stream.backup_stream_key && element('button', { class: 'quiet small', type: 'button', onclick: resetKey }, 'Replace backup key'),
    stream.backup && element('form', { onsubmit: save },
      element('label', { class: 'field' }, element('span', {}, 'Switch after (s)'), failover,
        element('small', {}, 'Silence of the encoder that is shown.')),
      element('label', { class: 'field' }, element('span', {}, 'Back after (s)'), failback,
        element('small', {}, 'The primary encoder must have been steady for so long; 0: only by hand.')),
      element('div', { class: 'actions' },
        element('button', { class: 'quiet', type: 'submit' }, 'Save'),
        element('button', { class: 'danger', type: 'button', onclick: remove }, 'Remove backup'))),
    error);
}

function number(name, value, limits) {
  return element('input', { name, type: 'number', value: String(value), required: true, ...limits });
}

/** Both encoders of a running session side by side, and the buttons that choose one. */
export function sourceCard(stream) {
  const card = element('section', { class: 'card', 'aria-label': 'Encoders', hidden: true });
  const rows = element('tbody');
  const offset = element('p', { class: 'hint', id: 'source-offset' });
  const buttons = [['primary', 'Show primary'], ['backup', 'Show backup'], ['auto', 'Automatic']]
    .map(([source, label]) => element('button', { class: 'quiet', type: 'button', 'data-source': source, onclick: choose }, label));

  async function choose(event) {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      draw(await liveStreams.source(stream, button.dataset.source));
    } catch (problem) {
      toast(problem.message, true);
    } finally {
      button.disabled = false;
    }
  }

  function draw(session) {
    const backup = session?.ended_at ? null : session?.backup;
    card.hidden = !backup;
    if (!backup) {
      return;
    }
    replace(rows,
      row('Primary', 'primary', session, backup.primary_sending ? 'sends' : 'sends nothing'),
      row('Backup', 'backup', session, !backup.connected ? 'not connected' : backup.sending ? 'sends' : 'sends nothing'));
    offset.textContent = offsetText(backup);
    buttons.forEach((each) => each.setAttribute('aria-pressed', String(each.dataset.source === session.source_mode)));
  }

  replace(card,
    element('h2', {}, 'Encoders'),
    element('table', {},
      element('thead', {}, element('tr', {}, ['Encoder', 'State', 'Shown'].map((name) => element('th', { scope: 'col' }, name)))),
      rows),
    offset,
    element('div', { class: 'actions' }, buttons));
  return { card, draw };
}

function row(name, source, session, state) {
  const shown = session.source === source;
  return element('tr', { 'data-source': source },
    element('td', {}, name),
    element('td', {}, state),
    element('td', {}, shown ? 'shown' : ''));
}

function offsetText(backup) {
  const confidence = `confidence ${Math.round(backup.confidence * 100)} %`;
  if (backup.offset_ms === null) {
    return `How far both are apart cannot be measured by their audio (${confidence}): a switch goes by arrival.`;
  }
  const seconds = (Math.abs(backup.offset_ms) / 1000).toFixed(2);
  return `The backup arrives ${seconds} s ${backup.offset_ms < 0 ? 'earlier' : 'later'} (${confidence}).`;
}
