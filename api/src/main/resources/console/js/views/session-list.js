import { sessions } from '../api.js';
import { badge, dateTime, element, replace } from '../dom.js';
import { ListFilter } from '../list-filter.js';
import { PagedTable } from '../paged-table.js';
import { clock } from '../time.js';
import { thumbnail } from './asset-parts.js';

const REASONS = {
  publisher_gone: 'the encoder did not come back',
  completed: 'by an operator',
  disabled: 'the stream was disabled',
  deleted: 'the stream was deleted',
  failed: 'packaging failed',
  shutdown: 'the server was stopped',
  interrupted: 'the server ended unexpectedly',
};

/** The sessions of all streams, newest first, with their recordings. */
export async function sessionList(main) {
  const frames = new Map();
  const table = new PagedTable({
    columns: ['Frame', 'Session', 'Status', 'Duration', 'Video', 'Started'],
    load: (page, filter) => sessions.list(page, 25, filter),
    label: 'Sessions',
    filter: new ListFilter({
      search: 'Search title, metadata or id',
      statuses: [['active', 'Live'], ['ended', 'Ended']],
    }),
    row: (session) => row(session, frame(session)),
    empty: element('div', { class: 'card empty', hidden: true },
      element('p', {}, 'No sessions yet. Each time an encoder publishes to a stream, a session begins.'),
      element('a', { class: 'button', href: '#/streams' }, 'Go to the streams')),
  });

  /** Reuses the element while its recording is the same. */
  function frame(session) {
    const key = `${session.id} ${session.recording?.status}`;
    if (!frames.has(key)) {
      frames.set(key, session.recording ? thumbnail(session.recording) : element('span', { class: 'thumbnail' }, 'not recorded'));
    }
    return frames.get(key);
  }

  await table.refresh();
  replace(main, element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Sessions')), table.parts);
  return { title: 'Sessions', refresh: () => table.refresh() };
}

function row(session, frame) {
  const name = session.live_stream_title || session.live_stream_id;
  const stream = `#/streams/${encodeURIComponent(session.live_stream_id)}`;
  const recording = session.recording && `#/assets/${encodeURIComponent(session.recording.asset_id)}`;
  const isLive = session.status === 'active';
  return element('tr', {},
    element('td', { class: 'shot' }, recording ? element('a', { href: recording, 'aria-label': `Open the recording of ${name}` }, frame) : frame),
    element('td', {}, element('a', { class: 'name', href: stream }, name), element('div', { class: 'sub mono' }, session.id)),
    element('td', {}, isLive ? badge('active') : element('span', { class: 'sub' }, `Ended: ${REASONS[session.end_reason] ?? session.end_reason}`)),
    element('td', { class: 'number' }, isLive ? '–' : clock((session.ended_at - session.started_at) * 1000, { fraction: false })),
    element('td', {}, session.width ? `${session.width} × ${session.height}` : '–'),
    element('td', {}, dateTime(session.started_at)));
}
