import { call, listed } from './api.js';

/** The calls of transcoding. */

const base = '/vodencoding/v1';

export const storages = {
  list: (page = 1, limit = 25) => call('GET', `${base}/add_storage?page=${page}&limit=${limit}`),
  add: (fields) => call('POST', `${base}/add_storage`, fields),
  remove: (id) => call('DELETE', `${base}/storages/${encodeURIComponent(id)}`),
};

export const tasks = {
  list: (page = 1, filter = {}) => call('GET', listed(`${base}/tasks`, { page, limit: 25, ...filter })),
  get: async (id) => (await call('GET', `${base}/tasks/${encodeURIComponent(id)}`)).data,
  create: async (fields) => (await call('POST', `${base}/tasks`, fields)).data,
  cancel: (id) => call('DELETE', `${base}/tasks/${encodeURIComponent(id)}`),
};

export const assets = {
  list: async () => (await call('GET', '/video-streams/v1/assets?limit=100')).data,
};
