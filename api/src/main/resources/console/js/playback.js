/** Pauses before another attempt; the last one repeats. */
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

/** Played this long without trouble, the next trouble is a first one again. */
const CALM_MS = 10_000;

/** A second decoding error within this time is not mended by flushing the decoder again. */
const MEDIA_ERROR_MS = 5000;

/**
 * hls.js 1.7.4. The target latency is the server's PART-HOLD-BACK (HOLD-BACK in standard mode): three
 * parts behind the newest one. Playback that falls behind catches up at up to 1.25 times the speed. A
 * stall moves the target by a quarter of a second, not by the default of one, which would double it.
 * Its own tracks for captions would load a `data:` address, which the pages' policy refuses.
 */
export const SETTINGS = {
  enableWorker: false,
  lowLatencyMode: true,
  maxLiveSyncPlaybackRate: 1.25,
  liveSyncOnStallIncrease: 0.25,
  backBufferLength: 30,
  maxBufferLength: 20,
  renderTextTracksNatively: false,
};

/** What is stored is played from its start, and kept buffered on both sides for seeking. */
export const STORED_SETTINGS = { ...SETTINGS, lowLatencyMode: false, startPosition: 0, backBufferLength: 120 };

/** What a player of hls.js does after a failure, in the console and on the watch page. */
export class Recovery {
  #now;
  #attempts = 0;
  #mediaErrorAt = -Infinity;

  /** Since when it plays; null from a failure until it plays again. */
  #playsSince = null;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Media plays. */
  playing() {
    this.#playsSince = this.#now();
  }

  /** Something else is to be played: its first trouble is a first one. */
  reset() {
    this.#attempts = 0;
  }

  /** Whether flushing the decoder may mend a fatal problem; else the player is opened again. */
  mayFlush(problem, { ErrorTypes }) {
    const now = this.#now();
    if (problem.type !== ErrorTypes.MEDIA_ERROR || now - this.#mediaErrorAt <= MEDIA_ERROR_MS) {
      return false;
    }
    this.#mediaErrorAt = now;
    return true;
  }

  /** Pause before the next attempt, in ms: they grow until something has played for a while. */
  pause() {
    if (this.#playsSince !== null && this.#now() - this.#playsSince > CALM_MS) {
      this.#attempts = 0;
    }
    this.#playsSince = null;
    return RETRY_MS[Math.min(this.#attempts++, RETRY_MS.length - 1)];
  }
}
