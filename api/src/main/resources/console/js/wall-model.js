import { liveStreams } from './api.js';
import { isEncoderAway } from './dom.js';
import { titleOf } from './stream-title.js';

/** An ended stream stays on the wall for so long. */
const JUST_NOW_MS = 60_000;

const PAGE = 100;

/** Sessions that are read at a time. */
const PARALLEL = 4;

const FAULTS = { video_black: 'Black', video_frozen: 'Frozen', audio_silent: 'Silent', audio_one_sided: 'One side', audio_clipping: 'Clipping' };

/** What a stream of the wall is in, the gravest first: its class, and whether it holds. */
const STATES = [
  ['offline', ({ endedAt }) => endedAt !== null && 'Offline just now'],
  ['blocked', ({ stream, session }) => (stream.active_standby?.reason === 'rejected' || (session?.moderation === 'blind' && stream.audit_settings?.gate)) && 'Blocked'],
  ['blocked', ({ session, stream }) => session?.moderation === 'blind' && !stream.audit_settings?.gate && 'Moderation blind'],
  ['standby', ({ stream }) => stream.active_standby && stream.active_standby.reason !== 'rejected' && 'Standby'],
  ['away', ({ stream }) => isEncoderAway(stream) && !stream.active_standby && 'Encoder away'],
  ['fault', ({ session }) => faults(session).join(', ')],
  ['backup', ({ session }) => session?.source === 'backup' && 'Backup'],
];

/** The live streams, with what is known of their sessions. */
export class WallModel {
  #entries = new Map();
  #more = 0;
  #reading = null;
  #again = false;

  /** By title: they keep their places. */
  get entries() {
    return [...this.#entries.values()].toSorted((a, b) =>
      titleOf(a.stream).localeCompare(titleOf(b.stream), undefined, { numeric: true }) || (a.stream.id < b.stream.id ? -1 : 1));
  }

  /** Live streams beyond those of the wall. */
  get more() {
    return this.#more;
  }

  /** Reads the streams, and the sessions of these or of all. One reading at a time. */
  async read(ids = null) {
    if (this.#reading) {
      this.#again = true;
      await this.#reading;
      return;
    }
    this.#reading = this.#read(ids);
    try {
      await this.#reading;
    } finally {
      this.#reading = null;
    }
    if (this.#again) {
      this.#again = false;
      await this.read();
    }
  }

  /** Drops those that ended a while ago. */
  forget() {
    for (const [id, { endedAt }] of this.#entries) {
      if (endedAt !== null && Date.now() - endedAt > JUST_NOW_MS) {
        this.#entries.delete(id);
      }
    }
  }

  async #read(ids) {
    const reply = await liveStreams.list(1, PAGE, { status: 'active' });
    const active = new Map(reply.data.map((stream) => [stream.id, stream]));
    this.#more = Math.max(0, reply.total - active.size);
    for (const entry of this.#entries.values()) {
      if (!active.has(entry.stream.id)) {
        entry.endedAt ??= Date.now();
      }
    }
    const stale = [];
    for (const stream of active.values()) {
      const known = this.#entries.get(stream.id);
      const isKnown = known?.session?.id === stream.active_session_id;
      this.#entries.set(stream.id, { stream, session: isKnown ? known.session : null, endedAt: null });
      if (!isKnown || ids === null || ids.has(stream.id)) {
        stale.push(stream.id);
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, async () => {
      for (let id = stale.pop(); id !== undefined; id = stale.pop()) {
        await this.#readSession(id);
      }
    }));
  }

  async #readSession(id) {
    const entry = this.#entries.get(id);
    const [session] = await liveStreams.sessions(id, 1).catch(() => []);
    if (session?.id === entry.stream.active_session_id) {
      entry.session = session;
    }
  }
}

function faults(session) {
  const open = (session?.warnings ?? []).filter((warning) => warning.code in FAULTS && !warning.ended_at);
  return [...new Set(open.map((warning) => FAULTS[warning.code]))];
}

/** Class of the border, and all that holds, as text. */
export function stateOf(entry) {
  const holds = STATES.map(([name, text]) => [name, text(entry)]).filter(([, text]) => text);
  return holds.length === 0 ? { name: 'live', text: 'Live' } : { name: holds[0][0], text: holds.map(([, text]) => text).join(' · ') };
}
