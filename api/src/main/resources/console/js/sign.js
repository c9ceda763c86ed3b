/**
 * Playback tokens, signed in this browser by Web Crypto: the private key is never sent anywhere.
 * Browsers offer Web Crypto on https and on localhost only.
 */

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

export const canSign = () => globalThis.crypto?.subtle !== undefined;

/**
 * Takes a private key as the API gives it (base64 of a PEM), or the PEM itself.
 * Throws an Error with a message for the user where it is neither.
 */
export async function importPrivateKey(text) {
  try {
    const trimmed = text.trim();
    const pem = trimmed.startsWith('-----') ? trimmed : atob(trimmed.replace(/\s/g, ''));
    const body = /-----BEGIN PRIVATE KEY-----([\sA-Za-z0-9+/=]+)-----END PRIVATE KEY-----/.exec(pem)[1];
    const der = Uint8Array.from(atob(body.replace(/\s/g, '')), (c) => c.charCodeAt(0));
    return await crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
  } catch {
    throw new Error('Not a private key: paste the text that was shown when the key was created.');
  }
}

/**
 * A JWT for one playback id.
 *
 * @param {CryptoKey} privateKey
 * @param {{keyId: string, playbackId: string, expiresAt: number}} what expiresAt in Unix seconds
 */
export async function signToken(privateKey, { keyId, playbackId, expiresAt }) {
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
  const claims = { sub: playbackId, aud: 'v', exp: expiresAt };
  const input = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(claims))}`;
  const signature = await crypto.subtle.sign(ALGORITHM, privateKey, new TextEncoder().encode(input));
  return `${input}.${base64url(new Uint8Array(signature))}`;
}

const encode = (text) => base64url(new TextEncoder().encode(text));

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
