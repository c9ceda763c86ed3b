import { liveStreams } from '../api.js';
import { badge, dateTime, element, replace, toast } from '../dom.js';
import { createStream } from './create-stream.js';

/** All streams, newest first, with their live status. */
export async function streamList(main) {
  let page = 1;
  const body = element('tbody');
  const pager = element('div', { class: 'pager' });
  const table = element('div', { class: 'card table-wrap' },
    element('table', { class: 'table' },
      element('thead', {}, element('tr', {},
        element('th', { scope: 'col' }, 'Stream'), element('th', { scope: 'col' }, 'Status'),
        element('th', { scope: 'col' }, 'Latency'), element('th', { scope: 'col' }, 'Playback'),
        element('th', { scope: 'col' }, 'Created'), element('th', { scope: 'col' }, element('span', { class: 'sub' }, '')))),
      body));
  const empty = element('div', { class: 'card empty', hidden: true },
    element('p', {}, 'No streams yet. Create one, point an encoder at it, and watch it here.'),
    element('button', { type: 'button', onclick: create }, 'Create a stream'));

  function create() {
    createStream((made) => { location.hash = `#/streams/${encodeURIComponent(made.id)}`; });
  }

  async function refresh() {
    const reply = await liveStreams.list(page);
    table.hidden = reply.total === 0;
    empty.hidden = reply.total !== 0;
    replace(body, reply.data.map(row));
    const pages = Math.max(1, Math.ceil(reply.total / reply.limit));
    pager.hidden = pages === 1;
    replace(pager,
      element('button', { class: 'quiet small', type: 'button', disabled: page === 1, onclick: () => turn(-1) }, 'Previous'),
      element('span', {}, `${page} of ${pages}`),
      element('button', { class: 'quiet small', type: 'button', disabled: !reply.has_more, onclick: () => turn(1) }, 'Next'));
  }

  function turn(by) {
    page += by;
    refresh().catch((problem) => toast(problem.message, true));
  }

  await refresh();
  replace(main,
    element('div', { class: 'head' }, element('h1', { class: 'grow' }, 'Streams'),
      element('button', { type: 'button', onclick: create }, 'Create a stream')),
    table, empty, pager);
  return { title: 'Streams', refresh };
}

function row(stream) {
  const address = `#/streams/${encodeURIComponent(stream.id)}`;
  return element('tr', {},
    element('td', {},
      element('a', { class: 'name', href: address }, stream.title || stream.user_metadata || stream.id),
      element('div', { class: 'sub mono' }, stream.id)),
    element('td', {}, badge(stream.status)),
    element('td', {}, stream.latency_mode),
    element('td', {}, stream.playback_ids.map((entry) => entry.policy).join(', ')),
    element('td', {}, dateTime(stream.created_at)),
    element('td', { class: 'end' }, element('a', { href: address, 'aria-label': `Open ${stream.title || stream.id}` }, 'Open')));
}
