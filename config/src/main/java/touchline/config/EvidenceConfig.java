package touchline.config;

import java.time.Duration;

/**
 * {@code storage.evidence-*}: how long what moderation has seen is kept.
 *
 * @param maxAge of evidence frames and scores; zero: however old
 * @param maxBytes of all evidence frames together; zero: however large
 */
public record EvidenceConfig(Duration maxAge, long maxBytes) {
    /** 30 days, 4 GiB. */
    public static final EvidenceConfig DEFAULT = new EvidenceConfig(Duration.ofDays(30), 4L << 30);
}
