import { element } from './dom.js';

/** Seconds behind the target from which the button to the live edge is shown. */
const FAR_BEHIND_S = 3;

/** Do the two times differ by more than this, and by what a playlist may lag, a clock is wrong. */
const CLOCK_DOUBT_S = 2;

/**
 * How far playback is behind live, twice: by the playlist, whose newest part the server has just
 * taken in (no clock but this browser's stopwatch is in it), and by the dates that the server gave
 * the frames as they arrived, which holds as far as its clock and this computer's agree. Neither
 * includes camera and encoder. Seconds; null where unknown.
 */
export function measure(hls, video, now = Date.now()) {
  const shownAt = hls ? hls.playingDate : startDate(video);
  const byDate = shownAt ? (now - shownAt.getTime()) / 1000 : null;
  const behindEdge = distance(hls, video);
  const target = hls?.targetLatency ?? null;
  const doubtful = byDate !== null && behindEdge !== null && Math.abs(byDate - behindEdge) > tolerance(hls.latestLevelDetails);
  const lag = behindEdge ?? byDate;
  return {
    latency: byDate,
    doubtful,
    behindEdge,
    target,
    buffer: ahead(video),
    isFarBehind: lag !== null && target !== null && lag - target > FAR_BEHIND_S,
  };
}

/** Like hls.latency, which stands still while the frame does. */
function distance(hls, video) {
  const playlist = hls?.latestLevelDetails;
  return playlist?.live ? Math.max(0, playlist.edge + playlist.age - video.currentTime) : null;
}

/** Without parts a segment is listed when it is complete, and the playlist is polled. */
function tolerance(playlist) {
  return CLOCK_DOUBT_S + (playlist.partList?.length > 0 ? 0 : playlist.targetduration);
}

/** Safari exposes the date of its native HLS player. */
function startDate(video) {
  const start = video.getStartDate?.();
  return start && !Number.isNaN(start.getTime()) ? new Date(start.getTime() + video.currentTime * 1000) : null;
}

function ahead(video) {
  for (let i = 0; i < video.buffered.length; i++) {
    if (video.buffered.start(i) <= video.currentTime + 0.1 && video.currentTime <= video.buffered.end(i)) {
      return video.buffered.end(i) - video.currentTime;
    }
  }
  return 0;
}

/** The line of figures below the video; only its texts change, so that it does not flicker. */
export class Figures {
  #values = new Map();
  root = element('div', { class: 'figures', 'aria-live': 'off', hidden: true });

  constructor() {
    this.#add('latency', 'Latency, estimated', 'From the arrival of a frame at the server to its display here, by the clocks of both. Camera and encoder are not included.');
    this.#add('edge', 'Behind newest media', 'Distance to the end of the playlist, which grows as media arrives.');
    this.#add('target', 'Aim', 'Target distance from the newest media: the server’s hold-back, and more after a stall.');
    this.#add('buffer', 'Buffer', 'Media loaded ahead of playback.');
    this.#add('speed', 'Speed', 'Slightly faster than live while catching up.');
    this.#add('frame', 'Frame', 'Size of the decoded video.');
    this.#add('dropped', 'Dropped frames', 'Frames that this browser did not show in time.');
  }

  show(facts, video) {
    const { droppedVideoFrames: dropped = 0, totalVideoFrames: total = 0 } = video.getVideoPlaybackQuality?.() ?? {};
    this.#set('latency', facts.doubtful ? 'clocks differ' : seconds(facts.latency));
    this.#set('edge', seconds(facts.behindEdge));
    this.#set('target', seconds(facts.target));
    this.#set('buffer', seconds(facts.buffer));
    this.#set('speed', `${video.playbackRate.toFixed(2)} ×`);
    this.#set('frame', video.videoWidth ? `${video.videoWidth} × ${video.videoHeight}` : 'none');
    this.#set('dropped', `${dropped} of ${total}`);
    this.root.hidden = false;
  }

  hide() {
    this.root.hidden = true;
  }

  #add(name, label, hint) {
    const value = element('b', { 'data-figure': name }, '–');
    this.#values.set(name, value);
    this.root.append(element('span', { title: hint }, `${label} `, value));
  }

  #set(name, text) {
    this.#values.get(name).textContent = text;
  }
}

function seconds(value) {
  return value === null ? '–' : `${value.toFixed(1)} s`;
}
