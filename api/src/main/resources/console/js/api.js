/** The public API, as any other client uses it. The token lives in sessionStorage only. */

const STORE = 'touchline.token';

/** A failed call: the envelope's code and message, and the fields it names. */
export class ApiError extends Error {
  constructor(status, envelope) {
    super(envelope.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = envelope.code ?? 0;
    this.fields = envelope.errors ?? [];
  }

  /** The scope that the call needs and the token lacks; null where that is not the cause. */
  get missingScope() {
    return this.status === 403 ? /lacks the scope ([a-z]+(?::[a-z]+)?)/.exec(this.message)?.[1] ?? null : null;
  }
}

export const token = {
  get: () => sessionStorage.getItem(STORE),
  set: (value) => sessionStorage.setItem(STORE, value),
  clear: () => sessionStorage.removeItem(STORE),
};

/**
 * Calls the API; resolves to the whole envelope (an empty object for 204).
 * Throws ApiError for its refusals and TypeError where the server cannot be reached.
 */
export async function call(method, path, body) {
  return send(method, path, body === undefined ? {} : { 'Content-Type': 'application/json' }, body === undefined ? undefined : JSON.stringify(body));
}

async function send(method, path, type, body) {
  const headers = { Authorization: `Bearer ${token.get() ?? ''}`, ...type };
  const reply = await fetch(path, { method, headers, body, cache: 'no-store' });
  if (reply.status === 204) {
    return {};
  }
  const envelope = await reply.json().catch(() => ({}));
  if (!reply.ok) {
    throw new ApiError(reply.status, envelope);
  }
  return envelope;
}

/** The address of a list with these parameters. */
export function listed(path, parameters) {
  return `${path}?${new URLSearchParams(parameters)}`;
}

const streams = '/live/v1/live-streams';
const one = (id) => `${streams}/${encodeURIComponent(id)}`;

export const liveStreams = {
  /** `filter`: search and status; active streams come first. */
  list: (page = 1, limit = 25, filter = {}) => call('GET', listed(streams, { page, limit, order: 'active_first', ...filter })),
  get: async (id) => (await call('GET', one(id))).data,
  create: async (fields) => (await call('POST', streams, fields)).data,
  patch: async (id, fields) => (await call('PATCH', one(id), fields)).data,
  remove: (id) => call('DELETE', one(id)),
  disable: (id) => call('PUT', `${one(id)}/disable`),
  enable: (id) => call('PUT', `${one(id)}/enable`),
  complete: (id) => call('PUT', `${one(id)}/complete`),
  resetKey: (id, source = 'primary') => call('POST', `${one(id)}/reset-stream-key`, { source }),
  source: async (id, source) => (await call('PUT', `${one(id)}/source`, { source })).data,
  standbyOn: (id) => call('PUT', `${one(id)}/standby/on`),
  standbyOff: (id) => call('PUT', `${one(id)}/standby/off`),
  sessions: async (id, limit = 5) => (await call('GET', `${one(id)}/sessions?limit=${limit}`)).data,
  /** What arrived in the last `seconds`, and the advice of the ingest doctor. */
  health: async (id, seconds) => (await call('GET', listed(`${one(id)}/health`, { seconds }))).data,
  /** For OBS Studio; it has the stream key. */
  multitrack: (id) => call('GET', `${one(id)}/multitrack-config`),
};

/** Viewers of the last hour, by minutes. */
export const viewers = {
  of: async (id) => (await call('GET', `${one(id)}/viewers`)).data,
  /** Of all streams together; `streams` has those that are watched now. */
  all: async () => (await call('GET', '/live/v1/viewers')).data,
};

/** Of all streams; `filter`: search and status. */
export const sessions = {
  list: (page = 1, limit = 25, filter = {}) => call('GET', listed('/live/v1/sessions', { page, limit, ...filter })),
};

const markersOf = (session) => `/live/v1/sessions/${encodeURIComponent(session)}/markers`;

/** Markers of a session, in seconds since its first frame. */
export const markers = {
  /** All: at most a thousand. */
  list: async (session) => {
    const found = [];
    for (let page = 1; ; page++) {
      const reply = await call('GET', listed(markersOf(session), { page, limit: 100 }));
      found.push(...reply.data);
      if (!reply.has_more) {
        return found;
      }
    }
  },
  /** Without a time: now. */
  create: async (session, label, time) => (await call('POST', markersOf(session), time === null ? { label } : { label, time })).data,
  remove: (session, id) => call('DELETE', `${markersOf(session)}/${encodeURIComponent(id)}`),
};

const sentOn = (stream, id) => `${one(stream)}/restreams${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** Other servers that a stream is sent on to. */
export const restreams = {
  list: (stream) => call('GET', listed(sentOn(stream), { limit: 100 })),
  create: async (stream, fields) => (await call('POST', sentOn(stream), fields)).data,
  patch: async (stream, id, fields) => (await call('PATCH', sentOn(stream, id), fields)).data,
  remove: (stream, id) => call('DELETE', sentOn(stream, id)),
};

const imageList = '/live/v1/images';

/** Images of slates. */
export const images = {
  list: async () => (await call('GET', listed(imageList, { limit: 100 }))).data,
  upload: async (file) => (await send('POST', imageList, { 'Content-Type': file.type }, file)).data,
  remove: (id) => call('DELETE', `${imageList}/${encodeURIComponent(id)}`),
};

/** The page over a stream's video, and the state of the bundled page. */
export const scoreboards = {
  putPage: async (id, fields) => (await call('PUT', `${one(id)}/generated-watermark`, fields)).data,
  settings: async (id) => (await call('GET', `${one(id)}/generated-watermark`)).data,
  removePage: (id) => call('DELETE', `${one(id)}/generated-watermark`),
  /** With the rules of its sport; a change has its `change_id`. */
  get: async (id) => (await call('GET', `${one(id)}/scoreboard`)).data,
  put: async (id, fields) => (await call('PUT', `${one(id)}/scoreboard`, fields)).data,
  act: async (id, action) => (await call('POST', `${one(id)}/scoreboard/actions`, action)).data,
};

const linksOf = (stream) => `${one(stream)}/score-links`;

/** Addresses with which phones run a stream's scoreboard. */
export const scoreLinks = {
  list: async (stream) => (await call('GET', listed(linksOf(stream), { limit: 100 }))).data,
  create: async (stream, fields) => (await call('POST', linksOf(stream), fields)).data,
  remove: (stream, id) => call('DELETE', `${linksOf(stream)}/${encodeURIComponent(id)}`),
};

const keys = '/live/v1/signing-keys';

export const signingKeys = {
  list: (page = 1, limit = 25) => call('GET', `${keys}?page=${page}&limit=${limit}`),
  create: async () => (await call('POST', keys)).data,
  remove: (id) => call('DELETE', `${keys}/${encodeURIComponent(id)}`),
};

const allAssets = '/video-streams/v1/assets';
const asset = (id) => `${allAssets}/${encodeURIComponent(id)}`;

export const assets = {
  list: (page = 1, limit = 25, filter = {}) => call('GET', listed(allAssets, { page, limit, ...filter })),
  get: async (id) => (await call('GET', asset(id))).data,
  remove: (id) => call('DELETE', asset(id)),
  /** From `startMs` up to, and without, `endMs`. */
  clip: async (id, startMs, endMs) =>
    (await call('POST', '/video-streams/v1/video/clip', { asset_id: id, start_time: startMs / 1000, end_time: endMs / 1000 })).data,
  /** One clip of several ranges of an asset, in their order. */
  reel: async (id, ranges) =>
    (await call('POST', '/video-streams/v1/video/clip', {
      ranges: ranges.map(({ inMs, outMs }) => ({ asset_id: id, start_time: inMs / 1000, end_time: outMs / 1000 })),
    })).data,
  /** All markers, by time. */
  markers: async (id) => {
    const all = [];
    for (let page = 1, more = true; more; page += 1) {
      const reply = await call('GET', listed(`${asset(id)}/markers`, { page, limit: 100 }));
      all.push(...reply.data);
      more = reply.has_more;
    }
    return all;
  },
};

/** Playback address: its base is in the page from the server. */
export function playbackAddress(playbackId) {
  return `${watchAddress(playbackId)}.m3u8`;
}

/** The page on which viewers watch. */
export function watchAddress(playbackId) {
  return `${document.querySelector('meta[name="touchline-playback-url"]').content}/${playbackId}`;
}
