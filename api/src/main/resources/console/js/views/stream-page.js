import { assets, liveStreams, playbackAddress, viewers, watchAddress } from '../api.js';
import { drawBackup, sourceCard } from '../backup.js';
import { bitrate, confirmDialog, copyField, dateTime, element, isEncoderAway, replace, streamBadge, toast } from '../dom.js';
import { HealthCard } from '../health.js';
import { LiveEditor } from '../live-editor.js';
import { playable } from '../playable.js';
import { Player } from '../player.js';
import { drawRenditions, renditionFields } from '../renditions.js';
import { RestreamCard } from '../restreams.js';
import { drawShare } from '../share.js';
import { SignalCard } from '../signal.js';
import { drawStandby } from '../standby.js';
import { ViewersCard } from '../viewers.js';
import { thumbnail } from './asset-parts.js';

/** One stream: video, push and playback addresses, ingest statistics, and actions. */
export async function streamPage(main, [id]) {
  const player = new Player();
  const editor = new LiveEditor(player);
  const signal = new SignalCard(id);
  const health = new HealthCard(id);
  const status = element('span');
  const actions = element('div', { class: 'actions' });
  const push = element('section', { class: 'card', 'aria-label': 'Push' });
  const backup = element('section', { class: 'card', 'aria-label': 'Backup' });
  const encoders = sourceCard(id);
  const play = element('section', { class: 'card', 'aria-label': 'Playback' });
  const share = element('section', { class: 'card', 'aria-label': 'Share' });
  const session = element('section', { class: 'card', 'aria-label': 'Session' });
  const renditions = element('section', { class: 'card', 'aria-label': 'Renditions', hidden: true });
  const settings = element('section', { class: 'card', 'aria-label': 'Settings' });
  keepEdits(settings);
  const standby = element('section', { class: 'card', 'aria-label': 'Standby' });
  const recordings = element('section', { class: 'card', 'aria-label': 'Recordings', hidden: true });
  const restreams = new RestreamCard(id);
  const audience = new ViewersCard(() => viewers.of(id));
  const heading = element('h1');
  let shown = {};

  async function refresh() {
    const stream = await liveStreams.get(id);
    const sessions = await liveStreams.sessions(id);
    heading.textContent = stream.title || stream.user_metadata || stream.id;
    replace(status, streamBadge(stream));
    drawSession(session, stream, sessions);
    drawRenditions(renditions, sessions[0]);
    encoders.draw(sessions[0]);
    drawOnce('actions', stream.status, () => drawActions(stream));
    drawOnce('push', JSON.stringify([stream.stream_url, stream.stream_key]), () => drawPush(push, stream));
    drawOnce('backup', JSON.stringify([stream.backup, stream.backup_stream_key, stream.failover_after, stream.failback_after]), () => drawBackup(backup, stream, refresh));
    drawOnce('play', JSON.stringify(stream.playback_ids), () => drawPlayback(play, stream));
    drawOnce('share', JSON.stringify([stream.playback_ids, stream.stream_url, stream.stream_key, stream.latency_mode, stream.title]), () => drawShare(share, stream));
    if (settings.dataset.edited === undefined) {
      drawOnce('settings', JSON.stringify([stream.renditions, stream.signal_watch]), () => drawSettings(settings, stream));
    }
    drawOnce('standby', JSON.stringify([stream.status, stream.connected, stream.standby, stream.active_standby]), () => drawStandby(standby, stream, refresh));
    drawOnce('recordings', JSON.stringify(stream.recent_asset_ids), () => drawRecordings(recordings, stream));
    signal.follow(stream);
    await watch(stream, (sessions[0]?.renditions ?? []).filter((each) => each.state === 'running').length);
    await editor.follow(stream, sessions[0]);
    await audience.refresh();
    await health.follow(stream, audience.shown.points);
    await restreams.refresh();
  }

  /** Parts with buttons are redrawn on a change only, so that focus stays where it is. */
  function drawOnce(part, key, drawPart) {
    if (shown[part] !== key) {
      shown = { ...shown, [part]: key };
      drawPart();
    }
  }

  async function watch(stream, renditions) {
    const play = await playable(stream.playback_ids);
    if (stream.status === 'active' && play) {
      player.play(play.hls(), stream.active_session_id, renditions);
    } else if (stream.status === 'active') {
      player.stop('Live, but signed', 'All playback ids of this stream need a token.');
    } else if (stream.status === 'disable') {
      player.stop('Disabled', 'Encoders are rejected and playback is off until the stream is enabled.');
    } else {
      player.end('Not live', 'Publish to the push address to start.');
    }
  }

  function drawActions(stream) {
    const disabled = stream.status === 'disable';
    replace(actions,
      element('a', { class: 'button quiet', href: `#/streams/${encodeURIComponent(id)}/scoreboard` }, 'Scoreboard'),
      stream.status === 'active' && element('button', { class: 'quiet', type: 'button', onclick: endSession }, 'End session'),
      disabled
        ? element('button', { type: 'button', onclick: act(() => liveStreams.enable(id), 'Enabled') }, 'Enable')
        : element('button', { class: 'danger', type: 'button', onclick: disable }, 'Disable'),
      element('button', { class: 'danger', type: 'button', onclick: remove }, 'Delete'));
  }

  async function endSession(event) {
    if (await confirmDialog('End this session?', 'The encoder is disconnected and the recording is finished. This encoder is refused for a while (30 s by default), so that it does not start another session.', 'End session')) {
      await act(() => liveStreams.complete(id), 'Session ended')(event);
    }
  }

  async function disable(event) {
    if (await confirmDialog('Disable this stream?', 'The encoder is disconnected, and playback ends at once for all viewers. Encoders are refused until the stream is enabled.', 'Disable stream')) {
      await act(() => liveStreams.disable(id), 'Disabled')(event);
    }
  }

  function act(work, text) {
    return async (event) => {
      event.target.disabled = true;
      try {
        await work();
        toast(text);
        await refresh();
      } catch (problem) {
        toast(problem.message, true);
      } finally {
        event.target.disabled = false;
      }
    };
  }

  async function remove() {
    if (!await confirmDialog('Delete this stream?', 'The encoder is disconnected, playback ends, and the keys stop working. Recordings are kept.', 'Delete')) {
      return;
    }
    try {
      await liveStreams.remove(id);
      toast('Stream deleted');
      location.hash = '#/streams';
    } catch (problem) {
      toast(problem.message, true);
    }
  }

  function drawPush(card, stream) {
    replace(card,
      element('h2', {}, 'Push here'),
      copyField('Server', stream.stream_url),
      stream.stream_key
        ? copyField('Stream key', stream.stream_key, { secret: true })
        : element('p', { class: 'hint' }, 'The stream key is shown to tokens with the scope live:write.'),
      stream.stream_key && element('button', { class: 'quiet small', type: 'button', onclick: resetKey }, 'Replace key'));
  }

  async function resetKey() {
    if (await confirmDialog('Replace the stream key?', 'An encoder with the old key is disconnected at once and needs the new one.', 'Replace')) {
      await liveStreams.resetKey(id).then(() => toast('Key replaced'), (problem) => toast(problem.message, true));
      await refresh();
    }
  }

  await refresh();
  replace(main,
    element('div', { class: 'head' }, element('div', { class: 'grow' }, heading), status, actions),
    element('div', { class: 'columns' },
      element('div', { class: 'stack' }, player.root, editor.root, audience.root, signal.root, health.root, encoders.card, session, renditions),
      element('div', { class: 'stack' }, push, backup, play, share, standby, settings, restreams.root, recordings)));
  return {
    title: heading.textContent,
    refresh,
    keys: editor.keys,
    close: () => {
      editor.close();
      player.stop('');
      signal.stop();
    },
  };
}

/** From an entry until the form is sent, what the server has does not replace what is entered. */
function keepEdits(card) {
  card.addEventListener('input', () => { card.dataset.edited = ''; });
  card.addEventListener('submit', () => { delete card.dataset.edited; });
}

/** What viewers can choose from, from the next session on, and whether the signal is watched. */
function drawSettings(card, stream) {
  const fields = renditionFields(stream.renditions);
  const signalWatch = element('input', { name: 'signal_watch', type: 'checkbox', checked: stream.signal_watch });
  const error = element('p', { class: 'field-error', role: 'alert' });
  async function save(event) {
    event.preventDefault();
    error.textContent = '';
    try {
      await liveStreams.patch(stream.id, { renditions: fields.value(), signal_watch: signalWatch.checked });
      toast('Saved; renditions from the next session on');
    } catch (problem) {
      error.textContent = (problem.fields ?? []).map(({ field, reason }) => `${field}: ${reason}`).join('; ') || problem.message;
    }
  }
  replace(card,
    element('h2', {}, 'Settings'),
    element('form', { onsubmit: save },
      element('label', { class: 'field' }, element('span', {}, 'Renditions'), fields.mode),
      fields.more,
      element('label', { class: 'check' }, signalWatch, 'Watch levels, silence, black and frozen video'),
      error,
      element('div', { class: 'actions' }, element('button', { class: 'quiet', type: 'submit' }, 'Save'))));
}

function drawPlayback(card, stream) {
  replace(card,
    element('h2', {}, 'Play here'),
    stream.playback_ids.flatMap((entry) => [
      copyField(`HLS (${entry.policy})`, playbackAddress(entry.id)),
      copyField(`Watch page (${entry.policy})`, watchAddress(entry.id)),
    ]));
}

/** With frames where the token may see assets; the newest first. */
async function drawRecordings(card, stream) {
  const ids = stream.recent_asset_ids ?? [];
  card.hidden = ids.length === 0;
  const found = ids.length === 0 ? [] : await assets.list(1, ids.length, { live_stream_id: stream.id, kind: 'recording' }).then(({ data }) => data, () => []);
  const byId = new Map(found.map((asset) => [asset.asset_id, asset]));
  replace(card,
    element('h2', {}, 'Recordings, newest first'),
    element('ul', { class: 'plain recordings' }, ids.map((id) => {
      const asset = byId.get(id);
      const address = `#/assets/${encodeURIComponent(id)}`;
      return element('li', {}, asset
        ? [element('a', { href: address, 'aria-label': `Open the recording of ${dateTime(asset.created_at)}` }, thumbnail(asset)), element('a', { href: address }, dateTime(asset.created_at))]
        : element('a', { class: 'mono', href: address }, id));
    })));
}

function drawSession(card, stream, sessions) {
  const newest = sessions[0];
  replace(card,
    element('h2', {}, stream.status === 'active' ? 'This session' : 'Last session'),
    isEncoderAway(stream) && element('p', { class: 'hint', role: 'status', id: 'encoder-away' }, awayText(stream)),
    newest ? facts(newest) : element('p', { class: 'hint' }, 'No sessions yet.'),
    newest?.warnings?.length > 0 && element('ul', { class: 'warnings' },
      newest.warnings.map((warning) => element('li', {}, warning.message ?? String(warning), warning.ended_at && ` (until ${dateTime(warning.ended_at)})`))));
}

function awayText(stream) {
  const end = stream.disconnected_at + stream.reconnect_window;
  return `The encoder disconnected at ${dateTime(stream.disconnected_at)}. The session waits for it until ${dateTime(end)}.`;
}

function facts(session) {
  const rows = [
    ['Started', dateTime(session.started_at)],
    ['Ended', session.ended_at ? dateTime(session.ended_at) : 'still running'],
    ['Frame', session.width ? `${session.width} × ${session.height}, ${Number(session.frame_rate).toFixed(2)} fps` : '–'],
    ['Codecs', (session.codecs ?? []).join(', ') || '–'],
    ['Video', bitrate(session.video_bitrate)],
    ['Audio', `${bitrate(session.audio_bitrate)}${session.audio === 'transcoded' ? ', transcoded to AAC' : ''}`],
    ['Moderation', element('a', { href: `#/moderation/${encodeURIComponent(session.live_stream_id)}/${encodeURIComponent(session.id)}` }, [session.moderation, session.moderation_reason].filter(Boolean).join(': '))],
  ];
  return element('dl', { class: 'facts' }, rows.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}
