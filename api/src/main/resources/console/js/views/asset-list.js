import { assets } from '../api.js';
import { dateTime, element, replace, toast } from '../dom.js';
import { ListFilter } from '../list-filter.js';
import { PagedTable } from '../paged-table.js';
import { clock } from '../time.js';
import { assetBadges, assetName, deleteButton, downloadButton, removeAsset, thumbnail } from './asset-parts.js';

/** Recordings and clips, newest first. */
export async function assetList(main) {
  const frames = new Map();
  const table = new PagedTable({
    columns: ['Frame', 'Asset', 'Status', 'Duration', 'Created', ''],
    load: (page, filter) => assets.list(page, 25, filter),
    label: 'Assets',
    filter: new ListFilter({
      search: 'Search title, metadata or id',
      statuses: [['recording', 'Recordings'], ['clip', 'Clips']],
      name: 'kind',
      label: 'Kind',
    }),
    row: (asset) => row(asset, frame(asset), remove),
    empty: element('div', { class: 'card empty', hidden: true },
      element('p', {}, 'No assets yet. A stream with “Record” creates one for each session.'),
      element('a', { class: 'button', href: '#/streams' }, 'Go to the streams')),
  });

  /** Reuses the element while the thumbnail is the same: the row of a growing asset changes often. */
  function frame(asset) {
    const key = `${asset.asset_id} ${asset.status}`;
    if (!frames.has(key)) {
      frames.set(key, thumbnail(asset));
    }
    return frames.get(key);
  }

  async function remove(asset) {
    if (await removeAsset(asset)) {
      await table.refresh().catch((problem) => toast(problem.message, true));
    }
  }

  await table.refresh();
  replace(main, element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Assets')), table.parts);
  return { title: 'Assets', refresh: () => table.refresh() };
}

function row(asset, frame, remove) {
  const address = `#/assets/${encodeURIComponent(asset.asset_id)}`;
  return element('tr', {},
    element('td', { class: 'shot' }, element('a', { href: address, 'aria-label': `Open ${assetName(asset)}` }, frame)),
    element('td', {},
      element('a', { class: 'name', href: address }, assetName(asset)),
      asset.source_asset_id && element('span', { class: 'sub' }, ' clip'),
      element('div', { class: 'sub mono' }, asset.asset_id)),
    element('td', {}, element('div', { class: 'badges' }, assetBadges(asset))),
    element('td', { class: 'number' }, clock(asset.duration * 1000, { fraction: false })),
    element('td', {}, dateTime(asset.created_at)),
    element('td', { class: 'end' }, element('div', { class: 'buttons' },
      downloadButton(asset, { class: 'quiet small' }),
      deleteButton(asset, { class: 'danger small' }, remove))));
}
