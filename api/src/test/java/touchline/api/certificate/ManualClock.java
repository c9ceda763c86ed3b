package touchline.api.certificate;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** A clock that a test turns. One thread. */
final class ManualClock implements InstantSource {
    private Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    @Override
    public Instant instant() {
        return now;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }
}
