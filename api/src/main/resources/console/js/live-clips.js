import { ApiError, assets, playbackAddress } from './api.js';
import { copyText, element, replace, showDialog, toast } from './dom.js';
import { playable } from './playable.js';
import { Player } from './player.js';
import { clock } from './time.js';
import { assetBadges, downloadButton, thumbnail } from './views/asset-parts.js';

/** How often a clip, and the recording that it waits for, is asked for. */
const ASK_MS = 200;

/** Clips made here while their recording grows: progress, and then what to do with them. */
export class LiveClips {
  #isClosed = false;
  root = element('ul', { class: 'clips', 'aria-label': 'Clips made here', 'aria-live': 'polite' });

  /**
   * Makes a clip of `[inMs, outMs)` of a growing asset, once so much is recorded. Resolves when it is
   * ready, or has failed.
   */
  async make(asset, inMs, outMs) {
    const state = element('span', { class: 'sub' }, 'Waiting for the recording …');
    const item = element('li', { 'data-status': 'waiting' }, element('div', { class: 'grow' },
      element('div', { class: 'badges' }, element('span', { class: 'number' }, `${clock(inMs)} – ${clock(outMs)}`)), state));
    this.root.prepend(item);
    try {
      const end = Math.min(outMs, await this.#recorded(asset, outMs));
      state.textContent = 'Cutting …';
      item.dataset.status = 'preparing';
      const clip = await assets.clip(asset.asset_id, inMs, end);
      await this.#until(async () => {
        const now = await assets.get(clip.asset_id);
        if (now.status !== 'preparing') {
          this.#show(item, now);
        }
        return now.status !== 'preparing';
      });
    } catch (problem) {
      item.dataset.status = 'errored';
      state.textContent = `No clip: ${problem instanceof ApiError ? problem.message : 'the server cannot be reached'}`;
    }
  }

  /** Resolves to the recorded length when it reaches this time, or has ended before. */
  async #recorded(asset, ms) {
    let recordedMs = 0;
    await this.#until(async () => {
      const now = await assets.get(asset.asset_id);
      recordedMs = Math.floor(now.duration * 1000);
      return recordedMs >= ms || !now.is_live;
    });
    return recordedMs;
  }

  async #until(isDone) {
    while (!this.#isClosed && !await isDone()) {
      await new Promise((resolve) => setTimeout(resolve, ASK_MS));
    }
  }

  #show(item, clip) {
    const isReady = clip.status === 'ready';
    item.dataset.clip = clip.asset_id;
    item.dataset.status = clip.status;
    replace(item,
      thumbnail(clip),
      element('div', { class: 'grow' },
        element('div', { class: 'badges' }, assetBadges(clip), element('span', { class: 'number' }, clock(clip.duration * 1000))),
        clip.errors.map((error) => element('p', { class: 'field-error' }, error.message))),
      isReady && element('div', { class: 'buttons' },
        element('button', { class: 'small', type: 'button', onclick: () => play(clip) }, 'Play'),
        element('button', { class: 'quiet small', type: 'button', onclick: () => copyText('Address', playbackAddress(clip.playback_ids[0].id)) }, 'Copy address'),
        downloadButton(clip, { class: 'quiet small' }),
        element('a', { class: 'button quiet small', href: `#/assets/${encodeURIComponent(clip.asset_id)}` }, 'Open')));
  }

  close() {
    this.#isClosed = true;
  }
}

/** Over the page, so that the match goes on behind it. */
async function play(clip) {
  const address = await playable(clip.playback_ids);
  if (!address) {
    toast('All playback ids of this clip are signed: open it and enter a key', true);
    return;
  }
  const player = new Player({ stored: true });
  const form = element('form', { method: 'dialog' },
    player.root,
    element('div', { class: 'actions' }, element('button', { class: 'quiet', value: 'no' }, 'Close')));
  showDialog(element('dialog', { class: 'wide', 'aria-label': 'Clip' }, form), form, () => player.stop(''));
  player.play(address.hls(), clip.asset_id);
}
