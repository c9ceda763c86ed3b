import { liveStreams } from '../api.js';
import { dateTime, element, replace, streamBadge } from '../dom.js';
import { ListFilter } from '../list-filter.js';
import { PagedTable } from '../paged-table.js';
import { viewersText } from '../viewers.js';
import { thumbnail } from './asset-parts.js';
import { createStream } from './create-stream.js';

const FRAME_MS = 60_000;

/** All streams with their status: live ones first, then the newest. */
export async function streamList(main) {
  const frames = new Map();
  const table = new PagedTable({
    columns: ['Frame', 'Stream', 'Status', 'Latency', 'Playback', 'Created'],
    load: (page, filter) => liveStreams.list(page, 25, filter),
    row: (stream) => row(stream, frame(stream)),
    label: 'Streams',
    filter: new ListFilter({
      search: 'Search title, metadata or id',
      statuses: [['active', 'Live'], ['idle', 'Idle'], ['disable', 'Disabled']],
    }),
    empty: element('div', { class: 'card empty', hidden: true },
      element('p', {}, 'No streams yet. Create one, publish to it, and watch it here.'),
      element('button', { type: 'button', onclick: create }, 'Create a stream')),
  });

  /** A frame of what is on the air, taken anew each minute and for each session. */
  function frame(stream) {
    const key = `${stream.id} ${stream.active_session_id} ${Math.floor(Date.now() / FRAME_MS)}`;
    if (frames.get(stream.id)?.key !== key) {
      const box = stream.status === 'active'
        ? thumbnail({ status: 'ready', playback_ids: stream.playback_ids })
        : element('span', { class: 'thumbnail' }, 'not live');
      frames.set(stream.id, { key, box });
    }
    return frames.get(stream.id).box;
  }

  function create() {
    createStream((made) => { location.hash = `#/streams/${encodeURIComponent(made.id)}`; });
  }

  await table.refresh();
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Streams'),
      element('button', { type: 'button', onclick: create }, 'Create a stream')),
    table.parts);
  return { title: 'Streams', refresh: () => table.refresh() };
}

function row(stream, frame) {
  const address = `#/streams/${encodeURIComponent(stream.id)}`;
  return element('tr', {},
    element('td', { class: 'shot' }, element('a', { href: address, 'aria-label': `Open ${stream.title || stream.id}` }, frame)),
    element('td', {},
      element('a', { class: 'name', href: address }, stream.title || stream.user_metadata || stream.id),
      element('div', { class: 'sub mono' }, stream.id)),
    element('td', {}, element('div', {}, streamBadge(stream), stream.viewers !== undefined && element('div', { class: 'sub' }, viewersText(stream.viewers)))),
    element('td', {}, stream.latency_mode),
    element('td', {}, stream.playback_ids.map((entry) => entry.policy).join(', ')),
    element('td', {}, dateTime(stream.created_at)));
}
