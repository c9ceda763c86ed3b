package touchline.media.hub;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.hub.LiveStream.State;

/** State of a session, and the times and names that belong to it. Guarded by its session. */
final class LifeCycle {
    private static final Logger log = LoggerFactory.getLogger(LifeCycle.class);

    /** An admitted publisher that sends nothing for this long is cut. */
    static final Duration FIRST_MEDIA = Duration.ofSeconds(30);

    final ReconnectWindow window;
    private State state;
    private @Nullable Instant startedAt;
    private final Map<PublishSource, String> encoders = new EnumMap<>(PublishSource.class);
    private @Nullable InterruptedSession interrupted;

    LifeCycle(ReconnectWindow window) {
        this.window = window;
        this.state = State.WAITING;
    }

    /** Of a session that waits for its encoder since the last stop of the server. */
    LifeCycle(ReconnectWindow window, InterruptedSession before) {
        this.window = window;
        this.state = State.INTERRUPTED;
        this.startedAt = before.startedAt();
        window.open(before.disconnectedAt(), before.left());
    }

    State state() {
        return state;
    }

    void state(LiveStream of, State next, String reason) {
        log.info(
                "stream={} session={} role={} {} -> {} ({})",
                of.stream(),
                of.session(),
                of.role(),
                state,
                next,
                reason);
        state = next;
    }

    /** Media flows. True for the session's first. */
    boolean start(Instant at) {
        boolean first = startedAt == null;
        if (first) {
            startedAt = at;
        }
        window.close();
        return first;
    }

    /** When the first media was accepted; empty before. */
    Optional<Instant> startedAt() {
        return Optional.ofNullable(startedAt);
    }

    /** When the encoder disconnected, while the reconnect window runs; empty otherwise. */
    Optional<Instant> disconnectedAt() {
        return state == State.INTERRUPTED ? window.openedAt() : Optional.empty();
    }

    void admitted(PublishRequest request) {
        encoders.put(request.source(), request.encoder());
    }

    /** The encoders that were admitted last, of each source. */
    Set<String> encoders() {
        return Set.copyOf(encoders.values());
    }

    /** The server stops: the next start may resume a session whose window has time left. */
    void interruptedBy(LiveStream live, IngestMonitor monitor, Instant stop) {
        long leftNs = window.leftNs();
        Instant started = startedAt;
        if (started != null && leftNs > 0) {
            interrupted =
                    new InterruptedSession(
                            live.stream(),
                            live.session(),
                            started,
                            window.openedAt().orElse(stop),
                            window.length(),
                            Duration.ofNanos(leftNs),
                            monitor.nextStartUs(),
                            monitor.nextSequence());
        }
    }

    /** What the next start of the server needs; empty before such a stop. */
    Optional<InterruptedSession> interrupted() {
        return Optional.ofNullable(interrupted);
    }
}
