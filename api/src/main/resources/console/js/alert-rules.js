import { titleOf } from './stream-title.js';

/** Which events are alerts, which ones end them, and how they read. */

/** What alerts are about; each can be muted. */
const KINDS = {
  encoder: 'Encoder',
  moderation: 'Moderation',
  signal: 'Signal',
  ingest: 'Ingest advice',
  standby: 'Standby',
  backup: 'Backup',
  scoreboard: 'Scoreboard',
  restream: 'Restream',
  recording: 'Recording',
  server: 'Server',
};

const SIGNAL = {
  audio_silent: 'Audio is silent',
  audio_one_sided: 'Audio on one side only',
  audio_clipping: 'Audio clips',
  video_black: 'Video is black',
  video_frozen: 'Video is frozen',
};

const REASONS = { encoder_lost: 'the encoder is lost', operator: 'by an operator', rejected: 'moderation rejected a frame', failback: 'the primary encoder is back' };

const begins = {
  'audit_check': ({ alerts }) => ({
    kind: 'moderation', level: 'bad', key: 'found',
    title: alerts.map(({ type, confidence }) => `${type} ${Math.round(confidence * 100)} %`).join(', '),
    text: 'Moderation found something in a frame.',
    page: 'moderation',
  }),
  'live_stream.warning': ({ warning }) => SIGNAL[warning.code]
    ? { kind: 'signal', level: 'bad', key: `${warning.code} ${warning.at}`, title: SIGNAL[warning.code], text: warning.message }
    : { kind: warning.code.startsWith('moderation') ? 'moderation' : 'ingest', level: warning.code === 'moderation_blind' ? 'bad' : 'careful', key: warning.code, title: words(warning.code), text: warning.message },
  'live_stream.disconnected': ({ live_stream: stream }) => stream.connected === false
    ? { kind: 'encoder', level: 'bad', key: 'away', title: 'Encoder away', text: 'The encoder has disconnected; the session waits for it.' }
    : null,
  'live_stream.standby_started': ({ reason }) => ({ kind: reason === 'rejected' ? 'moderation' : 'standby', level: 'bad', key: 'standby', title: 'Standby', text: `The standby is shown: ${REASONS[reason] ?? reason}.` }),
  'live_stream.source_changed': ({ to, reason, gap_ms: gap }) => ({ kind: 'backup', level: to === 'backup' ? 'bad' : 'careful', key: `source ${to}`, title: `Programme from the ${to} encoder`, text: `Switched with a gap of ${gap} ms: ${REASONS[reason] ?? reason}.` }),
  'overlay.failed': ({ overlay }) => ({ kind: 'scoreboard', level: 'bad', key: 'overlay', title: 'Scoreboard failed', text: overlay?.reason ?? '' }),
  'restream.failed': ({ restream }) => ({ kind: 'restream', level: 'bad', key: `restream ${restream.id}`, title: `Restream failed: ${restream.name || restream.url}`, text: restream.last_error ?? '' }),
  'asset.errored': ({ asset }) => ({ kind: 'recording', level: 'bad', key: `asset ${asset.id}`, title: 'Recording failed', text: (asset.errors ?? []).map((each) => each.message ?? each).join('; ') }),
  'storage.low_space': ({ storage }) => ({ kind: 'server', level: 'bad', key: 'disk', title: 'Disk space is low', text: `${gibibytes(storage.free_bytes)} GiB are free; storage.min-free is ${gibibytes(storage.min_free_bytes)} GiB.` }),
  'storage.backlog': ({ storage }) => ({ kind: 'server', level: 'careful', key: 'backlog', title: 'Uploads to S3 are behind', text: `${gibibytes(storage.waiting_bytes)} GiB wait, the oldest for ${Math.round(storage.waiting_seconds / 60)} min${storage.reachable ? '' : '; S3 takes no files'}.` }),
  'certificate.failed': ({ certificate }) => ({ kind: 'server', level: 'bad', key: 'certificate', title: 'The certificate was not replaced', text: certificate?.failure?.message ?? '' }),
  'webhook.disabled': ({ webhook }) => ({ kind: 'server', level: 'careful', key: `webhook ${webhook?.id}`, title: 'A webhook endpoint is disabled', text: webhook?.disabled_reason ?? '' }),
};

/** Keys of the alerts that an event ends. */
const ends = {
  'live_stream.warning_ended': ({ warning }) => [`${warning.code} ${warning.at}`],
  'live_stream.connected': () => ['away'],
  'live_stream.idle': () => ['away', 'standby', 'source backup'],
  'live_stream.standby_ended': () => ['standby'],
  'live_stream.source_changed': ({ to }) => to === 'primary' ? ['source backup'] : [],
  'overlay.recovered': () => ['overlay'],
  'restream.live': ({ restream }) => [`restream ${restream.id}`],
  'storage.backlog_ended': () => ['backlog'],
  'certificate.renewed': () => ['certificate'],
};

/** The alert that an event is, or null. */
export function alertOf(event) {
  const made = begins[event.type]?.(event.data) ?? null;
  return made && {
    ...made,
    id: event.id,
    kindTitle: KINDS[made.kind],
    at: Date.parse(event.created_at),
    endedAt: null,
    sessionEnded: false,
    stream: streamOf(event),
    streamTitle: streamTitleOf(event),
  };
}

/** Whether an event ends an alert. */
export function isEnd(event, alert) {
  return alert.endedAt === null && alert.stream === streamOf(event) && alert.id !== event.id
    && (ends[event.type]?.(event.data) ?? []).includes(alert.key);
}

export function streamOf(event) {
  return event.data.live_stream_id ?? event.data.stream_info?.stream_id ?? null;
}

function streamTitleOf({ data }) {
  return data.live_stream ? titleOf(data.live_stream) : data.stream_info?.title || null;
}

function words(code) {
  const text = code.replaceAll('_', ' ');
  return text[0].toUpperCase() + text.slice(1);
}

function gibibytes(bytes) {
  return (bytes / 2 ** 30).toFixed(1);
}
