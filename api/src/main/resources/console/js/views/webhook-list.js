import { badge, copyField, element, replace, toast } from '../dom.js';
import { webhooks } from '../events-api.js';

/** The endpoints, and a form for a new one. */
export class WebhookList {
  #list = element('ul', { class: 'hooks', id: 'webhooks' });
  #empty = element('p', { class: 'hint' }, 'No webhook endpoints yet.');
  #fresh = element('div', { hidden: true, 'aria-live': 'polite' });
  #shown = '';
  root = element('section', { class: 'card', 'aria-label': 'Webhook endpoints' },
    element('h2', {}, 'Webhook endpoints'), this.#empty, this.#list, this.#fresh, this.#form());

  async refresh() {
    const found = (await webhooks.list()).data;
    const drawn = JSON.stringify(found);
    if (drawn !== this.#shown) {
      this.#shown = drawn;
      this.#empty.hidden = found.length > 0;
      replace(this.#list, found.map(entry));
    }
  }

  #form() {
    const url = element('input', { name: 'url', type: 'url', required: true, placeholder: 'https://receiver.example/touchline', autocomplete: 'off' });
    const wanted = element('input', { name: 'events', value: '*', required: true, autocomplete: 'off', spellcheck: 'false' });
    const streams = element('input', { name: 'live_stream_ids', autocomplete: 'off', spellcheck: 'false' });
    const error = element('p', { class: 'field-error', role: 'alert' });
    const field = (label, input, hint) => element('label', { class: 'field' }, element('span', {}, label), input, element('small', {}, hint));
    const form = element('form', { id: 'new-webhook' },
      field('Address', url, 'https; http only for hosts in egress.allow.'),
      field('Events', wanted, 'Comma-separated names, or * for all.'),
      field('Live streams', streams, 'Comma-separated ids; empty for all.'),
      error,
      element('div', { class: 'actions' }, element('button', { type: 'submit' }, 'Add the endpoint')));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      error.textContent = '';
      const fields = { url: url.value.trim(), events: split(wanted.value) };
      if (split(streams.value).length > 0) {
        fields.live_stream_ids = split(streams.value);
      }
      try {
        const made = await webhooks.create(fields);
        form.reset();
        drawSecret(this.#fresh, made);
        await this.refresh();
      } catch (problem) {
        error.textContent = [problem.message, ...(problem.fields ?? []).map((f) => `${f.field}: ${f.reason}`)].join(' – ');
      }
    });
    return element('details', {}, element('summary', {}, 'Add an endpoint'), form);
  }
}

function split(text) {
  return text.split(',').map((part) => part.trim()).filter(Boolean);
}

function entry(hook) {
  return element('li', {},
    element('a', { href: `#/webhooks/${encodeURIComponent(hook.id)}` }, hook.url),
    element('span', {}, ' ', badge(hook.status)),
    hook.failing_since && hook.status === 'enabled' && element('span', { class: 'badge bad' }, 'failing'),
    element('p', { class: 'sub' }, hook.events.join(', ')));
}

/** A secret that is shown this once. */
export function drawSecret(place, made) {
  place.hidden = false;
  replace(place,
    element('h3', {}, 'Copy this now'),
    element('p', { class: 'hint' }, 'The secret is shown only once. Receivers check the signature of every delivery with it (Standard Webhooks).'),
    copyField('Secret', made.secret, { secret: true }));
  toast('The endpoint has a secret: copy it now');
}
