import { liveStreams, playbackAddress, signingKeys } from '../api.js';
import { confirmDialog, copyField, dateTime, element, replace, toast } from '../dom.js';
import { PagedTable } from '../paged-table.js';
import { signer } from '../playable.js';
import { Player } from '../player.js';
import { canSign, importPrivateKey, signToken } from '../sign.js';

/** Signing keys, and links signed with them in this page. `#/keys/ID` starts with that playback id. */
export async function signingKeyPage(main, [playbackId = '']) {
  const fresh = element('section', { class: 'card', 'aria-label': 'New signing key', hidden: true });
  const signing = new LinkForm(playbackId);
  const table = new PagedTable({
    columns: ['Key', 'Created', 'Last used', ''],
    load: (page) => signingKeys.list(page),
    row: (key) => row(key, remove),
    label: 'Signing keys',
    empty: element('p', { class: 'card hint', hidden: true }, 'No signing keys yet. Keys sign the tokens for playback ids with policy signed.'),
    drawn: (keys) => signing.offerKeys(keys.map((key) => key.id)),
  });

  async function create(event) {
    const button = event.target;
    button.disabled = true;
    try {
      const made = await signingKeys.create();
      drawFresh(fresh, made);
      signing.use(made);
      await table.again({ first: true });
    } catch (problem) {
      toast(problem.message, true);
    } finally {
      button.disabled = false;
    }
  }

  async function remove(key) {
    const used = key.last_used_at === null ? 'No link of it was ever used.' : `A link of it was last opened ${dateTime(key.last_used_at)}.`;
    if (!await confirmDialog('Delete this signing key?', `Every link signed with it stops working at once, also for current viewers. ${used}`, 'Delete')) {
      return;
    }
    try {
      await signingKeys.remove(key.id);
      toast('Signing key deleted');
      await table.refresh();
    } catch (problem) {
      toast(problem.message, true);
    }
  }

  await Promise.all([table.refresh(), signing.offerPlaybackIds()]);
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Signing keys'),
      element('button', { type: 'button', id: 'make-key', onclick: create }, 'Make a key')),
    element('div', { class: 'columns' },
      element('div', { class: 'stack' }, fresh, table.parts, signing.player.root),
      element('div', { class: 'stack' }, signing.root)));
  return { title: 'Signing keys', refresh: () => table.refresh(), close: () => signing.player.stop('') };
}

function row(key, remove) {
  return element('tr', {},
    element('td', {}, element('span', { class: 'mono' }, key.id)),
    element('td', {}, dateTime(key.created_at)),
    element('td', {}, key.last_used_at === null ? 'Never' : dateTime(key.last_used_at)),
    element('td', { class: 'end' },
      element('button', { class: 'danger small', type: 'button', 'aria-label': `Delete ${key.id}`, onclick: () => remove(key) }, 'Delete')));
}

function drawFresh(card, made) {
  card.hidden = false;
  replace(card,
    element('h2', {}, 'Copy this now'),
    element('p', { class: 'hint' }, 'The private key is shown only once: the server does not store it. It gives access to every signed playback id.'),
    copyField('Key id', made.id),
    copyField('Private key', made.private_key, { secret: true }),
    element('a', { class: 'button', download: `${made.id}.pem`, href: `data:application/x-pem-file;base64,${made.private_key}` }, 'Download as PEM'));
}

/** Signs a link for a playback id, and plays it. The private key stays in its field. */
class LinkForm {
  #playbackIds = element('datalist', { id: 'signed-ids' });
  #keyIds = element('datalist', { id: 'key-ids' });
  #playbackId = element('input', { name: 'playback_id', list: 'signed-ids', required: true, spellcheck: 'false', autocomplete: 'off' });
  #keyId = element('input', { name: 'key_id', list: 'key-ids', required: true, spellcheck: 'false', autocomplete: 'off' });
  #privateKey = element('textarea', { name: 'private_key', rows: '3', required: true, spellcheck: 'false', autocomplete: 'off', class: 'mono' });
  #minutes = element('input', { name: 'minutes', type: 'number', min: '1', max: '525600', value: '60', required: true });
  #error = element('p', { class: 'field-error', role: 'alert' });
  #link = element('div', { id: 'signed-link', 'aria-live': 'polite' });
  player = new Player();
  root;

  constructor(playbackId) {
    this.#playbackId.value = playbackId;
    const field = (label, input, hint) => element('label', { class: 'field' }, element('span', {}, label), input, hint && element('small', {}, hint));
    const form = element('form', { id: 'sign-link' },
      field('Playback id', this.#playbackId, 'With policy signed.'),
      field('Key id', this.#keyId),
      field('Private key', this.#privateKey, 'Used in this page only. It is not sent, and not stored.'),
      field('Valid for (minutes)', this.#minutes),
      this.#error,
      element('div', { class: 'actions' }, element('button', { type: 'submit', disabled: !canSign() }, 'Sign a link')),
      this.#playbackIds, this.#keyIds);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#sign();
    });
    this.root = element('section', { class: 'card', 'aria-label': 'Sign a link' },
      element('h2', {}, 'Sign a link'),
      !canSign() && element('p', { class: 'notice' }, 'Browsers allow signing only on https and localhost.'),
      form, this.#link);
    this.player.stop('Nothing signed yet', 'Sign a link to a live stream and watch it here.');
  }

  /** Fills in a key that was just made. */
  use(made) {
    this.#keyId.value = made.id;
    this.#privateKey.value = made.private_key;
  }

  offerKeys(ids) {
    replace(this.#keyIds, ids.map((id) => element('option', { value: id })));
  }

  /** Signed ids of the newest streams; any other can be typed. */
  async offerPlaybackIds() {
    const streams = (await liveStreams.list(1, 100)).data;
    const signed = streams.flatMap((stream) => stream.playback_ids
      .filter((entry) => entry.policy === 'signed')
      .map((entry) => element('option', { value: entry.id }, stream.title || stream.id)));
    replace(this.#playbackIds, signed);
  }

  async #sign() {
    this.#error.textContent = '';
    try {
      const key = await importPrivateKey(this.#privateKey.value);
      signer.hold(this.#keyId.value.trim(), key);
      const playbackId = this.#playbackId.value.trim();
      const jwt = await signToken(key, {
        keyId: this.#keyId.value.trim(),
        playbackId,
        expiresAt: Math.floor(Date.now() / 1000) + 60 * Number(this.#minutes.value),
      });
      const address = `${playbackAddress(playbackId)}?token=${jwt}`;
      replace(this.#link,
        copyField('Signed link', address),
        element('button', { class: 'quiet', type: 'button', onclick: () => this.player.play(address, jwt) }, 'Play it here'));
    } catch (problem) {
      this.#error.textContent = problem.message;
    }
  }
}
