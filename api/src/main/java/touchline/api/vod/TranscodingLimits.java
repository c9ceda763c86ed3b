package touchline.api.vod;

import java.time.Duration;
import java.util.List;

/**
 * What transcoding may take. Immutable.
 *
 * @param maxInputBytes of a file that is fetched
 * @param minFreeBytes of the disk that are left alone
 * @param fetchTime for a whole input
 * @param taskTime for one output
 * @param pauses before a request is tried again, one for each retry
 */
public record TranscodingLimits(
        long maxInputBytes,
        long minFreeBytes,
        Duration fetchTime,
        Duration taskTime,
        List<Duration> pauses) {
    /** Short: who waits for an output shall know soon that it cannot be had. */
    public static final List<Duration> PAUSES =
            List.of(Duration.ofSeconds(2), Duration.ofSeconds(8), Duration.ofSeconds(20));

    public TranscodingLimits {
        pauses = List.copyOf(pauses);
    }
}
