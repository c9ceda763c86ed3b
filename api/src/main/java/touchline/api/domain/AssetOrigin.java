package touchline.api.domain;

import java.util.List;
import touchline.media.SessionId;

/** The source of an asset. */
public sealed interface AssetOrigin {
    /** Minimum and maximum of ranges that are joined. */
    int MIN_RANGES = 2;

    int MAX_RANGES = 50;

    /** Ranges that a clip shows, in their order; none of a recording. */
    default List<Cut> ranges() {
        return switch (this) {
            case Recorded _ -> List.of();
            case Cut cut -> List.of(cut);
            case Joined(var ranges) -> ranges;
        };
    }

    /**
     * A recorded session.
     *
     * @param fromStart false where the recording resumed after a gap in its session
     */
    record Recorded(SessionId session, boolean fromStart) implements AssetOrigin {}

    /**
     * A clip of another asset, which may be deleted: {@code start <= t < end}.
     *
     * @param startUs in the source's time, from its first frame
     * @param endUs greater than the start
     */
    record Cut(AssetId source, long startUs, long endUs) implements AssetOrigin {
        public Cut {
            if (startUs < 0 || endUs <= startUs) {
                throw new IllegalArgumentException(
                        "cut: %d to %d us (expected: 0 <= start < end)".formatted(startUs, endUs));
            }
        }

        public long durationUs() {
            return endUs - startUs;
        }
    }

    /**
     * A clip of several ranges, of one asset or of many. Ranges may overlap and repeat.
     *
     * @param ranges in the clip's order, {@link #MIN_RANGES} to {@link #MAX_RANGES}
     */
    record Joined(List<Cut> ranges) implements AssetOrigin {
        public Joined {
            ranges = List.copyOf(ranges);
            if (ranges.size() < MIN_RANGES || ranges.size() > MAX_RANGES) {
                throw new IllegalArgumentException(
                        "ranges: %d (expected: %d to %d)"
                                .formatted(ranges.size(), MIN_RANGES, MAX_RANGES));
            }
        }

        /** Clip time at which a range begins, as requested. */
        public long startUs(int range) {
            long sum = 0;
            for (Cut each : ranges.subList(0, range)) {
                sum += each.durationUs();
            }
            return sum;
        }
    }
}
