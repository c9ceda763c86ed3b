package touchline.api.signal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.StreamId;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.media.signal.SignalFault;
import touchline.media.signal.SignalHistory;
import touchline.media.signal.SignalListener;
import touchline.media.signal.SignalSample;
import touchline.media.signal.SignalWatch;
import touchline.media.signal.WatchedMedia;

/** One session, watched as long as its stream asks for it. Any thread. */
final class FollowedSession implements SignalListener, AutoCloseable {
    private final LiveStream live;
    private final SignalWatches.Dependencies dependencies;
    private final SignalFeed feed;
    private final Map<SignalFault, IngestReport.Warning> begun = new ConcurrentHashMap<>();
    private final AtomicLong calls = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();

    // Written under the lock, read by any.
    private volatile SignalWatch.@Nullable Watched watched;

    /** From the first media on, until the setting is known. */
    @GuardedBy("lock")
    private @Nullable WatchedMedia early;

    @GuardedBy("lock")
    private boolean closed;

    /** Created before the first media of the session; does not block. */
    FollowedSession(LiveStream live, SignalWatches.Dependencies dependencies, SignalFeed feed) {
        this.live = live;
        this.early = WatchedMedia.of(live);
        this.dependencies = dependencies;
        this.feed = feed;
    }

    StreamId stream() {
        return live.stream();
    }

    Optional<SignalHistory> history() {
        return Optional.ofNullable(watched).map(SignalWatch.Watched::history);
    }

    /** Applies the stored setting. Blocks, without a lock: the last of several calls applies it. */
    void follow() {
        long call = calls.incrementAndGet();
        boolean wanted =
                dependencies
                        .streams()
                        .find(live.stream())
                        .filter(stream -> stream.settings().signalWatch())
                        .isPresent();
        lock.lock();
        try {
            if (call != calls.get() || closed) {
                return;
            }
            if (!wanted) {
                stop();
            } else if (watched == null) {
                WatchedMedia waiting = early;
                early = null;
                watched =
                        dependencies
                                .watch()
                                .watch(
                                        live.session().value(),
                                        waiting == null ? WatchedMedia.of(live) : waiting,
                                        this);
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void stop() {
        WatchedMedia waiting = early;
        early = null;
        if (waiting != null) {
            waiting.close();
        }
        SignalWatch.Watched running = watched;
        if (running != null) {
            watched = null;
            running.close();
        }
    }

    @Override
    public void sampled(SignalSample sample) {
        feed.sampled(new SignalFeed.Taken(live.stream(), live.session(), sample));
    }

    @Override
    public void began(SignalFault fault, Instant at) {
        report(fault, new IngestReport.Warning(fault.code(), fault.message(), at));
    }

    private void report(SignalFault fault, IngestReport.Warning occurrence) {
        if (occurrence.endedAt().isEmpty()) {
            begun.put(fault, occurrence);
        }
        live.fault(occurrence);
        dependencies.journal().fault(live, occurrence);
    }

    @Override
    public void ended(SignalFault fault, Instant at) {
        IngestReport.Warning occurrence = begun.remove(fault);
        if (occurrence != null) {
            report(fault, occurrence.ended(at));
        }
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        live.refused(cause);
    }

    /** Ends faults and watch; returns at once. Idempotent. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            stop();
        } finally {
            lock.unlock();
        }
    }
}
