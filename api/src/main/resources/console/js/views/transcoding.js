import { assets, storages, tasks } from '../transcoding-api.js';
import { confirmDialog, dateTime, element, replace, toast, showDialog } from '../dom.js';
import { ListFilter } from '../list-filter.js';
import { PagedTable } from '../paged-table.js';

/** What a client can do about each error of a task. */
const ADVICE = {
  1001: 'The input could not be fetched. Check that its address is public.',
  1002: 'The server may not connect to the address of the input (egress.allow).',
  1003: 'The input is not a media file, or it is damaged.',
  1004: 'The input is in a format that this server cannot read.',
  1005: 'The storage rejected the request. Check bucket and keys, then add the storage again.',
  1006: 'The output could not be uploaded. The storage may be busy or unreachable.',
  1007: 'The time limit was exceeded.',
  1008: 'Not enough disk space or memory, or the input is too large.',
  1009: 'The task was canceled.',
  1099: 'Internal error; see the log of the server.',
};
const NOTICES = {
  waiting: 'Sent when all tasks of the request have ended',
  pending: 'Sending',
  delivered: 'Acknowledged',
  failed: 'Failed: not acknowledged',
};

/** Storages and tasks, and forms for new ones. */
export async function transcodingPage(main) {
  const taskForm = new TaskForm(() => taskList.again({ first: true }));
  const taskList = new PagedTable({
    columns: ['Task', 'Output', 'Progress', ''],
    load: (page, filter) => tasks.list(page, filter),
    row: (task) => taskRow(task, cancel),
    label: 'Tasks',
    filter: new ListFilter({
      statuses: [['queued', 'Queued'], ['running', 'Running'], ['succeeded', 'Succeeded'], ['failed', 'Failed'], ['canceled', 'Canceled']],
    }),
    empty: element('p', { class: 'card hint', hidden: true }, 'No tasks yet.'),
  });
  const storageList = new PagedTable({
    columns: ['Storage', 'Bucket', 'Notify', ''],
    load: (page) => storages.list(page),
    row: (storage) => storageRow(storage, remove),
    label: 'Storages',
    empty: element('p', { class: 'card hint', hidden: true }, 'No storage yet. Outputs need one.'),
    drawn: (items) => taskForm.offer(items),
  });
  const storageForm = new StorageForm(() => storageList.again({ first: true }));

  async function cancel(task) {
    if (!await confirmDialog('Cancel this task?', 'Outputs that are already in the storage are removed.', 'Cancel the task')) {
      return;
    }
    await attempt(async () => {
      await tasks.cancel(task.task_id);
      toast('Task canceled');
      await taskList.refresh();
    });
  }

  async function remove(storage) {
    if (!await confirmDialog('Delete this storage?', 'Its files are kept. Its keys are deleted from this server.', 'Delete')) {
      return;
    }
    await attempt(async () => {
      await storages.remove(storage.storage_id);
      toast('Storage deleted');
      await storageList.refresh();
    });
  }

  async function refresh() {
    await Promise.all([taskList.refresh(), storageList.refresh()]);
  }

  await Promise.all([refresh(), taskForm.offerAssets()]);
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Transcoding')),
    element('div', { class: 'columns' },
      element('div', { class: 'stack' }, section('Tasks', taskList), section('Storages', storageList)),
      element('div', { class: 'stack' }, taskForm.root, storageForm.root)));
  return { title: 'Transcoding', refresh };
}

function section(title, list) {
  return element('section', { 'aria-label': title }, element('h2', {}, title), list.parts.filter(Boolean));
}

async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    toast(problem.message, true);
  }
}

function taskRow(task, cancel) {
  const over = ['succeeded', 'failed', 'canceled'].includes(task.status);
  const size = task.renditions ? ' with renditions' : task.height === undefined ? '' : ` ${[task.height].flat().join(', ')}`;
  return element('tr', { 'data-task': task.task_id },
    element('td', { class: 'wrap' },
      element('span', { class: 'mono' }, task.task_id),
      element('div', { class: 'sub' }, `${task.format}${size} of ${task.input}`),
      element('div', { class: 'sub' }, dateTime(task.created_at))),
    element('td', { class: 'wrap' }, element('span', { class: 'mono' }, task.output),
      task.notes.map((note) => element('div', { class: 'sub' }, note))),
    element('td', {}, state(task)),
    element('td', { class: 'end' },
      element('button', { class: 'quiet small', type: 'button', onclick: (event) => details(event.target, task) }, 'Notification'),
      !over && element('button', { class: 'danger small', type: 'button', 'aria-label': `Cancel ${task.task_id}`, onclick: () => cancel(task) }, 'Cancel')));
}

function state(task) {
  const percent = Math.round(100 * task.progress);
  if (task.status === 'running' || (task.status === 'queued' && task.attempts > 0)) {
    return [
      element('progress', { max: '100', value: percent, 'aria-label': `Progress of ${task.task_id}` }, `${percent} %`),
      element('div', { class: 'sub' }, task.status === 'running' ? `${percent} %` : `retry pending: ${task.error_msg ?? ''}`),
    ];
  }
  if (task.error_code) {
    return [
      element('span', { class: 'badge bad' }, task.status),
      element('div', { class: 'sub' }, `${task.error_code}: ${ADVICE[task.error_code] ?? ''}`),
      element('div', { class: 'sub' }, task.error_msg ?? ''),
    ];
  }
  return [element('span', { class: 'badge' }, task.status),
    task.duration !== undefined && element('div', { class: 'sub' }, `${task.duration.toFixed(1)} s in ${(task.spend_time ?? 0).toFixed(1)} s`)];
}

async function details(button, task) {
  await attempt(async () => {
    const { notification } = await tasks.get(task.task_id);
    const form = element('form', { method: 'dialog' },
      element('h1', {}, NOTICES[notification.status] ?? notification.status),
      element('ul', {}, notification.attempts.map((each) => element('li', {},
        `${new Date(each.at).toLocaleString()}: ${each.error === '' ? 'acknowledged' : each.error} (${each.duration_ms} ms)`))),
      element('div', { class: 'actions' }, element('button', { class: 'quiet' }, 'Close')));
    showDialog(element('dialog', { 'aria-label': 'Notification' }, form), form, () => button.focus());
  });
}

function storageRow(storage, remove) {
  return element('tr', {},
    element('td', {}, element('span', { class: 'mono' }, storage.storage_id),
      element('div', { class: 'sub' }, dateTime(storage.created_at))),
    element('td', {}, `${storage.bucket}/${storage.prefix}`,
      element('div', { class: 'sub' }, `${storage.type} ${storage.region} ${storage.endpoint ?? ''}`)),
    element('td', { class: 'wrap' }, storage.notify),
    element('td', { class: 'end' },
      element('button', { class: 'danger small', type: 'button', 'aria-label': `Delete ${storage.storage_id}`, onclick: () => remove(storage) }, 'Delete')));
}

function field(label, input, hint) {
  return element('label', { class: 'field' }, element('span', {}, label), input, hint && element('small', {}, hint));
}

/** A form that shows the validation errors of the server at its fields. */
class Form {
  #error = element('p', { class: 'field-error', role: 'alert' });
  root;

  constructor(title, id, action, fields, submit) {
    const button = element('button', { type: 'submit' }, action);
    const form = element('form', { id }, fields, this.#error, element('div', { class: 'actions' }, button));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      this.#error.textContent = '';
      button.disabled = true;
      try {
        await submit(form);
      } catch (problem) {
        const fields = (problem.fields ?? []).map((each) => `${each.field}: ${each.reason}`);
        this.#error.textContent = fields.length > 0 ? fields.join('; ') : problem.message;
      } finally {
        button.disabled = false;
      }
    });
    this.root = element('section', { class: 'card', 'aria-label': title }, element('h2', {}, title), form);
  }
}

function filled(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== undefined));
}

class StorageForm extends Form {
  constructor(added) {
    const text = (name, more = {}) => element('input', { name, spellcheck: 'false', autocomplete: 'off', ...more });
    const type = element('select', { name: 'type' }, ['oss', 's3', 'file'].map((each) => element('option', { value: each }, each)));
    super('New storage', 'new-storage', 'Test and add', [
      field('Type', type),
      field('Region', text('region')),
      field('Endpoint', text('endpoint'), 'Only if the region does not imply it.'),
      field('Bucket', text('bucket', { required: true })),
      field('Prefix', text('prefix')),
      field('Access key', text('storage_ak')),
      field('Secret key', text('storage_sk', { type: 'password' }), 'Stored encrypted, never shown again.'),
      field('Notify', text('notify', { required: true, type: 'url' }), 'https address, called when the tasks have ended.'),
    ], async (form) => {
      const { warnings } = await storages.add(filled(Object.fromEntries(new FormData(form))));
      form.reset();
      toast(`Storage added: ${warnings?.join('; ') ?? 'a test object was written, read and deleted'}`);
      await added();
    });
  }
}

class TaskForm extends Form {
  #storage;
  #inputs;

  constructor(added) {
    const storage = element('select', { name: 'storage_id', required: true });
    const inputs = element('datalist', { id: 'task-inputs' });
    const formats = ['mp4', 'hls', 'dash', 'flv'].map((name) => element('label', {},
      element('input', { type: 'checkbox', name: 'format', value: name, checked: name === 'mp4' }), ` ${name}`));
    super('New task', 'new-task', 'Transcode', [
      field('Storage', storage),
      field('Input', element('input', { name: 'input', list: 'task-inputs', required: true, spellcheck: 'false', autocomplete: 'off' }), 'An https address, or asset: and the id of an asset.'),
      inputs,
      element('fieldset', { class: 'field' }, element('legend', {}, 'Formats'), formats),
      element('label', { class: 'check' }, element('input', { type: 'checkbox', name: 'renditions' }), 'Renditions below the source, as of a live stream (hls)'),
      field('Height', element('input', { name: 'height', inputmode: 'numeric', pattern: '[0-9, ]*' }), 'Height in pixels; empty keeps it. Several, such as 1080, 720, make several renditions (hls and dash).'),
    ], async (form) => {
      const data = new FormData(form);
      const heights = String(data.get('height')).split(/[ ,]+/).filter(Boolean).map(Number);
      const renditions = data.has('renditions');
      const outputs = data.getAll('format').map((format) => (renditions && format === 'hls'
        ? { format, renditions }
        : filled({ format, height: heightFor(format, heights) })));
      await tasks.create({ storage_id: data.get('storage_id'), input: String(data.get('input')).trim(), outputs });
      toast(outputs.length === 1 ? 'Task added' : `${outputs.length} tasks added`);
      await added();
    });
    this.#storage = storage;
    this.#inputs = inputs;
  }

  offer(list) {
    const chosen = this.#storage.value;
    replace(this.#storage, list.map((each) => element('option', { value: each.storage_id }, `${each.bucket}/${each.prefix}`)));
    if (list.some((each) => each.storage_id === chosen)) {
      this.#storage.value = chosen;
    }
  }

  async offerAssets() {
    const ready = (await assets.list()).filter((asset) => asset.status === 'ready');
    replace(this.#inputs, ready.map((asset) => element('option', { value: `asset:${asset.asset_id}` }, asset.title || asset.asset_id)));
  }
}

/** One height for a single file: the largest of those that were asked for. */
function heightFor(format, heights) {
  if (heights.length === 0) {
    return undefined;
  }
  const ladder = format === 'hls' || format === 'dash';
  return ladder && heights.length > 1 ? heights : Math.max(...heights);
}
