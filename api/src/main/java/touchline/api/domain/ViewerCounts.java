package touchline.api.domain;

import java.util.HashMap;
import java.util.Map;
import touchline.media.StreamId;

/**
 * Viewers now. Immutable.
 *
 * @param total of all streams
 * @param byStream streams with viewers
 */
public record ViewerCounts(int total, Map<StreamId, Integer> byStream) {
    public static final ViewerCounts NONE = new ViewerCounts(0, Map.of());

    public ViewerCounts {
        byStream = Map.copyOf(byStream);
    }

    /** Of this stream. */
    public int of(StreamId stream) {
        return byStream.getOrDefault(stream, 0);
    }

    /** Both together. */
    public ViewerCounts plus(ViewerCounts other) {
        if (other.total == 0) {
            return this;
        }
        Map<StreamId, Integer> sum = new HashMap<>(byStream);
        other.byStream.forEach((stream, viewers) -> sum.merge(stream, viewers, Integer::sum));
        return new ViewerCounts(total + other.total, sum);
    }
}
