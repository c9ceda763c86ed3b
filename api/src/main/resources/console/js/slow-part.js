/** A part that took this many times its duration. */
const SLOW = 2;

/** Of the measured rate, for media; playlists and pauses between requests need the rest. */
const SHARE = 0.7;

/**
 * Changes to a smaller rendition in the middle of a segment. hls.js 1.7.4 loads the parts of a segment one
 * after the other, and thinks about the rendition again at the segment's end. In a network that has
 * become slow, that end comes after many seconds, with less than one second in the buffer.
 */
export function leaveSlowParts(hls, { Events }) {
  hls.on(Events.FRAG_LOADED, (_, { frag, part }) => {
    if (!part || frag.type !== 'main' || !hls.autoLevelEnabled || frag.level <= hls.minAutoLevel) {
      return;
    }
    const { loading, loaded } = part.stats;
    const seconds = (loading.end - loading.first) / 1000;
    const further = partsAfter(part, hls.levels[frag.level].details);
    const buffered = hls.mainForwardBufferInfo?.len ?? 0;
    if (seconds < SLOW * part.duration || seconds * further <= buffered) {
      return;
    }
    const level = fitting(hls, ((loaded * 8) / seconds) * SHARE);
    if (level < frag.level) {
      hls.nextAutoLevel = level;
      hls.nextLoadLevel = level;
      // hls.js asks for the next part as soon as this event is over.
      setTimeout(() => frag.abortRequests());
    }
  });
}

function partsAfter(part, details) {
  return (details?.partList ?? []).filter(({ fragment, index }) => fragment.sn === part.fragment.sn && index > part.index).length;
}

/** The largest level of this rate in bit/s, or the smallest of all. */
function fitting({ levels, minAutoLevel }, rate) {
  const index = levels.findLastIndex((level) => level.maxBitrate <= rate);
  return Math.max(index, minAutoLevel);
}
