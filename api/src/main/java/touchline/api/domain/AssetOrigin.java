package touchline.api.domain;

import touchline.media.SessionId;

/** What an asset was made from. */
public sealed interface AssetOrigin {
    /**
     * A session, recorded as it ran.
     *
     * @param fromStart false where it began behind a gap, as another recording of its session
     */
    record Recorded(SessionId session, boolean fromStart) implements AssetOrigin {}

    /**
     * A clip of another asset, which may be gone by now: {@code start <= t < end}.
     *
     * @param startUs in the source's time, whose 0 is its first frame
     * @param endUs greater than the start
     */
    record Cut(AssetId source, long startUs, long endUs) implements AssetOrigin {
        public Cut {
            if (startUs < 0 || endUs <= startUs) {
                throw new IllegalArgumentException(
                        "cut: %d to %d us (expected: 0 <= start < end)".formatted(startUs, endUs));
            }
        }
    }
}
