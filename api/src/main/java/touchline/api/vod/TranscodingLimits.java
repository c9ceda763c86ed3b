package touchline.api.vod;

import java.time.Duration;
import java.util.List;

/**
 * Limits of transcoding. Immutable.
 *
 * @param maxInputBytes of a downloaded file
 * @param minFreeBytes that transcoding leaves free on the disk
 * @param fetchTime for the download of an input
 * @param taskTime for one output
 * @param pauses before each retry of a request
 */
public record TranscodingLimits(
        long maxInputBytes,
        long minFreeBytes,
        Duration fetchTime,
        Duration taskTime,
        List<Duration> pauses) {
    /** Short: a client that waits for an output learns of a failure soon. */
    public static final List<Duration> PAUSES =
            List.of(Duration.ofSeconds(2), Duration.ofSeconds(8), Duration.ofSeconds(20));

    public TranscodingLimits {
        pauses = List.copyOf(pauses);
    }
}
