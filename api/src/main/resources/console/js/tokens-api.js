import { call } from './api.js';

/** Access tokens. All calls need the scope `system`. */

const tokens = '/system/v1/access-tokens';

export const accessTokens = {
  list: (page = 1, limit = 25) => call('GET', `${tokens}?page=${page}&limit=${limit}`),
  /** `fields`: name, scopes and perhaps expires_at. The reply's `token` is shown once. */
  create: async (fields) => (await call('POST', tokens, fields)).data,
  revoke: (id) => call('DELETE', `${tokens}/${encodeURIComponent(id)}`),
};

/** Every scope, and what a token with it may do. */
export const SCOPES = [
  ['live:read', 'Read live streams, sessions and signing keys; push keys are left out'],
  ['live:write', 'Create and change live streams, see push keys, make and delete signing keys'],
  ['score:write', 'Read and change the bundled scoreboards of all live streams'],
  ['audit:read', 'Read moderation records'],
  ['audit:write', 'Review moderation records'],
  ['assets:read', 'Read recordings and clips'],
  ['assets:write', 'Cut clips, delete recordings'],
  ['vod:read', 'Read transcoding storages and tasks'],
  ['vod:write', 'Create and delete transcoding storages and tasks'],
  ['system', 'Access tokens, webhooks, events and the host'],
];
