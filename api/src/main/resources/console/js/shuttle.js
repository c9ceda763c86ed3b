/** Speeds of J and L, pressed again and again. */
const SPEEDS = [1, 2, 4, 8];

/** How often playing backwards moves. */
const BACK_MS = 100;

/**
 * Plays a video element backwards and forwards at several speeds, and by frames. It knows the exact
 * time of the frame that is shown, where the browser reports it.
 */
export class Shuttle {
  #video;
  #frameS;
  #speed = 0;
  #timer = 0;
  #shown = null;
  #last = null;
  #aim = null;

  /**
   * @param {HTMLVideoElement} video
   * @param frameS returns the length of a frame in seconds
   */
  constructor(video, frameS) {
    this.#video = video;
    this.#frameS = frameS;
    video.addEventListener('emptied', () => this.#forget());
    video.addEventListener('seeking', () => { this.#shown = null; });
    video.addEventListener('seeked', () => this.#seeked());
    if (video.requestVideoFrameCallback) {
      const note = (_, { mediaTime }) => {
        this.#presented(mediaTime);
        video.requestVideoFrameCallback(note);
      };
      video.requestVideoFrameCallback(note);
    }
  }

  /** During a seek this may be a frame of before. */
  #presented(mediaTime) {
    this.#last = mediaTime;
    if (!this.#video.seeking) {
      this.#shown = mediaTime;
      this.#aim = null;
    }
  }

  /** The frame of this time may be there already: presented during the seek, or shown before it. */
  #seeked() {
    const { currentTime } = this.#video;
    if (this.#shown === null && this.#last !== null && this.#last <= currentTime && currentTime < this.#last + this.#frameS()) {
      this.#presented(this.#last);
    }
  }

  /** Start of the frame that is shown, in seconds of the player. */
  get frame() {
    return this.#shown ?? this.#aim ?? this.#onGrid(this.#video.currentTime);
  }

  /** Whether the browser has reported that frame, after all seeks. */
  get isExact() {
    return this.#shown !== null;
  }

  /** Where the browser does not say: frames are equally long. */
  #onGrid(seconds) {
    const frame = this.#frameS();
    return Math.floor(seconds / frame + 0.01) * frame;
  }

  /** 1 plays, 2 twice as fast, negative backwards, 0 is paused. */
  get speed() {
    return this.#timer ? this.#speed : this.#video.paused ? 0 : this.#video.playbackRate;
  }

  back() {
    this.#run(-this.#faster(-1));
  }

  forward() {
    this.#run(this.#faster(1));
  }

  #faster(direction) {
    const now = this.speed * direction;
    return now <= 0 ? SPEEDS[0] : SPEEDS.find((each) => each > now) ?? SPEEDS.at(-1);
  }

  /**
   * Plays what is paused, or stops at the frame that is shown. A browser that is busy presents further
   * ones after a pause; a seek ends that.
   */
  toggle() {
    if (this.speed === 0) {
      this.#run(1);
    } else if (this.#video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
      this.pause();
    } else {
      this.step(0);
    }
  }

  pause() {
    this.#run(0);
  }

  #run(speed) {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#speed = speed;
    const video = this.#video;
    if (speed > 0) {
      video.playbackRate = speed;
      video.play().catch(() => {});
      return;
    }
    video.pause();
    video.playbackRate = 1;
    if (speed < 0) {
      this.#timer = setInterval(() => this.#backwards(), BACK_MS);
    }
  }

  #backwards() {
    const video = this.#video;
    if (!video.seeking) {
      video.currentTime = Math.max(0, video.currentTime + (this.#speed * BACK_MS) / 1000);
    }
    if (video.currentTime <= 0) {
      this.pause();
    }
  }

  /** Goes by a frame: to its middle, so that rounding shows no other one. */
  step(by) {
    const frame = this.#frameS();
    const from = this.#aim ?? this.frame;
    this.pause();
    this.#shown = null;
    this.#aim = Math.max(0, from + by * frame);
    this.#video.currentTime = this.#aim + frame / 2;
  }

  /** Goes to a time, and stays paused or playing. */
  seek(seconds) {
    this.#shown = null;
    this.#aim = seconds;
    this.#video.currentTime = seconds;
  }

  #forget() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#shown = null;
    this.#last = null;
    this.#aim = null;
  }

  close() {
    this.#forget();
  }
}
