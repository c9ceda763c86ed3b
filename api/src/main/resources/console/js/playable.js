import { importPrivateKey, signToken } from './sign.js';

/** Tokens for this page are good for so long, and signed anew a while before that is over. */
const TOKEN_S = 12 * 3600;
const RENEW_S = 3600;

/**
 * The key that this page signs its own addresses with, for playback ids of policy signed. It lives
 * in this module only, and cannot be read out of it: reloading the page or signing out drops it.
 */
class Signer {
  #keyId = null;
  #key = null;
  #tokens = new Map();

  get isReady() {
    return this.#key !== null;
  }

  /** Throws an Error with a message for the user where it is no private key. */
  async use(keyId, privateKeyText) {
    this.hold(keyId, await importPrivateKey(privateKeyText));
  }

  hold(keyId, key) {
    this.forget();
    this.#keyId = keyId;
    this.#key = key;
  }

  forget() {
    this.#keyId = null;
    this.#key = null;
    this.#tokens.clear();
  }

  async token(playbackId) {
    const now = Math.floor(Date.now() / 1000);
    const known = this.#tokens.get(playbackId);
    if (known && known.expiresAt - now > RENEW_S) {
      return known.token;
    }
    const expiresAt = now + TOKEN_S;
    const token = await signToken(this.#key, { keyId: this.#keyId, playbackId, expiresAt });
    this.#tokens.set(playbackId, { token, expiresAt });
    return token;
  }
}

export const signer = new Signer();

/** Addresses of one playback id, with the token it needs. The playback base is in the page. */
class Playable {
  #base = document.querySelector('meta[name="touchline-playback-url"]').content;
  #id;
  #token;

  constructor(id, token) {
    this.#id = id;
    this.#token = token;
  }

  hls() {
    return this.#address(`${this.#id}.m3u8`, {});
  }

  /** The frame at `ms` (of the key frame before it), or one that stands for the whole. */
  thumbnail({ ms, width }) {
    return this.#address(`${this.#id}/thumbnail.jpg`, { time: ms === undefined ? undefined : (ms / 1000).toFixed(3), width });
  }

  /** What is on the air: see watch.json in docs/playback.md. */
  watch() {
    return this.#address(`${this.#id}/watch.json`, {});
  }

  mp4(name) {
    return this.#address(`${this.#id}/capped-1080p.mp4`, { download: name });
  }

  #address(path, parameters) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...parameters, token: this.#token ?? undefined })) {
      if (value !== undefined) {
        query.set(name, value);
      }
    }
    return `${this.#base}/${path}${query.size > 0 ? `?${query}` : ''}`;
  }
}

/** How this page can play what has these ids: by a public one, else by one it can sign; null: not. */
export async function playable(playbackIds) {
  const open = playbackIds.find((entry) => entry.policy === 'public');
  if (open) {
    return new Playable(open.id, null);
  }
  const signed = playbackIds.find((entry) => entry.policy === 'signed');
  return signed && signer.isReady ? new Playable(signed.id, await signer.token(signed.id)) : null;
}
