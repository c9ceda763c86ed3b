import { assets } from '../api.js';
import { copyField, dateTime, element, replace, toast } from '../dom.js';
import { playable, signer } from '../playable.js';
import { Player } from '../player.js';
import { canSign } from '../sign.js';
import { clock } from '../time.js';
import { assetBadges, assetName, deleteButton, downloadButton, removeAsset } from './asset-parts.js';
import { ClipEditor } from './clip-editor.js';
import { ReelEditor } from './reel-editor.js';

/** One asset: video, facts, playback addresses, and its clips. */
export async function assetPage(main, [id]) {
  const player = new Player({ stored: true });
  const editor = new ClipEditor(player.video, (inMs, outMs) => reel.add(inMs, outMs));
  const reel = new ReelEditor({ made: (clip, lengthMs) => editor.made(clip, lengthMs), shown: (range) => editor.edit(range) });
  const heading = element('h1');
  const status = element('div', { class: 'badges' });
  const actions = element('div', { class: 'actions' });
  const errors = element('section', { class: 'notice', 'aria-label': 'Errors', hidden: true });
  const facts = element('section', { class: 'card', 'aria-label': 'Asset' });
  const addresses = element('section', { class: 'card', 'aria-label': 'Playback' });
  const unlock = new UnlockForm(() => refresh().catch((problem) => toast(problem.message, true)));
  let shown = {};

  async function refresh() {
    const asset = await assets.get(id);
    const play = asset.status === 'ready' ? await playable(asset.playback_ids) : null;
    drawOnce('heading', assetName(asset), () => { heading.textContent = assetName(asset); });
    drawOnce('status', JSON.stringify([asset.status, asset.is_live, asset.progress]), () => replace(status, assetBadges(asset)));
    drawOnce('actions', JSON.stringify([asset.status, asset.is_live, asset.mp4_support]), () => drawActions(asset));
    drawOnce('facts', JSON.stringify({ ...asset, progress: null }), () => drawFacts(facts, asset));
    drawOnce('errors', JSON.stringify(asset.errors), () => drawErrors(errors, asset));
    drawOnce('addresses', JSON.stringify(asset.playback_ids), () => drawAddresses(addresses, asset));
    unlock.root.hidden = asset.status !== 'ready' || play !== null;
    watch(asset, play);
    await editor.show(asset, play);
    await reel.show(asset, play);
  }

  /** Parts with buttons are redrawn on a change only, so that focus stays where it is. */
  function drawOnce(part, key, drawPart) {
    if (shown[part] !== key) {
      shown = { ...shown, [part]: key };
      drawPart();
    }
  }

  function watch(asset, play) {
    if (play) {
      player.play(play.hls(), asset.asset_id);
    } else if (asset.status === 'ready') {
      player.stop('Signed', 'All playback ids of this asset need a token.');
    } else if (asset.status === 'preparing') {
      player.stop('Processing', 'The video appears when it is ready.');
    } else {
      player.stop('Nothing to play', 'This asset has failed.');
    }
  }

  function drawActions(asset) {
    replace(actions,
      downloadButton(asset, {}),
      deleteButton(asset, { class: 'danger' }, remove));
  }

  async function remove(asset) {
    if (await removeAsset(asset)) {
      location.hash = '#/assets';
    }
  }

  await refresh();
  replace(main,
    element('div', { class: 'head' }, element('div', { class: 'grow' }, heading), status, actions),
    errors,
    element('div', { class: 'columns' },
      element('div', { class: 'stack' }, player.root, editor.root, reel.root),
      element('div', { class: 'stack' }, unlock.root, facts, addresses)));
  return {
    title: heading.textContent,
    refresh,
    keys: editor.keys,
    close: () => {
      player.stop('');
    },
  };
}

function drawFacts(card, asset) {
  const link = (address, text) => element('a', { href: address }, text);
  const rows = [
    ['Duration', `${clock(asset.duration * 1000)}${asset.is_live ? ', growing' : ''}`],
    ['Created', dateTime(asset.created_at)],
    ['Stream', link(`#/streams/${encodeURIComponent(asset.live_stream_id)}`, asset.title || asset.live_stream_id)],
    asset.source_asset_id && ['Clip of', sources(asset).map((id, _, all) => element('div', {}, link(`#/assets/${encodeURIComponent(id)}`, all.length === 1 && asset.title ? `the recording of ${asset.title}` : id)))],
    asset.ranges && ['Ranges', asset.ranges.length],
    ['MP4', asset.mp4_support],
    ['Id', element('span', { class: 'mono' }, asset.asset_id)],
    asset.user_metadata && ['Metadata', asset.user_metadata],
  ];
  replace(card,
    element('h2', {}, asset.ranges ? 'Reel' : asset.source_asset_id ? 'Clip' : 'Recording'),
    element('dl', { class: 'facts' }, rows.filter(Boolean).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])));
}

/** The assets that a clip shows, each once. */
function sources(asset) {
  return [...new Set(asset.ranges?.map((range) => range.asset_id) ?? [asset.source_asset_id])];
}

function drawErrors(box, asset) {
  box.hidden = asset.errors.length === 0;
  replace(box, asset.errors.map((error) => element('p', {}, element('b', {}, error.type), ` ${error.message}`)));
}

function drawAddresses(card, asset) {
  const base = document.querySelector('meta[name="touchline-playback-url"]').content;
  replace(card,
    element('h2', {}, 'Play here'),
    asset.playback_ids.flatMap((entry) => [
      copyField(`HLS (${entry.policy})`, `${base}/${entry.id}.m3u8`),
      copyField(`Thumbnail (${entry.policy})`, `${base}/${entry.id}/thumbnail.jpg`),
    ]));
}

/** Takes a signing key for this page, where an asset has signed playback ids only. */
class UnlockForm {
  #keyId = element('input', { name: 'key_id', required: true, spellcheck: 'false', autocomplete: 'off' });
  #privateKey = element('textarea', { name: 'private_key', rows: '3', required: true, spellcheck: 'false', autocomplete: 'off', class: 'mono' });
  #error = element('p', { class: 'field-error', role: 'alert' });
  root;

  constructor(done) {
    const field = (label, input, hint) => element('label', { class: 'field' }, element('span', {}, label), input, hint && element('small', {}, hint));
    const form = element('form', { id: 'unlock' },
      field('Key id', this.#keyId),
      field('Private key', this.#privateKey, 'Used in this page only. It is not sent, and not stored.'),
      this.#error,
      element('div', { class: 'actions' }, element('button', { type: 'submit', disabled: !canSign() }, 'Use this key')));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      this.#error.textContent = '';
      try {
        await signer.use(this.#keyId.value.trim(), this.#privateKey.value);
        this.#privateKey.value = '';
        done();
      } catch (problem) {
        this.#error.textContent = problem.message;
      }
    });
    this.root = element('section', { class: 'card', 'aria-label': 'Signed playback', hidden: true },
      element('h2', {}, 'This asset is signed'),
      element('p', { class: 'hint' }, 'Enter a signing key to watch and cut it. Create keys under ', element('a', { href: '#/keys' }, 'Signing keys'), '.'),
      !canSign() && element('p', { class: 'notice' }, 'Browsers allow signing only on https and localhost.'),
      form);
  }
}
