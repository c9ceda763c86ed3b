package touchline.media.signal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.decoding.GopDecoders;

/**
 * The watch of one session. {@link SignalWatch} calls {@link #work} now and then, on platform
 * threads. Any thread.
 */
public final class SessionSignal implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SessionSignal.class);

    private static final long SAMPLE_NS = 1_000_000_000L;

    private final String owner;
    private final Dependencies dependencies;
    private final SignalListener listener;
    private final WatchedMedia media;
    private final ActiveFaults active;
    private final SignalHistory history = new SignalHistory();
    private final ReentrantLock lock = new ReentrantLock();

    // Set by close, read by the threads that work.
    private volatile boolean closed;

    @GuardedBy("lock")
    private final AudioWatch audio;

    @GuardedBy("lock")
    private final VideoWatch video;

    @GuardedBy("lock")
    private long nextSampleNs;

    @GuardedBy("lock")
    private long dropped;

    @GuardedBy("lock")
    private boolean onStandby;

    @GuardedBy("lock")
    private boolean failed;

    /**
     * Shared by all watches.
     *
     * @param decoders of key frames
     * @param nanoTime monotonic clock
     */
    record Dependencies(
            GopDecoders decoders,
            SignalCounters counters,
            InstantSource clock,
            LongSupplier nanoTime) {}

    /**
     * @param owner of the media: decoders of different owners are kept apart where possible
     * @param media closed with this
     */
    SessionSignal(
            String owner, WatchedMedia media, SignalListener listener, Dependencies dependencies) {
        this.owner = owner;
        this.dependencies = dependencies;
        this.listener = listener;
        this.media = media;
        this.active = new ActiveFaults(listener, dependencies.counters(), dependencies.clock());
        this.audio = new AudioWatch(active, dependencies.counters());
        this.video =
                new VideoWatch(
                        track -> dependencies.decoders().open(track, owner),
                        active,
                        dependencies.counters(),
                        listener);
        this.nextSampleNs = dependencies.nanoTime().getAsLong() + SAMPLE_NS;
        dependencies.counters().opened();
    }

    /** The samples so far. */
    public SignalHistory history() {
        return history;
    }

    /** Measures what has arrived. Returns at once while another thread does. */
    void work() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!closed) {
                measure(dependencies.nanoTime().getAsLong());
                failed = false;
            }
        } catch (RuntimeException | Error e) {
            dependencies.counters().error();
            if (!failed) {
                log.error("session={} its signal is not measured", owner, e);
            }
            failed = true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void measure(long nowNs) {
        boolean standby = media.onStandby().getAsBoolean();
        if (standby != onStandby) {
            onStandby = standby;
            audio.pause(standby);
            video.pause(standby);
        }
        VideoWatch seen = video;
        media.video().poll(item -> seen.accept(item, nowNs));
        AudioWatch heard = audio;
        media.audio().poll(item -> heard.accept(item, nowNs));
        audio.fillUp(nowNs, video.newestNs());
        long lost = media.droppedUnits();
        dependencies.counters().dropped(lost - dropped);
        dropped = lost;
        if (nowNs - nextSampleNs < 0) {
            return;
        }
        nextSampleNs = Math.max(nextSampleNs + SAMPLE_NS, nowNs + SAMPLE_NS / 2);
        if (audio.isReceiving() || video.isReceiving()) {
            sample(nowNs);
        }
    }

    @GuardedBy("lock")
    private void sample(long nowNs) {
        SignalSample sample =
                new SignalSample(
                        dependencies.clock().instant(),
                        audio.takeLevels(),
                        audio.loudness(),
                        audio.silentS(),
                        video.blackS(nowNs),
                        video.frozenS(nowNs));
        history.add(sample);
        listener.sampled(sample);
    }

    /** Ends all faults at once. What is being measured is released by {@link #release}. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        media.close();
        active.close();
        dependencies.counters().closed();
    }

    /** Frees the decoder, when no other thread uses it. */
    void release() {
        lock.lock();
        try {
            audio.close();
        } finally {
            lock.unlock();
        }
    }
}
