import { liveStreams, watchAddress } from './api.js';
import { copyField, element, replace, toast } from './dom.js';
import { qrCode } from './qr.js';
import { titleOf } from './stream-title.js';

const PROFILES = {
  low: 'B-frames (bframes) 0',
  standard: 'B-frames (bframes) 0 to 2',
};

/** What OBS Studio's pages Stream, Output and Video should say. */
function recommended({ latency_mode: mode }) {
  return [
    ['Service', 'Custom'],
    ['Video encoder', 'H.264 (x264 or NVENC), profile high or main'],
    ['Rate control', 'CBR, 6000 kbit/s for 1080p60, 4500 for 1080p30, 2500 for 720p30'],
    ['Keyframe interval', '2 s'],
    ['More', `${PROFILES[mode] ?? PROFILES.low}, constant frame rate`],
    ['Audio', 'AAC, 160 kbit/s, 48 kHz, stereo'],
  ];
}

/** What viewers and the encoder's operator need: addresses, code to embed, QR code, settings. */
export function drawShare(card, stream) {
  const open = stream.playback_ids.find((entry) => entry.policy === 'public') ?? null;
  const shared = open ?? stream.playback_ids[0] ?? null;
  replace(card,
    element('h2', {}, 'Share'),
    shared === null && element('p', { class: 'hint' }, 'The stream has no playback id: add one to share it.'),
    shared && viewers(stream, shared, open !== null),
    element('h3', {}, 'Encoder, for OBS Studio'),
    copyField('Server', stream.stream_url),
    stream.stream_key
      ? copyField('Stream key', stream.stream_key, { secret: true })
      : element('p', { class: 'hint' }, 'The stream key is shown to tokens with the scope live:write.'),
    element('dl', { class: 'facts' }, recommended(stream).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
    stream.stream_key && element('div', { class: 'actions' },
      element('button', { class: 'quiet small', type: 'button', onclick: () => copyText('Settings', asText(stream)) }, 'Copy all settings'),
      element('button', { class: 'quiet small', type: 'button', onclick: () => copyMultitrack(stream.id) }, 'Copy multitrack configuration')),
    stream.stream_key && element('p', { class: 'hint' }, 'Both hold the stream key. Multitrack: start OBS with --enable-multitrack-video-dev, turn on Multitrack Video and Config Override, and paste it there.'));
}

function viewers(stream, { id }, isPublic) {
  const address = watchAddress(id);
  const embed = `<iframe src="${address}/embed" title="${escaped(titleOf(stream))}" width="640" height="360" style="border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`;
  return element('div', { class: 'share-viewers' },
    qrCode(address, `QR code of the watch page: ${address}`),
    element('div', {},
      copyField('Watch page', address),
      copyField('Embed code', embed),
      !isPublic && element('p', { class: 'hint' }, 'This playback id is signed: append ?token= with a token for each viewer.')));
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function asText(stream) {
  return [['Server', stream.stream_url], ['Stream key', stream.stream_key], ...recommended(stream)]
    .map(([name, value]) => `${name}: ${value}`).join('\n');
}

async function copyMultitrack(id) {
  try {
    await copyText('Multitrack configuration', JSON.stringify(await liveStreams.multitrack(id), null, 2));
  } catch (problem) {
    toast(problem.message, true);
  }
}

async function copyText(label, text) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${label} copied`);
  } catch {
    toast('The browser did not allow copying', true);
  }
}
