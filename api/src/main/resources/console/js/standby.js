import { images, liveStreams } from './api.js';
import { confirmDialog, dateTime, element, isEncoderAway, replace, toast } from './dom.js';

/** So long a button is held before it acts, in milliseconds; the sheet fills it meanwhile. */
const HOLD_MS = 800;

const REASONS = {
  encoder_lost: 'no encoder sends',
  operator: 'an operator has cut to it',
  rejected: 'moderation has rejected a frame',
};

/** What viewers get while no encoder sends: settings, images, and the operator's cut. */
export function drawStandby(card, stream, refresh) {
  replace(card,
    element('h2', {}, 'Standby'),
    state(stream),
    cut(stream, refresh),
    settings(stream, refresh));
}

function state(stream) {
  const now = stream.active_standby;
  const text = now
    ? `Viewers get the standby since ${dateTime(now.since)}: ${REASONS[now.reason] ?? now.reason}.`
    : stream.status === 'active' && !isEncoderAway(stream) ? 'Viewers get the encoder.' : 'Viewers get nothing from it now.';
  return element('p', { class: 'hint', role: 'status', id: 'standby-state' }, text);
}

function cut(stream, refresh) {
  const kept = stream.active_standby && stream.active_standby.reason !== 'encoder_lost';
  if (stream.status !== 'active' || (stream.standby.mode === 'none' && !kept)) {
    return null;
  }
  const act = (work, text) => async () => {
    try {
      await work(stream.id);
      toast(text);
      await refresh();
    } catch (problem) {
      toast(problem.message, true);
    }
  };
  return element('div', { class: 'actions' },
    kept
      ? heldButton('Back to the encoder', 'standby-off', act(liveStreams.standbyOff, 'Back at the next key frame of the encoder'))
      : heldButton('Cut to standby', 'standby-on', act(liveStreams.standbyOn, 'Viewers get the standby')));
}

/**
 * A button that acts when it is held. A click without a press, as by a screen reader, asks first.
 */
function heldButton(text, id, work) {
  const button = element('button', { class: 'danger held', type: 'button', id, title: 'Hold to confirm' }, text);
  let timer = 0;
  let pressed = false;
  const begin = () => {
    pressed = true;
    clearTimeout(timer);
    button.classList.add('holding');
    timer = setTimeout(() => {
      end();
      work();
    }, HOLD_MS);
  };
  const end = () => {
    clearTimeout(timer);
    button.classList.remove('holding');
  };
  button.addEventListener('pointerdown', begin);
  ['pointerup', 'pointerleave', 'pointercancel', 'blur'].forEach((name) => button.addEventListener(name, end));
  button.addEventListener('keydown', (event) => {
    if ((event.key === ' ' || event.key === 'Enter') && !event.repeat) {
      begin();
    }
  });
  button.addEventListener('keyup', end);
  button.addEventListener('click', async () => {
    if (!pressed && await confirmDialog(`${text}?`, 'Viewers see the change at once.', text)) {
      work();
    }
    pressed = false;
  });
  return element('span', { class: 'hold' }, button, element('small', { class: 'hint' }, 'hold to confirm'));
}

function settings(stream, refresh) {
  const now = stream.standby;
  const option = (value, text) => element('option', { value }, text);
  const mode = element('select', { name: 'standby_mode' },
    option('none', 'nothing'), option('freeze', 'the last frame'), option('slate', 'a slate'));
  mode.value = now.mode;
  const after = element('input', { name: 'standby_after', type: 'number', min: '0.3', max: '10', step: '0.1', value: String(now.after) });
  const image = element('select', { name: 'standby_image' }, option('', 'with the title of the stream'));
  const file = element('input', { name: 'standby_file', type: 'file', accept: 'image/png,image/jpeg' });
  const error = element('p', { class: 'field-error', role: 'alert' });
  const field = (label, input, hint) => element('label', { class: 'field' }, element('span', {}, label), input, hint && element('small', {}, hint));
  const remove = element('button', { class: 'quiet small', type: 'button' }, 'Delete image');
  const slate = element('div', {},
    field('Slate', image), field('New image', file, 'PNG or JPEG, at most 8 MiB.'), remove);
  const show = () => { slate.hidden = mode.value !== 'slate'; remove.hidden = image.value === ''; };
  const failed = (problem) => {
    error.textContent = (problem.fields ?? []).map(({ field: name, reason }) => `${name}: ${reason}`).join('; ') || problem.message;
  };
  mode.addEventListener('change', show);
  image.addEventListener('change', show);

  async function list(chosen) {
    const all = await images.list();
    image.replaceChildren(image.firstElementChild,
      ...all.map((each) => option(each.image_id, `${each.width} × ${each.height}, ${dateTime(each.created_at)}`)));
    image.value = all.some((each) => each.image_id === chosen) ? chosen : '';
    show();
  }

  file.addEventListener('change', async () => {
    error.textContent = '';
    try {
      await list((await images.upload(file.files[0])).image_id);
      toast('Image uploaded: save to use it');
    } catch (problem) {
      failed(problem);
    }
  });
  remove.addEventListener('click', async () => {
    error.textContent = '';
    try {
      await images.remove(image.value);
      await list('');
      toast('Image deleted');
    } catch (problem) {
      failed(problem);
    }
  });
  async function save(event) {
    event.preventDefault();
    error.textContent = '';
    try {
      await liveStreams.patch(stream.id, {
        standby: { mode: mode.value, after: Number(after.value), image_id: image.value || null },
      });
      toast('Standby saved');
      await refresh();
    } catch (problem) {
      failed(problem);
    }
  }

  list(now.image_id ?? '').catch(failed);
  show();
  return element('form', { onsubmit: save },
    field('Without the encoder viewers get', mode),
    field('After (s) without media', after),
    slate,
    error,
    element('div', { class: 'actions' }, element('button', { class: 'quiet', type: 'submit' }, 'Save standby')));
}
