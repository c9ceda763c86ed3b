package touchline.config;

import java.time.Duration;

/**
 * {@code storage.evidence-*}: retention of moderation evidence.
 *
 * @param maxAge of evidence frames and scores; zero: no limit
 * @param maxBytes of all evidence frames together; zero: no limit
 */
public record EvidenceConfig(Duration maxAge, long maxBytes) {
    /** 30 days, 4 GiB. */
    public static final EvidenceConfig DEFAULT = new EvidenceConfig(Duration.ofDays(30), 4L << 30);
}
