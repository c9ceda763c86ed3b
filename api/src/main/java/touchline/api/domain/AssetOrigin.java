package touchline.api.domain;

import touchline.media.SessionId;

/** The source of an asset. */
public sealed interface AssetOrigin {
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
    }
}
