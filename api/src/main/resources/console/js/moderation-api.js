import { call, listed } from './api.js';

/** The moderation calls of the public API. */

const streams = '/live/v1/live-streams';
const records = '/audit/v1/records';
const settings = (stream) => `${streams}/${encodeURIComponent(stream)}/audit-settings`;
const of = (session) => `stream_session_id=${encodeURIComponent(session)}`;

export const moderation = {
  models: async () => (await call('GET', '/audit/v1/models')).data,
  sessions: async (stream) => (await call('GET', `${streams}/${encodeURIComponent(stream)}/sessions?limit=25`)).data,
  put: (stream, body) => call('PUT', settings(stream), body),
  remove: (stream) => call('DELETE', settings(stream)),
  stop: (session) => call('POST', '/audit/v1/tasks/stop-audit-task', { stream_session_id: session }),
  frames: (session, page) => call('GET', `${records}/sampled-frames?${of(session)}&page=${page}&limit=100`),
  records: (session, page) => call('GET', `${records}/moderation-records?${of(session)}&page=${page}&limit=100`),
  review: async (id, decision, note) => (await call('PUT', `${records}/${id}/review`, { decision, note })).data,
  /** Of all streams, not decided yet; `filter`: search, alert_type, order, from, after. */
  open: (filter, limit) => call('GET', listed(`${records}/moderation-records`, { review: 'open', limit, ...filter })),
  /** Refused with 409 where someone has decided already. */
  decide: async (id, decision, note) => (await call('PUT', `${records}/${id}/review`, { decision, note, only_open: true })).data,
  takeBack: async (record) => (await call('DELETE', listed(`${records}/${record.id}/review`, { review_at: record.review_at }))).data,
  simulate: async (session, thresholds) => {
    const models = Object.entries(thresholds).map(([type, value]) => `models.${type}=${value}`);
    return (await call('GET', `${records}/simulate?${of(session)}&${models.join('&')}`)).data;
  },
};

export const TYPES = ['nude', 'weapon'];

const STATUS = { 1: 'pass', 2: 'review', 3: 'reject', 4: 'error' };

/** The word for a `detect_status`. */
export function statusWord(code) {
  return STATUS[code] ?? 'error';
}
