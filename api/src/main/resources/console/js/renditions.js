import { bitrate, element, replace } from './dom.js';

const HINT = 'Heights below the source, at most five, such as 720, 480:1200, 360 (with kbit/s behind the colon). From the next session on.';

/** Fields for the renditions of a stream: none, chosen by the server, or a list of heights. */
export function renditionFields(now = []) {
  const mode = element('select', { name: 'renditions' },
    element('option', { value: 'none' }, 'source only'),
    element('option', { value: 'auto' }, 'automatic (480p, 360p)'),
    element('option', { value: 'list' }, 'a list of heights'));
  const list = element('input', { name: 'rendition_heights', placeholder: '720, 480:1200, 360', 'aria-label': 'Heights' });
  const more = element('label', { class: 'field', hidden: true }, element('span', {}, 'Heights'), list, element('small', {}, HINT));
  mode.value = now === 'auto' ? 'auto' : now.length > 0 ? 'list' : 'none';
  list.value = now === 'auto' ? '' : text(now);
  const show = () => { more.hidden = mode.value !== 'list'; };
  mode.addEventListener('change', show);
  show();
  return {
    mode,
    more,
    /** As the API takes it. A frame rate that was set by the API stays. */
    value: () => (mode.value === 'auto' ? 'auto' : mode.value === 'none' ? [] : parse(list.value, now === 'auto' ? [] : now)),
  };
}

function text(renditions) {
  return renditions
    .map(({ height, video_bitrate: rate }) => (rate ? `${height}:${Math.round(rate / 1000)}` : `${height}`))
    .join(', ');
}

function parse(heights, before) {
  return heights.split(',').map((entry) => entry.trim()).filter(Boolean).map((entry) => {
    const [height, kbits] = entry.split(':').map((part) => Number(part.trim().replace(/p$/, '')));
    const rate = before.find((each) => each.height === height)?.frame_rate;
    return {
      height,
      ...(kbits === undefined ? {} : { video_bitrate: kbits * 1000 }),
      ...(rate === undefined ? {} : { frame_rate: rate }),
    };
  });
}

/** The running renditions of a session, with their bit rates and states. */
export function drawRenditions(card, session) {
  const renditions = session?.ended_at ? [] : session?.renditions ?? [];
  const tracks = session?.ended_at ? [] : session?.tracks ?? [];
  card.hidden = renditions.length === 0 && tracks.length === 0;
  replace(card,
    element('h2', {}, 'Renditions'),
    element('table', {},
      element('thead', {}, element('tr', {},
        ['Size', 'Video', 'Codec', 'State'].map((name) => element('th', { scope: 'col' }, name)))),
      element('tbody', {}, renditions.map((each) => element('tr', {},
        element('td', {}, `${each.width} × ${each.height}`),
        element('td', {}, bitrate(each.video_bitrate)),
        element('td', { class: 'mono' }, each.codecs ?? '–'),
        element('td', {}, each.state))))),
    ...(tracks.length === 0 ? [] : drawTracks(tracks)));
}

/** What the encoder sends besides its first tracks. */
function drawTracks(tracks) {
  return [
    element('h3', {}, 'Tracks of the encoder'),
    element('table', { 'aria-label': 'Tracks of the encoder' },
      element('thead', {}, element('tr', {},
        ['Track', 'Shown as', 'Bit rate', 'Codec', 'State'].map((name) => element('th', { scope: 'col' }, name)))),
      element('tbody', {}, tracks.map((each) => element('tr', {},
        element('td', {}, `${each.kind} ${each.number}`),
        element('td', {}, each.kind === 'video' ? `${each.width} × ${each.height}` : each.name),
        element('td', {}, bitrate(each.bitrate)),
        element('td', { class: 'mono' }, each.codecs),
        element('td', {}, each.reason ? `${each.state}: ${each.reason}` : each.state))))),
  ];
}
