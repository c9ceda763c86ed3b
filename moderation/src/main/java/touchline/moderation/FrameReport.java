package touchline.moderation;

import java.time.Instant;
import java.util.List;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * One analysed frame of a session.
 *
 * @param ptsUs presentation time in media microseconds
 * @param capturedAt wall clock of the frame by its timeline, equal to EXT-X-PROGRAM-DATE-TIME
 * @param judgedAt when the models had answered
 * @param policy the policy that judged the frame
 * @param results all models' detections of the requested types, passed ones too, riskiest first
 * @param failures requested types that could not be analysed, with the reasons
 * @param frame borrowed until {@link ModerationSink#analysed} returns
 */
public record FrameReport(
        StreamId stream,
        SessionId session,
        long ptsUs,
        Instant capturedAt,
        Instant judgedAt,
        ModerationPolicy policy,
        List<Result> results,
        List<Failure> failures,
        SampleImage frame) {
    public FrameReport {
        results = List.copyOf(results);
        failures = List.copyOf(failures);
    }

    /** A detection and its meaning under the policy. */
    public record Result(Detection detection, RiskLevel risk) {}

    /**
     * A requested type that was not analysed.
     *
     * @param modelVersion name of the model's folder; empty when no model serves the type
     * @param reason one line
     */
    public record Failure(AlertType type, String modelVersion, String reason) {}

    /** Result for the whole frame; {@link #code} is {@code detect_status}. */
    public enum Status {
        PASS(1),
        REVIEW(2),
        REJECT(3),
        /** No alert, but at least one requested type could not be analysed. */
        ERROR(4);

        private final int code;

        Status(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }
    }

    public Status status() {
        RiskLevel highest = RiskLevel.PASS;
        for (Result result : results) {
            if (result.risk().compareTo(highest) > 0) {
                highest = result.risk();
            }
        }
        return switch (highest) {
            case REJECT -> Status.REJECT;
            case REVIEW -> Status.REVIEW;
            case PASS -> failures.isEmpty() ? Status.PASS : Status.ERROR;
        };
    }
}
