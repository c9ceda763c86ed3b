package touchline.media.hub;

import java.time.Duration;
import java.util.Optional;

/**
 * What viewers get while no publication sends. Immutable.
 *
 * @param after how long media must have stopped, from {@link #MIN_AFTER} to {@link #MAX_AFTER}
 * @param image of the slate, as the server knows it; empty: a bundled slate
 * @param title shown by the bundled slate; may be empty
 */
public record StandbySettings(Mode mode, Duration after, Optional<String> image, String title) {
    /** Least time without media. */
    public static final Duration MIN_AFTER = Duration.ofMillis(300);

    /** Most time without media. */
    public static final Duration MAX_AFTER = Duration.ofSeconds(10);

    /** Time without media where nothing else is set. */
    public static final Duration DEFAULT_AFTER = Duration.ofMillis(1_500);

    /** No standby. */
    public static final StandbySettings NONE =
            new StandbySettings(Mode.NONE, DEFAULT_AFTER, Optional.empty(), "");

    /** What is shown. */
    public enum Mode {
        /** Nothing: media stops. */
        NONE,
        /** The last frame. */
        FREEZE,
        /** An image. */
        SLATE
    }

    public StandbySettings {
        if (after.compareTo(MIN_AFTER) < 0 || after.compareTo(MAX_AFTER) > 0) {
            throw new IllegalArgumentException(
                    "after: " + after + " (" + MIN_AFTER + ".." + MAX_AFTER + ")");
        }
    }

    /** Whether both show the same. */
    boolean showsLike(StandbySettings other) {
        return mode == other.mode && image.equals(other.image) && title.equals(other.title);
    }
}
