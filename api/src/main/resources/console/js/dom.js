/** Small helpers over the DOM. Foreign text goes in as text only: nothing here parses HTML. */

/**
 * Makes an element. `on*` attributes are listeners, `class`, `dataset`-free plain attributes are
 * set as given; false, null and undefined ones are left out. Strings among the children become text.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) {
      continue;
    }
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else {
      made.setAttribute(key, value === true ? '' : String(value));
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(Boolean));
}

let toastTimer = 0;

/** A short message in the corner; gone after a while. */
export function toast(text, bad = false) {
  const list = document.getElementById('toasts');
  list.replaceChildren(element('p', { class: bad ? 'toast bad' : 'toast' }, text));
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => list.replaceChildren(), bad ? 8000 : 3000);
}

/** A value to copy, hidden behind dots when `secret`. */
export function copyField(label, value, { secret = false } = {}) {
  const output = element('output', {}, secret ? '•'.repeat(24) : value);
  const buttons = element('div', { class: 'buttons' });
  if (secret) {
    const reveal = element('button', { class: 'quiet small', type: 'button', 'aria-pressed': 'false', 'aria-label': `Show ${label}` }, 'Show');
    reveal.addEventListener('click', () => {
      const shown = reveal.getAttribute('aria-pressed') === 'true';
      reveal.setAttribute('aria-pressed', String(!shown));
      reveal.textContent = shown ? 'Show' : 'Hide';
      output.textContent = shown ? '•'.repeat(24) : value;
    });
    buttons.append(reveal);
  }
  buttons.append(
    element('button', { class: 'quiet small', type: 'button', 'aria-label': `Copy ${label}`, onclick: () => copyText(label, value) }, 'Copy'));
  return element('div', { class: 'copy' }, element('span', { class: 'label' }, label), output, buttons);
}

/** Copies a text, and says so. */
export async function copyText(label, value) {
  try {
    await navigator.clipboard.writeText(value);
    toast(`${label} copied`);
  } catch {
    toast('The browser did not allow copying; select the text instead', true);
  }
}

/** Asks for confirmation; resolves to true or false. */
export function confirmDialog(title, text, action) {
  return new Promise((resolve) => {
    const form = element('form', { method: 'dialog' },
      element('h1', {}, title),
      element('p', {}, text),
      element('div', { class: 'actions' },
        element('button', { class: 'quiet', value: 'no' }, 'Cancel'),
        element('button', { class: 'danger', value: 'yes' }, action)));
    showDialog(element('dialog', { 'aria-label': title }, form), form, resolve);
  });
}

/**
 * Shows a dialog until its form is submitted, a button `no` or Escape is pressed, and removes it. The
 * event `close` waits for the next frame, which a page that paints nothing may never have.
 *
 * @param onEnd gets the result of `submit`; without one, whether the button `yes` was pressed
 * @param submit does what the form asks for; the dialog stays where this resolves to undefined
 */
export function showDialog(dialog, form, onEnd, submit) {
  const end = (result) => {
    dialog.close();
    dialog.remove();
    onEnd(result);
  };
  const leave = (event) => {
    event.preventDefault();
    end(false);
  };
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const result = submit ? await patiently(form, submit) : event.submitter?.value === 'yes';
    if (result !== undefined) {
      end(result);
    }
  });
  form.querySelectorAll('button[value=no]').forEach((button) => button.addEventListener('click', leave));
  dialog.addEventListener('cancel', leave);
  document.body.append(dialog);
  dialog.showModal();
}

/** A form is not submitted a second time while the first still runs. */
async function patiently(form, submit) {
  const button = form.querySelector('button[type=submit]');
  button.disabled = true;
  try {
    return await submit();
  } finally {
    button.disabled = false;
  }
}

/** The state of a live stream; `away`: live, but its encoder has disconnected. */
export function streamBadge(stream) {
  return badge(isEncoderAway(stream) ? 'away' : stream.status);
}

/** The stream is live, but no encoder sends: the reconnect window runs. */
export function isEncoderAway(stream) {
  return stream.status === 'active' && stream.connected === false;
}

export function badge(status) {
  const words = { active: 'Live', away: 'Encoder away', idle: 'Idle', disable: 'Disabled', ready: 'Ready', preparing: 'Preparing', errored: 'Failed', up: 'Up', draining: 'Draining', gone: 'Gone' };
  return element('span', { class: `badge ${status}` }, words[status] ?? status);
}

/** Unix seconds (or an ISO text) as local date and time. */
export function dateTime(value) {
  if (value === null || value === undefined) {
    return '–';
  }
  const date = typeof value === 'number' ? new Date(value * 1000) : new Date(value);
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

export function bitrate(bitsPerSecond) {
  if (!bitsPerSecond) {
    return '–';
  }
  return bitsPerSecond >= 1e6 ? `${(bitsPerSecond / 1e6).toFixed(2)} Mbit/s` : `${Math.round(bitsPerSecond / 1e3)} kbit/s`;
}
