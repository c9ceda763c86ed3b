package touchline.media.ffmpeg;

/**
 * Settings for AAC-LC encoding. Immutable, any thread.
 *
 * @param sampleRateHz one of AAC's rates, 8 000 to 96 000
 * @param channels 1 to 8
 * @param bitrateBps 8 000 to 1 000 000
 */
public record AudioSettings(int sampleRateHz, int channels, int bitrateBps) {
    public AudioSettings {
        if (sampleRateHz < 8_000 || sampleRateHz > 96_000) {
            throw new IllegalArgumentException("sampleRateHz: " + sampleRateHz + " (8000..96000)");
        }
        if (channels < 1 || channels > Pcm.MAX_CHANNELS) {
            throw new IllegalArgumentException("channels: " + channels + " (1..8)");
        }
        if (bitrateBps < 8_000 || bitrateBps > 1_000_000) {
            throw new IllegalArgumentException("bitrateBps: " + bitrateBps + " (8000..1000000)");
        }
    }
}
