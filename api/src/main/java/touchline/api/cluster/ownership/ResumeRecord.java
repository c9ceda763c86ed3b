package touchline.api.cluster.ownership;

import org.jspecify.annotations.Nullable;

/**
 * What a successor needs to go on with a session as its viewers know it: column {@code resume} of
 * the owner row. Written with the first sealed segment, then with each session report: a session
 * without it cannot go on elsewhere. Immutable.
 *
 * @param sessionStartedAtMs clock of the node that began the session
 * @param latencyMode as in the API
 * @param windowMs media that stays listed
 * @param recorded whether segments are recorded, not only kept for the live window
 * @param composited every segment starts with a key frame: EXT-X-INDEPENDENT-SEGMENTS
 * @param targetDurationS constant over the session, RFC 8216bis 4.4.3.1
 * @param partTargetUs constant over the session, also where parts are not listed
 * @param zeroUs presentation time of the session's first frame, from which asset time counts
 * @param newest newest sealed segment at that time
 * @param nextTimeline number of the next timeline of the programme
 * @param nextInit EXT-X-DISCONTINUITY-SEQUENCE of the newest segment at that time, plus one. The
 *     numbers of init sections are the same until the first takeover, and higher from then on
 * @param playlistVersion of the newest playlist at that time; part of its entity tag
 * @param listedFrom number of the first segment in the live playlist at that time
 * @param assetId newest asset of the session, null without recording
 */
public record ResumeRecord(
        long sessionStartedAtMs,
        String latencyMode,
        long windowMs,
        boolean recorded,
        boolean composited,
        int targetDurationS,
        long partTargetUs,
        long zeroUs,
        SealedSegment newest,
        int nextTimeline,
        int nextInit,
        long playlistVersion,
        long listedFrom,
        @Nullable String assetId) {
    public ResumeRecord {
        if (targetDurationS <= 0 || partTargetUs <= 0 || windowMs <= 0) {
            throw new IllegalArgumentException(
                    "targetDurationS: %d, partTargetUs: %d, windowMs: %d (expected: > 0)"
                            .formatted(targetDurationS, partTargetUs, windowMs));
        }
    }

    /**
     * The newest segment that is complete.
     *
     * @param startUs session time
     * @param dateMs EXT-X-PROGRAM-DATE-TIME of its start, milliseconds since 1970
     */
    public record SealedSegment(long number, long startUs, long durationUs, long dateMs) {
        public long endUs() {
            return startUs + durationUs;
        }
    }
}
