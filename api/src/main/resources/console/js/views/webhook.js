import { badge, confirmDialog, dateTime, element, replace, toast } from '../dom.js';
import { webhooks } from '../events-api.js';
import { drawSecret } from './webhook-list.js';

/** One endpoint: deliveries, responses, and redelivery. */
export async function webhookPage(main, [id]) {
  const page = new WebhookPage(id);
  await page.refresh();
  replace(main, page.root);
  return { title: 'Webhook', refresh: () => page.refresh() };
}

class WebhookPage {
  #id;
  #head = element('div', {});
  #secret = element('div', { class: 'card', hidden: true, 'aria-live': 'polite' });
  #status = element('select', { 'aria-label': 'Status' },
    ...[['', 'All'], ['pending', 'Pending'], ['succeeded', 'Succeeded'], ['failed', 'Failed']].map(([value, text]) => element('option', { value }, text)));
  #list = element('ol', { class: 'events', id: 'deliveries' });
  #empty = element('p', { class: 'hint' }, 'No deliveries yet.');
  #pager = element('div', { class: 'pager' });
  #page = 1;
  #drawn = {};
  root;

  constructor(id) {
    this.#id = id;
    this.#status.addEventListener('change', () => {
      this.#page = 1;
      this.#act(() => this.#deliveries());
    });
    this.root = element('div', { class: 'stack' }, this.#head, this.#secret,
      element('section', { class: 'card', 'aria-label': 'Deliveries' },
        element('div', { class: 'head' }, element('h2', { class: 'grow' }, 'Deliveries'), this.#status),
        this.#empty, this.#list, this.#pager),
      this.#replayForm());
  }

  async refresh() {
    const hook = await webhooks.get(this.#id);
    this.#changed('head', hook, () => this.#drawHead(hook));
    await this.#deliveries();
  }

  async #deliveries() {
    const reply = await webhooks.deliveries(this.#id, this.#status.value, this.#page);
    this.#changed('list', [reply.data, reply.page, reply.total], () => this.#drawDeliveries(reply));
  }

  /** Draws only what is new: an opened delivery stays open otherwise. */
  #changed(part, data, draw) {
    const text = JSON.stringify(data);
    if (this.#drawn[part] !== text) {
      this.#drawn[part] = text;
      draw();
    }
  }

  #drawHead(hook) {
    const button = (text, work, kind = 'quiet') => element('button', { class: kind, type: 'button', onclick: () => this.#act(work) }, text);
    replace(this.#head,
      element('p', {}, element('a', { href: '#/events' }, 'Events')),
      element('div', { class: 'head' },
        element('h1', { class: 'grow wrap' }, hook.url), badge(hook.status)),
      element('p', { class: 'sub' }, hook.events.join(', '), hook.live_stream_ids ? ` – of ${hook.live_stream_ids.join(', ')}` : ''),
      hook.disabled_reason && element('p', { class: 'notice' }, `Disabled ${dateTime(hook.disabled_at)}: ${reasons[hook.disabled_reason]}`),
      hook.failing_since && hook.status === 'enabled' && element('p', { class: 'notice' }, `Failing since ${dateTime(hook.failing_since)}; after five days it is disabled.`),
      element('div', { class: 'actions' },
        button('Send a test', () => webhooks.test(this.#id).then(() => toast('Test sent'))),
        hook.status === 'enabled'
          ? button('Disable', () => webhooks.patch(this.#id, { status: 'disabled' }))
          : button('Enable', () => webhooks.patch(this.#id, { status: 'enabled' })),
        button('Rotate the secret', () => this.#rotate()),
        button('Delete', () => this.#remove(), 'danger')));
  }

  async #rotate() {
    if (await confirmDialog('Rotate the secret?', 'For 24 hours deliveries are signed with both secrets, then with the new one only.', 'Rotate')) {
      drawSecret(this.#secret, await webhooks.rotate(this.#id));
    }
  }

  async #remove() {
    if (await confirmDialog('Delete this endpoint?', 'Its log is deleted, and nothing more is sent to it.', 'Delete')) {
      await webhooks.remove(this.#id);
      toast('Endpoint deleted');
      location.hash = '#/events';
    }
  }

  #drawDeliveries(reply) {
    const open = new Set([...this.#list.querySelectorAll('details[open]')].map((each) => each.closest('li').id));
    this.#empty.hidden = reply.total > 0;
    replace(this.#list, reply.data.map((delivery) => this.#delivery(delivery, open.has(delivery.id))));
    const pages = Math.max(1, Math.ceil(reply.total / reply.limit));
    this.#pager.hidden = pages === 1;
    const turn = (by) => this.#act(() => {
      this.#page += by;
      return this.#deliveries();
    });
    replace(this.#pager,
      element('button', { class: 'quiet small', type: 'button', disabled: this.#page === 1, onclick: () => turn(-1) }, 'Previous'),
      element('span', {}, `${this.#page} of ${pages}`),
      element('button', { class: 'quiet small', type: 'button', disabled: !reply.has_more, onclick: () => turn(1) }, 'Next'));
  }

  #delivery(delivery, open) {
    const last = delivery.attempts.at(-1);
    const result = last ? (last.error ?? `HTTP ${last.http_status}`) : 'not sent yet';
    return element('li', { class: 'event', id: delivery.id },
      element('details', { open },
        element('summary', {},
          element('span', { class: `kind ${delivery.status === 'failed' ? 'bad' : ''}` }, delivery.type),
          badge(delivery.status),
          element('time', {}, dateTime(delivery.created_at)),
          element('span', { class: 'sub' }, `${delivery.attempts.length} × · ${result}`)),
        element('p', { class: 'sub mono' }, delivery.event_id),
        delivery.status === 'pending' && element('p', {}, `Next attempt: ${dateTime(delivery.next_attempt_at)}`),
        element('div', { class: 'actions' },
          element('button', { class: 'quiet small', type: 'button', 'aria-label': `Send ${delivery.id} again`, onclick: () => this.#act(() => webhooks.replay(this.#id, delivery.id)) }, 'Send again')),
        delivery.attempts.map(attempt)));
  }

  #replayForm() {
    const which = element('select', { name: 'status' },
      element('option', { value: 'failed' }, 'Failed deliveries'), element('option', { value: 'all' }, 'Everything'));
    const from = element('input', { name: 'from', type: 'datetime-local', step: '1' });
    const to = element('input', { name: 'to', type: 'datetime-local', step: '1' });
    const field = (label, input) => element('label', { class: 'field' }, element('span', {}, label), input);
    const form = element('form', { id: 'replay', class: 'card' },
      element('h2', {}, 'Send many again'),
      element('p', { class: 'hint' }, 'A time range includes events that this endpoint never received.'),
      field('Which', which), field('From', from), field('To', to),
      element('div', { class: 'actions' }, element('button', { type: 'submit' }, 'Send again')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const fields = { status: which.value };
      for (const [name, input] of [['from', from], ['to', to]]) {
        if (input.value) {
          fields[name] = new Date(input.value).getTime() / 1000;
        }
      }
      this.#act(() => webhooks.replayMany(this.#id, fields).then((done) => toast(`${done.replayed} are sent again`)));
    });
    return form;
  }

  async #act(work) {
    try {
      await work();
      if (location.hash.startsWith('#/webhooks/')) {
        await this.refresh();
      }
    } catch (problem) {
      toast([problem.message, ...(problem.fields ?? []).map((f) => `${f.field}: ${f.reason}`)].join(' – '), true);
    }
  }
}

const reasons = {
  requested: 'disabled by an API call',
  gone: 'the endpoint answered 410 Gone',
  failing: 'it failed for five days',
};

function attempt(made) {
  const part = (title, text) => text && element('div', {}, element('h4', {}, title), element('pre', { class: 'mono' }, text));
  return element('section', { class: 'attempt', 'aria-label': `Attempt ${made.number}` },
    element('h3', {}, `Attempt ${made.number}: ${made.error ?? `HTTP ${made.http_status}`}`),
    element('p', { class: 'sub' }, `${dateTime(made.at)} · ${made.duration_ms} ms`),
    part('Request', made.request_head), part('Answer', made.response_head), part('Body', made.response_body));
}
