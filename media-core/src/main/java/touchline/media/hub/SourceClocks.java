package touchline.media.hub;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.SessionId;

/**
 * The clocks of both publishers of a session, and where the content of one lies by the clock of the
 * other one: measured by the audio, or by the times of arrival. Guarded by its session.
 */
final class SourceClocks {
    /**
     * Media time of a publisher's units.
     *
     * @param offsetUs less the publisher's time
     * @param aligned by comparing the audio
     */
    record Placement(long offsetUs, boolean aligned) {}

    private final ReentrantLock lock;
    private final SourceAlignment alignment;
    private final Map<PublishSource, SourceClock> clocks = new EnumMap<>(PublishSource.class);

    /** Of the source that is not shown, since the shown one has got another clock. */
    private @Nullable Placement kept;

    /**
     * @param lock the session's
     */
    SourceClocks(SessionId session, ReentrantLock lock, SourceAlignment.Opener alignment) {
        this.lock = lock;
        for (PublishSource each : PublishSource.values()) {
            clocks.put(each, new SourceClock());
        }
        this.alignment = alignment.open(session, this::byArrivalUs);
    }

    /**
     * Another publisher sends.
     *
     * @param end of the programme
     */
    void restart(PublishSource source, ProgramEnd end) {
        if (kept == null && end.source().equals(Optional.of(source))) {
            kept = placement(source.other(), end).orElse(null);
        }
        clock(source).restart();
        alignment.restart(source);
    }

    /** The programme has another end. */
    void forget() {
        kept = null;
    }

    /** A unit with the publisher's timestamps has arrived. */
    void arrived(PublishSource source, AccessUnit unit, long nowNs) {
        if (clock(source).arrived(unit, nowNs)) {
            alignment.restart(source);
        }
    }

    /** Audio to compare. Any thread. */
    void compare(PublishSource source, AccessUnit audio) {
        alignment.audio(source, audio);
    }

    /** The newest measurement; empty without one. Any thread. */
    Optional<SourceAlignment.Lag> newest() {
        return alignment.newest();
    }

    /** The same if it is reliable. Any thread. */
    Optional<SourceAlignment.Lag> lag() {
        return newest().filter(SourceAlignment.Lag::isReliable);
    }

    /** Where the programme's time lies in a publisher's units; empty if that is unknown. */
    Optional<Placement> placement(PublishSource source, ProgramEnd end) {
        Optional<PublishSource> written = end.source();
        if (written.isEmpty()) {
            return Optional.empty();
        }
        boolean own = written.get() == source;
        if (!own && kept != null) {
            return Optional.of(kept);
        }
        if (!clock(written.get()).isRunning() || !clock(source).isRunning()) {
            return Optional.empty();
        }
        if (own) {
            return Optional.of(new Placement(end.offsetUs(), /* aligned= */ true));
        }
        Optional<SourceAlignment.Lag> lag = lag();
        long lagUs = lag.map(SourceAlignment.Lag::us).orElseGet(this::byArrivalUs);
        long moveUs = source == PublishSource.BACKUP ? -lagUs : lagUs;
        return Optional.of(new Placement(end.offsetUs() + moveUs, lag.isPresent()));
    }

    /**
     * Time of the backup's publisher less that of the primary's, of units that arrive at the same
     * time. Takes the lock.
     */
    long byArrivalUs() {
        lock.lock();
        try {
            return clock(PublishSource.PRIMARY).delayUs() - clock(PublishSource.BACKUP).delayUs();
        } finally {
            lock.unlock();
        }
    }

    private SourceClock clock(PublishSource source) {
        return Objects.requireNonNull(clocks.get(source));
    }

    void close() {
        alignment.close();
    }
}
