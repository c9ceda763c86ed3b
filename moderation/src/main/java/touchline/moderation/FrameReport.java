package touchline.moderation;

import java.time.Instant;
import java.util.List;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * One analysed frame of a session.
 *
 * @param stream whose frame
 * @param session its session
 * @param ptsUs presentation time in media microseconds
 * @param capturedAt wall clock of the frame by its timeline, as EXT-X-PROGRAM-DATE-TIME has it
 * @param judgedAt when the models had said what they think of it
 * @param policy what it was judged by
 * @param results every model's detections of the asked types, the passed ones too, riskiest first
 * @param failures what could not be analysed, and why; empty where all went well
 * @param frame lent for the call that the report is handed over in
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

    /** A detection and what it means under the policy. */
    public record Result(Detection detection, RiskLevel risk) {}

    /**
     * An asked type that a model could not tell about.
     *
     * @param type what was asked
     * @param modelVersion the model's folder; empty where no model serves the type
     * @param reason one line, for a person
     */
    public record Failure(AlertType type, String modelVersion, String reason) {}

    /** The frame as a whole; {@link #code} is {@code detect_status}. */
    public enum Status {
        PASS(1),
        REVIEW(2),
        REJECT(3),
        /** Nothing alarming was found, and at least one asked type could not be analysed. */
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
