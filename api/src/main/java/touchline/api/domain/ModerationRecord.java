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
 * A frame that a model found something in, and what became of it. It outlives its stream.
 * Immutable.
 *
 * @param taskId the audit run
 * @param eventId of the {@code audit_check} that told of it
 * @param findings every model's result, alerts or not; at least one alert
 * @param frame the frame; empty where it could not be stored, or is not kept any more
 * @param capturedAt wall clock of the frame by its timeline, cut to milliseconds
 * @param createdAt cut to milliseconds
 * @param review empty until somebody has looked at it
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
    /** What a person decided, and when (cut to milliseconds). */
    public record Review(Decision decision, String note, Instant at) {
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

    /** What a person has decided, or else what the worst finding means. */
    public DetectStatus status() {
        return review.map(r -> r.decision().status).orElseGet(() -> worst(findings));
    }

    /** What findings mean together. */
    public static DetectStatus worst(List<ModerationFinding> findings) {
        RiskLevel worst = RiskLevel.PASS;
        for (ModerationFinding finding : findings) {
            if (finding.risk().compareTo(worst) > 0) {
                worst = finding.risk();
            }
        }
        return DetectStatus.of(worst);
    }

    /** The types that a client is told of. */
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
