/** Tones do not follow each other more closely, but for a graver one. */
const PAUSE_MS = 800;
const LOUDNESS = 0.25;
const RAMP_S = 0.02;

/** Frequencies in Hz, and how long each lasts. */
const TONES = { bad: [[880, 0.16], [660, 0.22]], careful: [[660, 0.18]] };

/**
 * The alert's tone, made by Web Audio. Browsers let a page be heard after a click or a key only, so it is
 * switched on by one.
 */
export class Tone {
  #context = null;
  #freeAt = 0;
  #sounding = '';

  /** Called by a click or a key. True if it can be heard now. */
  async unlock() {
    this.#context ??= new AudioContext();
    await this.#context.resume();
    return this.isHeard;
  }

  get isHeard() {
    return this.#context?.state === 'running';
  }

  lock() {
    this.#context?.close();
    this.#context = null;
  }

  /** Alerts that come together are heard as one: a tone for the first, and for the first grave one. */
  alert(level) {
    const now = performance.now();
    const isGraver = level === 'bad' && this.#sounding !== 'bad';
    if (this.isHeard && (now >= this.#freeAt || isGraver)) {
      this.#freeAt = now + PAUSE_MS;
      this.#sounding = level;
      this.#play(level);
    }
  }

  /** So that a person hears what was switched on. An alert right behind it is heard as well. */
  check() {
    if (this.isHeard) {
      this.#play('careful');
    }
  }

  #play(level) {
    let at = this.#context.currentTime;
    for (const [hertz, seconds] of TONES[level] ?? TONES.careful) {
      const oscillator = new OscillatorNode(this.#context, { frequency: hertz, type: 'triangle' });
      const gain = new GainNode(this.#context, { gain: 0 });
      gain.gain.linearRampToValueAtTime(LOUDNESS, at + RAMP_S);
      gain.gain.setValueAtTime(LOUDNESS, at + seconds - RAMP_S);
      gain.gain.linearRampToValueAtTime(0, at + seconds);
      oscillator.connect(gain).connect(this.#context.destination);
      oscillator.start(at);
      oscillator.stop(at + seconds);
      at += seconds;
    }
  }
}
