package touchline.config;

/** Audio codecs that not every browser plays. */
public enum AudioCodec {
    /** Plays in no browser inside MP4. */
    MP3,
    /** Plays in all browsers but Safari. */
    OPUS
}
