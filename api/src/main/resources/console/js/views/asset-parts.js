import { assets } from '../api.js';
import { badge, confirmDialog, element, replace, toast } from '../dom.js';
import { playable } from '../playable.js';

/** What the list and the page of an asset have in common. */

/** Pauses before a thumbnail is asked for again. */
const RETRY_MS = [1000, 3000, 9000];

/** Twice as many pixels as are shown, for sharp screens. */
const THUMBNAIL_WIDTH = 256;

/** The title, or the id. */
export function assetName(asset) {
  return asset.title || asset.user_metadata || asset.asset_id;
}

/** Status, and whether it still grows. */
export function assetBadges(asset) {
  const percent = asset.status === 'preparing' && asset.progress ? ` ${Math.round(asset.progress * 100)} %` : '';
  return [badge(asset.status), percent && element('span', { class: 'sub' }, percent), asset.is_live && badge('active')].filter(Boolean);
}

/** Asks first; resolves to whether it is gone. */
export async function removeAsset(asset) {
  if (!await confirmDialog('Delete this asset?', 'Its files are deleted and playback ends at once. Clips cut from it are kept.', 'Delete')) {
    return false;
  }
  try {
    await assets.remove(asset.asset_id);
    toast('Asset deleted');
    return true;
  } catch (problem) {
    toast(problem.message, true);
    return false;
  }
}

/** What is being recorded cannot be deleted. */
export function deleteButton(asset, attributes, remove) {
  return element('button', {
    ...attributes,
    type: 'button',
    'aria-label': `Delete ${assetName(asset)}`,
    title: asset.is_live && 'Recording: end the session first',
    disabled: asset.is_live,
    onclick: () => remove(asset),
  }, 'Delete');
}

/** A box that is filled when the frame is there; why not stands in it otherwise. */
export function thumbnail(asset) {
  const box = element('span', { class: 'thumbnail' });
  if (asset.status !== 'ready') {
    box.append(asset.status === 'errored' ? 'no frame' : '…');
    return box;
  }
  playable(asset.playback_ids).then((play) => {
    if (!play) {
      box.append('signed');
      return;
    }
    const src = play.thumbnail({ width: THUMBNAIL_WIDTH });
    const image = element('img', { src, alt: '', loading: 'lazy', decoding: 'async' });
    const pauses = [...RETRY_MS];
    image.addEventListener('error', () => {
      // A busy server refuses thumbnails for a while.
      const pause = pauses.shift();
      if (pause === undefined) {
        replace(box, 'no frame');
      } else {
        setTimeout(() => (image.src = src), pause);
      }
    });
    replace(box, image);
  });
  return box;
}

/** The MP4 of an asset, to be saved; null where there is none for sure. */
export function downloadButton(asset, attributes) {
  if (asset.status !== 'ready' || asset.is_live || asset.mp4_support === 'none') {
    return null;
  }
  const label = `Download ${assetName(asset)} as MP4`;
  return element('button', { ...attributes, type: 'button', 'aria-label': label, 'data-download': asset.asset_id, onclick: () => download(asset) }, 'Download');
}

/** Asks for one byte first: a page that navigates to a refusal would be gone. */
async function download(asset) {
  const play = await playable(asset.playback_ids);
  if (!play) {
    toast('All playback ids of this asset are signed: open it and enter a key', true);
    return;
  }
  const address = play.mp4(`${assetName(asset)}.mp4`);
  try {
    const reply = await fetch(address, { headers: { Range: 'bytes=0-0' } });
    if (reply.ok) {
      const link = element('a', { href: address, download: '' });
      link.click();
      return;
    }
    const { message } = await reply.json();
    const seconds = reply.headers.get('Retry-After');
    toast(seconds ? `${message}; try again in ${seconds} s` : message, true);
  } catch {
    toast('The playback address cannot be reached', true);
  }
}
