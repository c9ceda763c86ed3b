/**
 * Gives all media of a player one offset. hls.js 1.7.4 computes another one behind each discontinuity,
 * from where the segment before ends. With B-frames it takes that end for later than it is, by a frame
 * or two. Chromium then drops the video behind that gap up to the next key frame. The server's segments
 * have one clock through all discontinuities, so the first offset holds for all. hls.js has no setting
 * for it: this writes its table of offsets, in which it replaces one that is wrong by a second or more.
 */
export function keepOneClock(hls, { Events }) {
  let first = null;
  const fill = () => {
    const offsets = hls.streamController?.initPTS;
    const last = hls.latestLevelDetails?.endCC ?? -1;
    for (let range = 0; first !== null && offsets && range <= last; range++) {
      offsets[range] ??= first;
    }
  };
  hls.on(Events.INIT_PTS_FOUND, (_, { id, initPTS, timescale, trackId }) => {
    if (id === 'main' && first === null) {
      first = { baseTime: initPTS, timescale, trackId };
      fill();
    }
  });
  hls.on(Events.LEVEL_UPDATED, fill);
}
