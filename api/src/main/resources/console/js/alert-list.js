import { addressOf, alerts, mutesOf } from './alerts.js';
import { element, replace, toast } from './dom.js';
import { eventHub } from './event-hub.js';
import { time } from './session-timeline.js';

const SOUND = {
  off: 'Turn sound on',
  waiting: 'Sound waits for a click',
  on: 'Turn sound off',
};
const DESKTOP = {
  unsupported: 'Desktop: needs HTTPS',
  denied: 'Desktop: blocked by the browser',
  off: 'Turn desktop notifications on',
  on: 'Turn desktop notifications off',
};
const STATES = { off: '', connecting: 'Connecting', live: 'Live', refused: '' };

/** One list of the alerts of all streams: heard, acknowledged and muted here. */
export class AlertList {
  #items = element('ol', { class: 'alerts', id: 'alerts' });
  #empty = element('p', { class: 'hint' }, 'No alerts in the last hour.');
  #refused = element('p', { class: 'notice', hidden: true }, 'Alerts need the scope ', element('b', {}, 'system'), ', which your token does not have.');
  #state = element('span', { class: 'badge' });
  #sound = element('button', { class: 'quiet small', type: 'button', id: 'alert-sound', onclick: () => alerts.switchSound(alerts.sound === 'off').catch((problem) => toast(problem.message, true)) });
  #desktop = element('button', { class: 'quiet small', type: 'button', id: 'alert-desktop', onclick: () => alerts.switchDesktop(alerts.desktop !== 'on').catch((problem) => toast(problem.message, true)) });
  #all = element('button', { class: 'quiet small', type: 'button', onclick: () => alerts.acknowledge(...alerts.open) }, 'Acknowledge all');
  #muted = element('ul', { class: 'plain muted' });
  #mutedBox = element('details', { class: 'muted-box' }, element('summary', {}, 'Muted'), this.#muted);
  #shown = '';
  #ends = [];
  root = element('section', { class: 'card', 'aria-label': 'Alerts' },
    element('div', { class: 'alerts-head' }, element('h2', {}, 'Alerts'), this.#state),
    element('div', { class: 'actions' }, this.#sound, this.#all, this.#desktop),
    this.#refused, this.#empty, this.#items, this.#mutedBox);

  constructor() {
    this.#ends = [
      alerts.listen(() => this.#draw()),
      eventHub.listen({ event: () => {}, state: (state) => this.#connection(state) }),
    ];
    this.#draw();
  }

  close() {
    this.#ends.forEach((end) => end());
  }

  #connection(state) {
    this.#state.textContent = STATES[state];
    this.#state.hidden = STATES[state] === '';
    this.#state.classList.toggle('active', state === 'live');
    this.#refused.hidden = state !== 'refused';
  }

  #draw() {
    this.#sound.textContent = SOUND[alerts.sound];
    this.#sound.setAttribute('aria-pressed', String(alerts.sound !== 'off'));
    this.#desktop.textContent = DESKTOP[alerts.desktop];
    this.#desktop.setAttribute('aria-pressed', String(alerts.desktop === 'on'));
    this.#desktop.disabled = ['unsupported', 'denied'].includes(alerts.desktop);
    this.#all.disabled = alerts.open.length === 0;
    const all = alerts.all;
    const state = JSON.stringify(all.map((alert) => [alert, alerts.isAcknowledged(alert), alerts.isMuted(alert)]));
    if (state !== this.#shown) {
      this.#shown = state;
      this.#drawItems(all);
    }
    this.#empty.hidden = all.length > 0;
    this.#mutedBox.hidden = alerts.muted.length === 0;
    replace(this.#muted, alerts.muted.map(([key, label]) => element('li', {}, element('span', {}, String(label)), ' ',
      element('button', { class: 'quiet small', type: 'button', 'aria-label': `Unmute ${label}`, onclick: () => alerts.unmute(key) }, 'Unmute'))));
  }

  /** Focus stays at the alert that has it, or at the one that takes its place. */
  #drawItems(all) {
    const focused = this.#items.contains(document.activeElement) ? document.activeElement.closest('li') : null;
    const place = focused ? [...this.#items.children].indexOf(focused) : -1;
    replace(this.#items, all.map(item));
    if (focused) {
      (this.#items.querySelector(`[id="${CSS.escape(focused.id)}"]`) ?? this.#items.children[place])?.querySelector('button, a')?.focus();
    }
  }
}

function item(alert) {
  const isOpen = !alerts.isAcknowledged(alert) && !alerts.isMuted(alert);
  const state = alerts.isMuted(alert) ? 'muted' : alerts.isAcknowledged(alert) ? 'acknowledged' : '';
  const about = [alert.title, alert.streamTitle].filter(Boolean).join(', ');
  const mute = element('select', { class: 'small', 'aria-label': `Mute: ${about}` },
    element('option', { value: '' }, 'Mute …'),
    mutesOf(alert).map(({ label }, index) => element('option', { value: String(index) }, label)));
  mute.addEventListener('change', () => mute.value !== '' && alerts.mute(mutesOf(alert)[Number(mute.value)]));
  return element('li', { class: `alert ${alert.level}${isOpen ? '' : ' closed'}`, id: `alert-${alert.id}` },
    element('div', { class: 'alert-line' },
      element('a', { class: 'name', href: addressOf(alert) }, alert.title),
      element('time', { datetime: new Date(alert.at).toISOString() }, time(alert.at))),
    element('div', { class: 'sub' }, [alert.streamTitle ?? alert.stream, alert.kindTitle, alert.endedAt && `${alert.sessionEnded ? 'session ended' : 'over'} at ${time(alert.endedAt)}`, state].filter(Boolean).join(' · ')),
    alert.text && element('p', {}, alert.text),
    isOpen && element('div', { class: 'actions' },
      element('button', { class: 'quiet small', type: 'button', 'aria-label': `Acknowledge: ${about}`, onclick: () => alerts.acknowledge(alert) }, 'Acknowledge'),
      mute));
}
