package touchline.media.hub;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a publisher may take over the programme of a session with two. Each publisher asks
 * with every unit it sends, so a switch needs no timer, and only a publisher that sends is switched
 * to. Guarded by its session.
 */
final class FailoverRules {
    /**
     * A publisher that is back waits longer than {@code failback_after} for the comparison of the
     * audio, but no longer than this.
     */
    private static final Duration MAX_ALIGNING = Duration.ofSeconds(20);

    /** Media of one source. */
    private static final class Sending {
        private long newestNs;

        /** Since when there was no pause, while {@link #runs}. */
        private long steadyNs;

        /** The publisher has sent since it connected. */
        private boolean runs;
    }

    private final LongSupplier nanoTime;
    private final Map<PublishSource, Sending> sending = new EnumMap<>(PublishSource.class);
    private FailoverSettings settings;

    /** By hand; null: automatic, the primary is preferred. */
    private @Nullable PublishSource chosen;

    /** The choice by hand has not been carried out. */
    private boolean requested;

    FailoverRules(FailoverSettings settings, LongSupplier nanoTime) {
        this.settings = settings;
        this.nanoTime = nanoTime;
    }

    void settings(FailoverSettings next) {
        settings = next;
    }

    /** A unit has arrived. */
    void media(PublishSource source) {
        long nowNs = nanoTime.getAsLong();
        Sending of = sending.computeIfAbsent(source, _ -> new Sending());
        if (!of.runs || nowNs - of.newestNs >= settings.failoverAfter().toNanos()) {
            of.runs = true;
            of.steadyNs = nowNs;
        }
        of.newestNs = nowNs;
    }

    /** The publisher has disconnected, or another one has connected: being steady starts again. */
    void restart(PublishSource source) {
        Sending of = sending.get(source);
        if (of != null) {
            of.runs = false;
        }
    }

    /** By hand: from now on this source is preferred, and shown as soon as it can be. */
    void choose(PublishSource source) {
        chosen = source;
        requested = true;
    }

    /** The rules apply again. */
    void automatic() {
        chosen = null;
        requested = false;
    }

    /** What was chosen by hand; empty: automatic. */
    Optional<PublishSource> chosen() {
        return Optional.ofNullable(chosen);
    }

    /** Whether media has come within {@code failover_after}. */
    boolean sends(PublishSource source) {
        Sending of = sending.get(source);
        return of != null
                && nanoTime.getAsLong() - of.newestNs < settings.failoverAfter().toNanos();
    }

    /**
     * Whether a publisher that sends takes over from the other source.
     *
     * @param shown the source of the programme, not {@code by}
     * @param aligned the lag of both is known by their audio
     */
    Optional<SourceChange.Reason> takesOver(
            PublishSource by, PublishSource shown, boolean aligned) {
        if (!sends(shown)) {
            return Optional.of(SourceChange.Reason.ENCODER_LOST);
        }
        if (requested && chosen == by) {
            return Optional.of(SourceChange.Reason.OPERATOR);
        }
        PublishSource preferred = chosen == null ? PublishSource.PRIMARY : chosen;
        Duration after = settings.failbackAfter();
        if (preferred != by || after.isZero()) {
            return Optional.empty();
        }
        long steadyNs = steadyNs(by);
        boolean comparing = !aligned && steadyNs < MAX_ALIGNING.toNanos();
        return steadyNs >= after.toNanos() && !comparing
                ? Optional.of(SourceChange.Reason.FAILBACK)
                : Optional.empty();
    }

    private long steadyNs(PublishSource source) {
        Sending of = sending.get(source);
        return of == null || !of.runs ? 0 : nanoTime.getAsLong() - of.steadyNs;
    }

    /** The programme is that of this source from now on. */
    void shown(PublishSource source) {
        if (chosen == source) {
            requested = false;
        }
    }
}
