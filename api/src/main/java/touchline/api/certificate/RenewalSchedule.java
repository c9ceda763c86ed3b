package touchline.api.certificate;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import touchline.media.tls.ServerCertificate;

/**
 * When to ask an authority: for the next certificate when a third of the validity is left, and
 * again after a failure with growing pauses. Five attempts an hour at most, which is what public
 * authorities allow for failed validations of a name. Any thread.
 */
final class RenewalSchedule {
    /** Of the first pause after a failure; each next one is twice as long. */
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(5);

    private static final Duration LONGEST_PAUSE = Duration.ofHours(12);
    private static final int MAX_DOUBLINGS = 16;

    /** Pauses differ by this share, so that many servers do not ask at once. */
    private static final double JITTER = 0.2;

    private final RandomGenerator random;
    private final Duration firstPause;

    RenewalSchedule(RandomGenerator random) {
        this(random, FIRST_PAUSE);
    }

    /**
     * @param firstPause after the first failure
     */
    RenewalSchedule(RandomGenerator random, Duration firstPause) {
        this.random = random;
        this.firstPause = firstPause;
    }

    /** When the successor of a certificate is due. */
    static Instant renewal(ServerCertificate shown) {
        Duration validity = Duration.between(shown.notBefore(), shown.notAfter());
        return shown.notAfter().minus(validity.dividedBy(3));
    }

    /** A random time within a window, so that the renewals of a directory spread. */
    Instant within(Instant start, Instant end) {
        long spanMs = Math.max(0, Duration.between(start, end).toMillis());
        return start.plusMillis((long) (spanMs * random.nextDouble()));
    }

    /**
     * The pause after failures in a row.
     *
     * @param failures at least 1
     */
    Duration pause(int failures) {
        long doubled = firstPause.toMillis() << Math.min(failures - 1, MAX_DOUBLINGS);
        long boundedMs =
                Math.min(doubled, Math.max(LONGEST_PAUSE.toMillis(), firstPause.toMillis()));
        double factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
        return Duration.ofMillis((long) (boundedMs * factor));
    }
}
