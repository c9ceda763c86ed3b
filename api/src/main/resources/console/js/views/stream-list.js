import { liveStreams } from '../api.js';
import { dateTime, element, replace, streamBadge } from '../dom.js';
import { ListFilter } from '../list-filter.js';
import { PagedTable } from '../paged-table.js';
import { createStream } from './create-stream.js';

/** All streams with their status: live ones first, then the newest. */
export async function streamList(main) {
  const table = new PagedTable({
    columns: ['Stream', 'Status', 'Latency', 'Playback', 'Created', ''],
    load: (page, filter) => liveStreams.list(page, 25, filter),
    row,
    label: 'Streams',
    filter: new ListFilter({
      search: 'Search title, metadata or id',
      statuses: [['active', 'Live'], ['idle', 'Idle'], ['disable', 'Disabled']],
    }),
    empty: element('div', { class: 'card empty', hidden: true },
      element('p', {}, 'No streams yet. Create one, publish to it, and watch it here.'),
      element('button', { type: 'button', onclick: create }, 'Create a stream')),
  });

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

function row(stream) {
  const address = `#/streams/${encodeURIComponent(stream.id)}`;
  return element('tr', {},
    element('td', {},
      element('a', { class: 'name', href: address }, stream.title || stream.user_metadata || stream.id),
      element('div', { class: 'sub mono' }, stream.id)),
    element('td', {}, streamBadge(stream)),
    element('td', {}, stream.latency_mode),
    element('td', {}, stream.playback_ids.map((entry) => entry.policy).join(', ')),
    element('td', {}, dateTime(stream.created_at)),
    element('td', { class: 'end' }, element('a', { href: address, 'aria-label': `Open ${stream.title || stream.id}` }, 'Open')));
}
