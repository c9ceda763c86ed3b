package touchline.media.hub;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;

/**
 * Switches the programme of a session between its primary and its backup publication. Exists from
 * the first backup publication on, until the session ends: other sessions have no part of this.
 *
 * <p>One publication is selected; the other one keeps its newest media ({@link HeldMedia}) and asks
 * with every unit whether it takes over ({@link FailoverRules}). If so, the selected one stops at
 * once. The other one continues the programme as soon as its content has reached the programme's
 * end, with the {@link Splice} of what it holds. Which of its content that is follows from the
 * compared audio ({@link SourceAlignment}), or from the times of arrival.
 *
 * <p>Guarded by the session's lock; the methods say which ones take it.
 */
public final class Failover {
    private static final Logger log = LoggerFactory.getLogger(Failover.class);

    /**
     * A switch that was decided.
     *
     * @param reason empty: the publication continues its own programme, or an interrupted one
     */
    private record Pending(
            Publication by, Optional<SourceChange.Reason> reason, SpliceMaker splices) {}

    private final LiveStream live;
    private final SourceSelection sources;
    private final SourceSelection.Dependencies shared;
    private final ReentrantLock lock;
    private final LongSupplier nanoTime;
    private final FailoverRules rules;
    private final SourceClocks clocks;
    private final BackupWarnings warnings;
    private final ProgramEnd end = new ProgramEnd();
    private final CompleteFrames complete = new CompleteFrames();

    /** The source of the programme, also after it has gone. */
    private @Nullable PublishSource shown;

    /** Nothing has followed what {@link #shown} wrote last. */
    private boolean continuable;

    private @Nullable Pending pending;

    /** The publication that may select itself, until it has written what it holds. */
    private @Nullable Publication entering;

    private @Nullable SourceChange change;

    private List<AccessUnit> bridge = List.of();

    /** Clock when the programme got its last item of a publication. */
    private long writtenNs;

    Failover(
            LiveStream live,
            SourceSelection sources,
            SourceSelection.Dependencies shared,
            FailoverSettings settings) {
        this.live = live;
        this.sources = sources;
        this.shared = shared;
        this.lock = shared.lock();
        this.nanoTime = shared.hub().nanoTime();
        this.rules = new FailoverRules(settings, nanoTime);
        this.warnings = new BackupWarnings(shared.monitor());
        this.clocks = new SourceClocks(live.session(), lock, shared.hub().failover().alignment());
    }

    /** A publication was admitted. Called under the lock. */
    void admitted(Publication next) {
        PublishSource source = next.source();
        rules.restart(source);
        clocks.restart(source, end);
        warnings.restart(source);
    }

    /** A publication has gone. Called under the lock. */
    void gone(Publication left) {
        rules.restart(left.source());
        if (pending != null && pending.by() == left) {
            pending = null;
        }
        if (entering == left) {
            entering = null;
        }
    }

    /** What a publication sends. Called under the lock. */
    void tracks(Publication by) {
        if (!by.tracks().isEmpty()) {
            warnings.tracks(by.source(), by.tracks());
        }
    }

    /** The media of a publication that wrote before this existed. Called under the lock. */
    void alreadyShown(PublishSource source) {
        shown = source;
        continuable = true;
        rules.media(source);
    }

    /** When the programme switches; takes effect at once. Takes the lock. */
    public void follow(FailoverSettings next) {
        lock.lock();
        try {
            rules.settings(next);
        } finally {
            lock.unlock();
        }
    }

    /** Something else than a publication has written, or nothing does. Called under the lock. */
    void interrupted() {
        complete.flush(this::pass);
        continuable = false;
        clocks.forget();
        pending = null;
        entering = null;
        end.clear();
    }

    /** The session has ended. Called under the lock. */
    void close() {
        complete.flush(this::pass);
        clocks.close();
    }

    private void pass(CompleteFrames.Written next) {
        pass(next.item());
    }

    private void pass(FeedItem item) {
        shared.monitor().observeStandby(item);
        live.source().offer(item);
    }

    /** The tracks of a publisher. Takes the lock. */
    void begin(Publication by, List<Track> next) {
        lock.lock();
        try {
            if (sources.contains(by)) {
                warnings.tracks(by.source(), next);
            }
        } finally {
            lock.unlock();
            shared.events().deliver();
        }
    }

    /** A unit with the publisher's timestamps has arrived. Takes the lock. */
    void arrived(Publication by, AccessUnit unit) {
        lock.lock();
        try {
            if (!sources.contains(by)) {
                return;
            }
            clocks.arrived(by.source(), unit, nanoTime.getAsLong());
            rules.media(by.source());
            warnings.drift(clocks.newest());
        } finally {
            lock.unlock();
            shared.events().deliver();
        }
        if (!unit.track().isVideo()) {
            clocks.compare(by.source(), unit);
        }
    }

    /** An item of the programme, by the selected publication. Called under the lock. */
    void write(CompleteFrames.Written next, CompleteFrames.Output out) {
        writtenNs = nanoTime.getAsLong();
        complete.add(
                next,
                end.frameUs(),
                each -> {
                    switch (each.item()) {
                        case AccessUnit unit -> end.add(unit, each.source(), each.offsetUs());
                        case Timeline timeline -> end.begin(timeline);
                        case Interruption _ -> {}
                    }
                    out.accept(each);
                });
    }

    /**
     * A publication that is not selected has added a unit to what it holds. Takes the lock.
     *
     * @return how it continues the programme, if it takes over now: then it writes at once, and
     *     calls {@link #wrote}. Until then the other one decides nothing
     */
    Optional<Splice> takeOver(Publication by, HeldMedia held) {
        lock.lock();
        try {
            if (sources.isClosed() || !sources.contains(by) || held.isEmpty()) {
                return Optional.empty();
            }
            // No standby while either sends.
            sources.flows();
            Pending decided = decide(by);
            return decided == null || decided.by() != by ? Optional.empty() : splice(decided, held);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Pending decide(Publication by) {
        if (entering != null && entering != by) {
            return null;
        }
        PublishSource source = by.source();
        Pending now = pending;
        if (now != null && now.by() != by && !rules.sends(now.by().source())) {
            // It has stopped before it could continue the programme.
            now = null;
        }
        if (now == null) {
            now = decideAnew(by, source);
            if (now != null) {
                sources.stopSelected();
            }
            pending = now;
        }
        return now;
    }

    private @Nullable Pending decideAnew(Publication by, PublishSource source) {
        PublishSource before = shown;
        if (before == null || before == source) {
            return pending(by, Optional.empty());
        }
        boolean aligned = clocks.lag().isPresent();
        Optional<SourceChange.Reason> reason = rules.takesOver(source, before, aligned);
        return reason.isEmpty() ? null : pending(by, reason);
    }

    private Pending pending(Publication by, Optional<SourceChange.Reason> reason) {
        BoundaryEncoder encoder = shared.hub().failover().boundary();
        return new Pending(by, reason, new SpliceMaker(encoder, nanoTime));
    }

    private Optional<Splice> splice(Pending decided, HeldMedia held) {
        PublishSource source = decided.by().source();
        Optional<SourceClocks.Placement> placement =
                continuable ? clocks.placement(source, end) : Optional.empty();
        SpliceMaker splices = decided.splices();
        Optional<Splice> made =
                placement.isEmpty()
                        ? Splice.anyhow(held)
                        : splices.make(held, end, placement.get().offsetUs());
        boolean continues = placement.isPresent() && !splices.isLate();
        made.ifPresent(
                splice -> {
                    pending = null;
                    entering = decided.by();
                    bridge = splice.bridge();
                    boolean aligned =
                            continues
                                    && placement
                                            .filter(SourceClocks.Placement::aligned)
                                            .isPresent();
                    long gapMs =
                            continues
                                    ? Math.round(splice.gapUs() / 1e3)
                                    : TimeUnit.NANOSECONDS.toMillis(
                                            nanoTime.getAsLong() - writtenNs);
                    change =
                            decided.reason()
                                    .map(
                                            reason ->
                                                    new SourceChange(
                                                            source.other(),
                                                            source,
                                                            reason,
                                                            gapMs,
                                                            aligned))
                                    .orElse(null);
                });
        return made;
    }

    /** A publication has written what it held. Takes the lock. */
    void wrote(Publication by) {
        lock.lock();
        try {
            entering = entering == by ? null : entering;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a publication may select itself. Called under the lock. */
    boolean admits(Publication by) {
        return entering == by;
    }

    /** The publication has selected itself. Called under the lock. */
    void entered(Publication by) {
        complete.clear();
        bridge.forEach(this::pass);
        bridge = List.of();
        clocks.forget();
        shown = by.source();
        continuable = true;
        rules.shown(by.source());
        shared.monitor().switched();
        SourceChange made = change;
        change = null;
        if (made != null) {
            log.info(
                    "stream={} session={} source {} -> {} ({}, {} ms, {})",
                    live.stream(),
                    live.session(),
                    made.from().wireName(),
                    made.to().wireName(),
                    made.reason().wireName(),
                    made.gapMs(),
                    made.aligned() ? "aligned" : "by arrival");
            LiveStreams.Listener listener = shared.hub().listener();
            shared.events().add(() -> listener.sourceChanged(live, made));
        }
    }

    /**
     * By hand. Takes the lock.
     *
     * @param source empty: by the rules
     * @return false if that publisher sends nothing now
     */
    public boolean choose(Optional<PublishSource> source) {
        lock.lock();
        try {
            if (source.isEmpty()) {
                rules.automatic();
                return true;
            }
            if (sources.of(source.get()).isEmpty() || !rules.sends(source.get())) {
                return false;
            }
            rules.choose(source.get());
            if (source.get() == shown) {
                rules.shown(shown);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the lock. */
    public SourceStatus status() {
        lock.lock();
        try {
            Optional<SourceAlignment.Lag> newest = clocks.newest();
            Optional<SourceAlignment.Lag> lag = clocks.lag();
            boolean both =
                    sources.of(PublishSource.PRIMARY).isPresent()
                            && sources.of(PublishSource.BACKUP).isPresent();
            OptionalLong offsetMs =
                    both && lag.isPresent()
                            ? OptionalLong.of(
                                    Math.round((lag.get().us() - clocks.byArrivalUs()) / 1_000.0))
                            : OptionalLong.empty();
            return new SourceStatus(
                    shown == null ? PublishSource.PRIMARY : shown,
                    rules.chosen(),
                    Optional.of(
                            new SourceStatus.Backup(
                                    sources.of(PublishSource.BACKUP).isPresent(),
                                    isSending(PublishSource.BACKUP),
                                    isSending(PublishSource.PRIMARY),
                                    offsetMs,
                                    both
                                            ? newest.map(SourceAlignment.Lag::confidence)
                                                    .orElse(0.0)
                                            : 0)));
        } finally {
            lock.unlock();
        }
    }

    private boolean isSending(PublishSource source) {
        return sources.of(source).isPresent() && rules.sends(source);
    }
}
