package touchline.media.hub;

import java.util.Locale;

/**
 * The programme of a session has changed from one publisher to the other.
 *
 * @param gapMs content left out between the last frame of {@code from} and the first one of {@code
 *     to}, in milliseconds; negative: shown twice. By arrival it is an estimate.
 * @param aligned the frames were placed by comparing the audio, not by the times of their arrival
 */
public record SourceChange(
        PublishSource from, PublishSource to, Reason reason, long gapMs, boolean aligned) {
    /** Why it changed. */
    public enum Reason {
        /** The publisher that was shown sent nothing for {@code failover_after}. */
        ENCODER_LOST,
        /** The preferred publisher has been steady for {@code failback_after}. */
        FAILBACK,
        /** A client of the API asked for it. */
        OPERATOR;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
