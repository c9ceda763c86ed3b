package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.ClockDifference;
import touchline.testing.LogLines;

/** A clock that goes wrong and right again, as heartbeats see it. */
final class ClockWatchTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    /** True time since the start, and how far the clock of the host is ahead of it. */
    private long nowMs;

    private long aheadMs;

    /** How long the monotonic clock has stood still. */
    private long stoodMs;

    private final ClockWatch watch =
            new ClockWatch(
                    () -> START.plusMillis(nowMs + aheadMs),
                    () -> TimeUnit.MILLISECONDS.toNanos(nowMs - stoodMs));
    private final LogLines log = LogLines.of(ClockWatch.class);

    @AfterEach
    void leave() {
        log.close();
    }

    /** A heartbeat whose transaction begins in the middle of its round trip. */
    private void beat(long roundTripMs) {
        beat(roundTripMs / 2, roundTripMs - roundTripMs / 2);
    }

    private void beat(long thereMs, long backMs) {
        nowMs += 1_000;
        watch.sent();
        nowMs += thereMs;
        long databaseMs = START.toEpochMilli() + nowMs;
        nowMs += backMs;
        watch.answered(databaseMs);
    }

    private long measuredMs() {
        return watch.newest().orElseThrow().ahead().toMillis();
    }

    private List<String> logged() {
        return log.events().stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage().split(":", -1)[0])
                .toList();
    }

    @Test
    void clock_isUnknown_beforeTheFirstAnswer() {
        watch.sent();

        assertEquals(Optional.empty(), watch.newest());
    }

    @Test
    void rightClock_isMeasured_andNotLogged() {
        beat(20);

        assertEquals(
                new ClockDifference(Duration.ZERO, Duration.ofMillis(11)),
                watch.newest().orElseThrow());
        assertEquals(List.of(), logged());
    }

    @Test
    void wrongClock_isLoggedOnce_andAgainWhenItIsRight() {
        beat(20);
        aheadMs = 90_000;
        beat(20);
        beat(20);
        assertEquals(90_000, measuredMs());
        aheadMs = -700;
        beat(20);
        assertEquals(-700, measuredMs());
        aheadMs = 3;
        beat(20);
        beat(20);
        aheadMs = -2_000;
        beat(20);

        assertEquals(
                List.of(
                        "WARN the clock of this host is 90000 ms ahead of the database",
                        "INFO the clock of this host is right again",
                        "WARN the clock of this host is 2000 ms behind the database"),
                logged());
    }

    @Test
    void slowAnswer_provesNothing_inEitherDirection() {
        beat(1_500, 100);
        assertEquals(-700, measuredMs());
        assertEquals(801, watch.newest().orElseThrow().error().toMillis());
        assertEquals(List.of(), logged());

        aheadMs = 5_000;
        beat(20);
        aheadMs = 0;
        beat(0, 1_200);

        assertEquals(1, logged().size(), () -> logged().toString());
    }

    @Test
    void clockBelowTheLimit_isNotLogged_andOneAboveItIs() {
        aheadMs = 510;
        beat(20);
        assertEquals(List.of(), logged());

        aheadMs = 511;
        beat(20);
        assertEquals(1, logged().size());
    }

    @Test
    void hostThatWasSuspendedDuringAHeartbeat_provesNothing() {
        nowMs += 1_000;
        watch.sent();
        long databaseMs = START.toEpochMilli() + nowMs;
        nowMs += 30_000;
        stoodMs += 30_000;
        watch.answered(databaseMs);

        assertEquals(List.of(), logged());
    }

    @Test
    void clockThatIsSetDuringAHeartbeat_isFoundByTheNextOne() {
        watch.sent();
        long databaseMs = START.toEpochMilli() + nowMs;
        aheadMs = 90_000;
        watch.answered(databaseMs);
        assertEquals(List.of(), logged());

        beat(20);
        assertEquals(1, logged().size());
    }
}
