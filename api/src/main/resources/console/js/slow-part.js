/** A part that takes this many times its duration. */
const SLOW = 1.5;

/** Of the measured rate, for media; playlists and pauses between requests need the rest. */
const SHARE = 0.7;

/** For the playlist and the init segment of another rendition, in seconds. */
const CHANGE_S = 0.3;

/** Between two looks at a part on its way. */
const LOOK_MS = 50;

/**
 * Changes to a smaller rendition in the middle of a segment, and of a part. hls.js 1.7.4 loads the parts of
 * a segment one after the other, and thinks about the rendition again at the segment's end. In a network
 * that has become slow, that end comes after many seconds, with less than two in the buffer.
 */
export function leaveSlowParts(hls, { Events }) {
  let timer = 0;
  const stop = () => clearInterval(timer);
  const follow = (frag, part) => {
    stop();
    if (part) {
      timer = setInterval(() => isOver(part) || leave(hls, frag, part) ? stop() : null, LOOK_MS);
    }
  };
  hls.on(Events.FRAG_LOADING, (_, { frag, part }) => {
    if (frag.type === 'main') {
      follow(frag, part);
    }
  });
  hls.on(Events.FRAG_LOADED, (_, { frag, part }) => {
    // hls.js asks for the next part as soon as this event is over.
    if (frag.type === 'main' && part) {
      const [next] = partsAfter(hls, frag, part);
      follow(frag, next);
      setTimeout(() => leave(hls, frag, part));
    }
  });
  hls.on(Events.DESTROYING, stop);
}

function isOver({ stats }) {
  return stats.aborted || stats.loading.end > 0;
}

/** Ends the segment if its rest takes longer than the buffer lasts. */
function leave(hls, frag, part) {
  const { aborted, loading, loaded, total } = part.stats;
  const seconds = ((loading.end || performance.now()) - loading.first) / 1000;
  if (aborted || loaded === 0 || seconds < SLOW * part.duration || !hls.autoLevelEnabled || frag.level <= hls.minAutoLevel) {
    return false;
  }
  const rate = (loaded * 8) / seconds;
  const left = (Math.max(0, total - loaded) * 8) / rate;
  const further = partsAfter(hls, frag, part).length;
  const buffered = hls.mainForwardBufferInfo?.len ?? 0;
  if (left + (seconds + left) * further <= buffered) {
    return false;
  }
  // From the key frame on: that is the segment's start.
  const level = fitting(hls, rate, part.start + part.duration - frag.start, buffered);
  if (level >= frag.level) {
    return false;
  }
  // What was measured before counts no more.
  hls.bandwidthEstimate = rate;
  hls.nextAutoLevel = level;
  hls.nextLoadLevel = level;
  frag.abortRequests();
  return true;
}

/** Those of the same segment, in their order. */
function partsAfter(hls, frag, part) {
  const parts = hls.levels[frag.level]?.details?.partList ?? [];
  return parts.filter(({ fragment, index }) => fragment.sn === part.fragment.sn && index > part.index);
}

/**
 * The largest level that a network of this rate in bit/s carries, and of which media of this duration comes before
 * the buffer ends; or the smallest of all.
 */
function fitting({ levels, minAutoLevel }, rate, duration, buffered) {
  const index = levels.findLastIndex(
    ({ maxBitrate }) => maxBitrate <= rate * SHARE && CHANGE_S + (duration * maxBitrate) / rate <= buffered,
  );
  return Math.max(index, minAutoLevel);
}
