package touchline.media.hub;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.StreamId;

/**
 * The writers of one session: its publications, at most one for each {@link PublishSource}, and its
 * {@link Standby}. At most one of them is selected, and only its items reach {@link
 * LiveStream#source}. {@link #claim} and {@link #write} take the session's lock; the other methods
 * need it, except {@link #flows}.
 *
 * <p>Every switch is carried out by the writer that comes in, on its own thread. A publication asks
 * with {@link #claim} when it has a key frame (audio alone: any unit) and is not selected. Where
 * the answer is true, it begins a new {@link touchline.media.Timeline} at {@link
 * IngestMonitor#nextStartUs}, so media time continues behind a discontinuity. The standby writes on
 * the hub's timer and needs no key frame: its media begins with one.
 *
 * <p>With the first backup publication comes the {@link Failover}. From then on a publication that
 * is not selected keeps its newest media, and claims only where the failover admits it. The session
 * is interrupted only when the last publication is gone.
 */
final class SourceSelection {
    /** What a session and its writers share. */
    record Dependencies(
            ReentrantLock lock,
            IngestMonitor monitor,
            OrderedEvents events,
            LiveStreams.Dependencies hub) {}

    private final LiveStream live;
    private final Standby standby;
    private final Dependencies shared;
    private final ReentrantLock lock;
    private final LongSupplier nanoTime;
    private final Map<PublishSource, Publication> admitted = new EnumMap<>(PublishSource.class);
    private @Nullable Publication selected;
    private @Nullable Failover failover;

    /** No publication may write: an operator, or moderation, has cut to standby. */
    private boolean closed;

    // Written under the session's lock, and by a publisher that is paused; read by any thread.
    private volatile long flowedNs;

    SourceSelection(LiveStream live, Dependencies shared) {
        this.live = live;
        this.shared = shared;
        this.lock = shared.lock();
        this.nanoTime = shared.hub().nanoTime();
        this.standby = new Standby(live, this, shared);
        this.flowedNs = nanoTime.getAsLong();
    }

    /**
     * The publication that a newcomer of this source replaces; empty if there is none.
     *
     * @throws StreamBusyException while it sends
     */
    Optional<Publication> replacedBy(PublishSource source, StreamId stream) {
        Publication before = admitted.get(source);
        if (before != null && !before.isSilentFor(Publication.SILENCE)) {
            throw new StreamBusyException(stream);
        }
        return Optional.ofNullable(before);
    }

    /** What a further publication shares with this. */
    Dependencies shared() {
        return shared;
    }

    /** Adds a publication. It is not selected before it claims. */
    void admit(Publication next, FailoverSettings settings) {
        boolean isBackup = next.source() == PublishSource.BACKUP;
        Failover both = failover;
        if (both == null && isBackup) {
            both = new Failover(live, this, shared, settings);
            selected().ifPresent(both::alreadyShown);
            failover = both;
        }
        if (both != null) {
            if (isBackup) {
                both.follow(settings);
            }
            both.admitted(next);
            for (Publication each : all()) {
                each.failsOver(both);
                both.tracks(each);
            }
            next.failsOver(both);
        }
        admitted.put(next.source(), next);
    }

    /** Between primary and backup; empty for a session that never had a backup. */
    Optional<Failover> failover() {
        return Optional.ofNullable(failover);
    }

    /** Removes a publication. If it was selected, nothing is. */
    void remove(Publication gone) {
        if (selected == gone) {
            stopSelected();
        }
        if (admitted.remove(gone.source(), gone) && failover != null) {
            failover.gone(gone);
        }
    }

    Optional<Publication> of(PublishSource source) {
        return Optional.ofNullable(admitted.get(source));
    }

    Standby standby() {
        return standby;
    }

    List<Publication> all() {
        return new ArrayList<>(admitted.values());
    }

    boolean isEmpty() {
        return admitted.isEmpty();
    }

    boolean contains(Publication publication) {
        return admitted.get(publication.source()) == publication;
    }

    /** The source whose media flows; empty while the standby writes, and before the first media. */
    Optional<PublishSource> selected() {
        return Optional.ofNullable(selected).map(Publication::source);
    }

    /**
     * A publication has a unit that can begin a timeline, and asks to write from there on. The
     * session's first starts it, and the first after an interruption continues it: the listener
     * returns before the unit flows. Called by the publication's thread.
     *
     * @return true if it is selected now
     */
    @SuppressWarnings("GuardedBy") // one lock
    boolean claim(Publication by) {
        boolean starts;
        lock.lock();
        try {
            starts = contains(by) && live.startedBy(by);
        } finally {
            lock.unlock();
        }
        if (starts) {
            shared.events().deliverAndWait();
        }
        lock.lock();
        try {
            return select(by);
        } finally {
            lock.unlock();
            shared.events().deliver();
        }
    }

    private boolean select(Publication by) {
        if (closed || !contains(by)) {
            return false;
        }
        if (selected == null && (failover == null || failover.admits(by))) {
            selected = by;
            by.select(true);
            if (failover != null) {
                failover.entered(by);
            }
            flows();
            standby.publicationWrites();
        }
        return selected == by;
    }

    /**
     * Media of a publication; dropped unless that publication is selected.
     *
     * @param runsUp a unit that is decoded and not shown, which says nothing about the publisher
     * @param offsetUs media time less the publisher's time
     */
    void write(Publication from, FeedItem item, boolean runsUp, long offsetUs) {
        lock.lock();
        try {
            if (selected != from) {
                return;
            }
            Failover both = failover;
            if (both == null) {
                pass(from, item, runsUp);
            } else {
                both.write(
                        new CompleteFrames.Written(item, runsUp, from.source(), offsetUs),
                        each -> pass(from, each.item(), each.runsUp()));
            }
        } finally {
            lock.unlock();
            shared.events().deliver();
        }
    }

    @SuppressWarnings("GuardedBy") // one lock
    private void pass(Publication from, FeedItem item, boolean runsUp) {
        IngestMonitor monitor = shared.monitor();
        boolean unmeasured = runsUp && item instanceof AccessUnit;
        if (unmeasured ? monitor.observeUnmeasured(item) : monitor.observe(item)) {
            flows();
            live.source().offer(item);
        } else {
            live.cut(from, EndReason.TIMESTAMP_JUMPS);
        }
    }

    /** Selects nothing: the standby begins to write, or the session is interrupted. */
    void deselect() {
        stopSelected();
        if (failover != null) {
            failover.interrupted();
        }
    }

    /** Selects nothing. What was written may be continued. */
    void stopSelected() {
        if (selected != null) {
            selected.select(false);
            selected = null;
        }
    }

    /** The session has ended. */
    void end() {
        standby.close();
        if (failover != null) {
            failover.close();
        }
    }

    /** No claim succeeds until {@link #reopen}. */
    void close() {
        closed = true;
        stopSelected();
    }

    boolean isClosed() {
        return closed;
    }

    void reopen() {
        closed = false;
    }

    /** Media of the selected publication flows, or its publisher is paused. Any thread. */
    void flows() {
        flowedNs = nanoTime.getAsLong();
    }

    /** Clock when media of a publication flowed last. */
    long flowedNs() {
        return flowedNs;
    }

    /** Time since then. */
    long stoppedNs() {
        return nanoTime.getAsLong() - flowedNs;
    }

    /** What the publication that sent last has left of the time for its first media. */
    long firstMediaLeftNs() {
        return LifeCycle.FIRST_MEDIA.toNanos() - silentNs().orElse(Long.MAX_VALUE);
    }

    /** Whether a publication is not silent. */
    boolean isSending() {
        return admitted.values().stream().anyMatch(each -> !each.isSilentFor(Publication.SILENCE));
    }

    /** Of the publication that sent last, time since its last unit; empty without a publication. */
    private OptionalLong silentNs() {
        return admitted.values().stream().mapToLong(Publication::silentNs).min();
    }
}
