/**
 * For hls.js's configuration, as `timelineController`. The one of hls.js 1.7.4 takes each further part of a segment
 * for a jump, and forgets the captions that have begun: near the live edge none would be left.
 */
export function continuousCaptions({ DefaultConfig }) {
  return class extends DefaultConfig.timelineController {
    onFragLoading(event, loading) {
      const { frag, part } = loading;
      const follows = frag.sn === this.lastSn && frag.cc === this.lastCc && part?.index === this.lastPartIndex + 1;
      if (frag.type === 'main' && follows) {
        this.lastPartIndex = part.index;
      } else {
        super.onFragLoading(event, loading);
      }
    }
  };
}

/**
 * The closed captions that hls.js reads from the frames, as text tracks of the video element. The tracks that
 * hls.js makes itself are elements with an empty file, and keep no cues.
 */
export class Captions {
  #video;
  #made = new Map();
  #found = new Map();
  #playedFrom = 0;

  constructor(video) {
    this.#video = video;
    video.addEventListener('seeking', () => (this.#playedFrom = video.currentTime));
  }

  /** Those of what is being played. */
  get tracks() {
    return [...this.#found.values()];
  }

  /** Takes the captions of a player with `renderTextTracksNatively: false`, until `clear`. */
  follow(hls, { Events }) {
    hls.on(Events.NON_NATIVE_TEXT_TRACKS_FOUND, (_, { tracks }) => {
      for (const track of tracks.filter(({ kind }) => kind === 'captions')) {
        this.#found.set(track._id, this.#track(track));
      }
    });
    hls.on(Events.CUES_PARSED, (_, { track, cues }) => this.#add(this.#found.get(track), cues));
  }

  /** Drops all cues. A track that is found again shows as it did. */
  clear() {
    this.#found.forEach((track) => this.#forget(track, Infinity));
    this.#found.clear();
  }

  /** An element keeps its tracks for good. */
  #track({ _id, label, closedCaptions }) {
    const name = closedCaptions ? label : `CC${_id.at(-1)}`;
    const language = closedCaptions?.lang ?? '';
    const key = `${_id} ${name} ${language}`;
    if (!this.#made.has(key)) {
      this.#made.set(key, this.#video.addTextTrack('captions', name, language));
    }
    return this.#made.get(key);
  }

  #add(track, cues) {
    if (!track) {
      return;
    }
    if (track.mode === 'disabled') {
      track.mode = 'hidden'; // a disabled track does not tell its cues
    }
    const { buffered, currentTime } = this.#video;
    this.#forget(track, buffered.length > 0 ? Math.min(buffered.start(0), currentTime) : currentTime);
    for (const cue of cues.filter(({ id }) => !track.cues.getCueById(id))) {
      // A caption is known when it has ended. Close to the live edge it has begun by then: it is shown later.
      const late = currentTime - cue.startTime;
      if (late > 0 && cue.startTime >= this.#playedFrom) {
        cue.endTime += late;
        cue.startTime += late;
      }
      track.addCue(cue);
    }
  }

  #forget(track, before) {
    for (const cue of [...(track.cues ?? [])].filter(({ endTime }) => endTime < before)) {
      track.removeCue(cue);
    }
  }
}
