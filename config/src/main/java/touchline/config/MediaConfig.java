package touchline.config;

import java.util.Locale;

/**
 * {@code media}: limits and isolation of video decoders.
 *
 * @param decoderMemoryBytes maximum memory of all video decoders; 0 is half of the machine's memory
 * @param isolated what is decoded in child processes
 */
public record MediaConfig(long decoderMemoryBytes, Isolated isolated) {
    /** What is decoded in child processes instead of the server's own. */
    public enum Isolated {
        /** Nothing. */
        OFF,
        /** Frames of thumbnails. */
        THUMBNAILS,
        /** Frames of thumbnails, of the moderation without a scoreboard, and of watched signals. */
        ALL;

        static Isolated of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }
}
