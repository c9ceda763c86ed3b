package touchline.media.hub;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The time that a session waits for its encoder. Guarded by its session. */
final class ReconnectWindow {
    private final Duration length;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    /** Null while an encoder sends. */
    private @Nullable Instant openedAt;

    private long endNs;

    ReconnectWindow(Duration length, LiveStreams.Dependencies dependencies) {
        this.length = length;
        this.clock = dependencies.clock();
        this.nanoTime = dependencies.nanoTime();
    }

    Duration length() {
        return length;
    }

    /** The encoder has disconnected. */
    void open() {
        open(clock.instant(), length);
    }

    /** The encoder had disconnected before the last stop of the server. */
    void open(Instant at, Duration left) {
        openedAt = at;
        endNs = nanoTime.getAsLong() + left.toNanos();
    }

    /** The encoder sends again. */
    void close() {
        openedAt = null;
    }

    /** When the encoder disconnected; empty while it sends. */
    Optional<Instant> openedAt() {
        return Optional.ofNullable(openedAt);
    }

    /** The time left, as if the encoder disconnected now where it sends; not above zero: passed. */
    long leftNs() {
        return openedAt == null ? length.toNanos() : endNs - nanoTime.getAsLong();
    }
}
