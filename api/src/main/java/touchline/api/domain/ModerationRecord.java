package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;
import touchline.moderation.RiskLevel;

/**
 * A frame with an alert, and its review; or an interval in which no frame could be decoded. It is
 * kept after its stream is deleted. Immutable.
 *
 * @param taskId the audit run
 * @param eventId of its {@code audit_check}, or of its {@code live_stream.warning}
 * @param findings every model's result, alerts or not; none where no frame could be decoded
 * @param frame name of the stored frame; empty where storing failed or its retention has ended
 * @param capturedAt wall clock of the frame by its timeline, cut to milliseconds
 * @param createdAt cut to milliseconds
 * @param review empty before a review
 */
public record ModerationRecord(
        long id,
        long taskId,
        String eventId,
        String accountId,
        StreamId stream,
        SessionId session,
        List<ModerationFinding> findings,
        Optional<FrameName> frame,
        Instant capturedAt,
        Instant createdAt,
        Optional<Review> review) {
    /**
     * A reviewer's decision.
     *
     * @param at cut to milliseconds
     * @param by name of the access token; empty for reviews of earlier versions
     */
    public record Review(Decision decision, String note, Instant at, String by) {
        public Review {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /** The outcomes of a review. */
    public enum Decision {
        PASS(DetectStatus.PASS),
        REJECT(DetectStatus.REJECT);

        private final DetectStatus status;

        Decision(DetectStatus status) {
            this.status = status;
        }

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<Decision> of(String wireName) {
            return WireNames.find(Decision.class, wireName);
        }
    }

    public ModerationRecord {
        findings = List.copyOf(findings);
        capturedAt = capturedAt.truncatedTo(ChronoUnit.MILLIS);
        createdAt = createdAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** The reviewer's decision, or without one the status of the worst finding. */
    public DetectStatus status() {
        return review.map(r -> r.decision().status).orElseGet(() -> worst(findings));
    }

    /** The status of all findings together; an error without any. */
    public static DetectStatus worst(List<ModerationFinding> findings) {
        if (findings.isEmpty()) {
            return DetectStatus.ERROR;
        }
        RiskLevel worst = RiskLevel.PASS;
        for (ModerationFinding finding : findings) {
            if (finding.risk().compareTo(worst) > 0) {
                worst = finding.risk();
            }
        }
        return DetectStatus.of(worst);
    }

    /** The types with an alert. */
    public static Set<AlertType> alertTypes(List<ModerationFinding> findings) {
        TreeSet<AlertType> types = new TreeSet<>();
        for (ModerationFinding finding : findings) {
            if (finding.isAlert()) {
                types.add(finding.type());
            }
        }
        return types;
    }
}
