/**
 * Requests playlists and the first media of the page while the player's scripts still load, and the media
 * at once instead of part after part. hls.js takes the replies where it would send the requests. What it
 * has not taken after a while is out of date.
 */
const KEPT_MS = 4000;

/** Until the first byte of a reply, and to its end: as long as hls.js waits. */
const FIRST_BYTE_MS = 10_000;
const PLAYLIST_MS = 20_000;
const MEDIA_MS = 120_000;

/** A limit for playlists with very short parts or long GOPs. */
const MAX_PARTS = 24;

/** The same for all requests of this page: it is one viewer (CMCD). */
export const SESSION_ID = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Promises of `{url, data, start, first, end}` by the address of their requests. */
const replies = new Map();

async function read(address, isText) {
  const limit = new AbortController();
  let timer = setTimeout(() => limit.abort(), FIRST_BYTE_MS);
  try {
    const start = performance.now();
    const headers = { 'CMCD-Request': 'su', 'CMCD-Session': `sid="${SESSION_ID}"` };
    const response = await fetch(address, { headers, signal: limit.signal });
    const first = performance.now();
    if (!response.ok) {
      throw new Error(`${response.status}: ${address}`);
    }
    clearTimeout(timer);
    timer = setTimeout(() => limit.abort(), (isText ? PLAYLIST_MS : MEDIA_MS) - (first - start));
    const data = isText ? await response.text() : await response.arrayBuffer();
    return { url: response.url, data, start, first, end: performance.now() };
  } finally {
    clearTimeout(timer);
  }
}

function request(address, isText) {
  const reply = read(address, isText);
  replies.set(address, reply);
  // hls.js repeats what has failed.
  reply.catch(() => replies.delete(address));
  setTimeout(() => replies.delete(address), KEPT_MS);
  return reply;
}

/** Addresses of the media playlists; empty if hls.js has to choose audio first. */
function variants(playlist) {
  return /^#EXT-X-MEDIA:.*TYPE=AUDIO/m.test(playlist) ? [] : playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Addresses of what playback begins with: what is stored from its start, low latency near the live edge. */
export function firstMedia(playlist) {
  const inits = [...playlist.matchAll(/^#EXT-X-MAP:.*URI="([^"]+)"/gm)].map(([, uri]) => uri);
  if (playlist.includes('#EXT-X-PLAYLIST-TYPE:')) {
    return [...inits.slice(0, 1), ...playlist.match(/^[^#\s].*$/m) ?? []];
  }
  return [...inits.slice(-1), ...firstParts(playlist)];
}

/** From the last key frame before the hold-back on. */
function firstParts(playlist) {
  const holdBack = Number(playlist.match(/PART-HOLD-BACK=([\d.]+)/)?.[1] ?? 0);
  const parts = [...playlist.matchAll(/^#EXT-X-PART:(.*)$/gm)].map(([, line]) => ({
    uri: line.match(/URI="([^"]+)"/)?.[1],
    seconds: Number(line.match(/DURATION=([\d.]+)/)?.[1] ?? 0),
    isKey: line.includes('INDEPENDENT=YES'),
  }));
  let from = parts.length;
  for (let left = holdBack; from > 0 && (left > 0 || !parts[from]?.isKey); from--) {
    left -= parts[from - 1].seconds;
  }
  const first = parts.slice(from);
  return first[0]?.isKey && first.length <= MAX_PARTS ? first.map(({ uri }) => uri) : [];
}

async function begin(address) {
  const multivariant = await request(address, true);
  const found = variants(multivariant.data);
  if (found.length !== 1) {
    // hls.js chooses.
    return;
  }
  const media = await request(new URL(found[0], multivariant.url).href, true);
  firstMedia(media.data).forEach((uri) => request(new URL(uri, media.url).href, false));
}

/** hls.js's loader, which takes early replies first. */
export function earlyLoader(Loader) {
  return class extends Loader {
    #isOver = false;

    load(context, config, callbacks) {
      const reply = context.rangeEnd ? undefined : replies.get(context.url);
      if (!reply) {
        super.load(context, config, callbacks);
        return;
      }
      replies.delete(context.url);
      Object.assign(this, { context, config, callbacks });
      reply.then(
        (found) => this.#isOver || this.#finish(found, context, callbacks),
        () => this.#isOver || super.load(context, config, callbacks));
    }

    #finish({ url, data, start, first, end }, context, callbacks) {
      const { stats } = this;
      Object.assign(stats.loading, { start, first, end });
      stats.loaded = stats.total = data.byteLength ?? data.length;
      stats.bwEstimate = 8000 * stats.total / (end - first);
      callbacks.onProgress?.(stats, context, data, null);
      callbacks.onSuccess({ url, data, code: 200 }, stats, context, null);
    }

    abort() {
      this.#isOver = true;
      super.abort();
    }

    destroy() {
      this.#isOver = true;
      super.destroy();
    }
  };
}

const address = document.documentElement.dataset.playlist;
if (address && ('MediaSource' in self || 'ManagedMediaSource' in self)) {
  const token = new URLSearchParams(location.search).get('token');
  const playlist = new URL(address, location.href);
  if (token !== null) {
    playlist.search = new URLSearchParams({ token });
  }
  begin(playlist.href).catch(() => {});
}
