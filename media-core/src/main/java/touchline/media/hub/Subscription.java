package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;

/**
 * Reading end of a {@link Feed}: a queue bounded in bytes. When it is full, access units are
 * dropped from there up to the next key frame for which there is room (any frame where there is
 * audio only), and counted. Timelines and interruptions always get in; of several between which all
 * units were dropped, the newest remain. Written by the feed, read by one thread.
 */
public final class Subscription implements AutoCloseable {
    /** What a unit costs beside its payload. */
    private static final int UNIT_BYTES = 128;

    private final String name;
    private final long maxBytes;
    private final Consumer<Subscription> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();

    /** What waits behind the reader. Set by the reader's side, asked by the publisher's. */
    private volatile DoubleSupplier behind = () -> 0;

    @GuardedBy("lock")
    private List<FeedItem> queue = new ArrayList<>();

    @GuardedBy("lock")
    private long queuedBytes;

    @GuardedBy("lock")
    private long droppedUnits;

    @GuardedBy("lock")
    private boolean hasVideo;

    @GuardedBy("lock")
    private boolean awaitingKeyFrame;

    @GuardedBy("lock")
    private boolean dropping;

    @GuardedBy("lock")
    private boolean ended;

    Subscription(String name, long maxBytes, Consumer<Subscription> onClose) {
        this.name = name;
        this.maxBytes = maxBytes;
        this.onClose = onClose;
    }

    public String name() {
        return name;
    }

    /**
     * Waits for at least one item, then hands over all that wait, in order.
     *
     * @return false once the feed has ended and everything has been handed over, or this end was
     *     closed
     */
    public boolean drain(Consumer<? super FeedItem> reader) throws InterruptedException {
        List<FeedItem> batch;
        lock.lock();
        try {
            while (queue.isEmpty() && !ended) {
                filled.await();
            }
            if (queue.isEmpty()) {
                return false;
            }
            batch = queue;
            queue = new ArrayList<>(batch.size());
            queuedBytes = 0;
        } finally {
            lock.unlock();
        }
        batch.forEach(reader);
        return true;
    }

    /** Units dropped so far because the reader was too slow. */
    public long droppedUnits() {
        lock.lock();
        try {
            return droppedUnits;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes that wait to be read. */
    public long queuedBytes() {
        lock.lock();
        try {
            return queuedBytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Where the reader hands its work on, and that may wait there.
     *
     * @param fullness 0 to 1; any thread, does not block
     */
    public void handsOnTo(DoubleSupplier fullness) {
        behind = fullness;
    }

    /** How near this end is to dropping media, here or behind its reader: 0 to 1. */
    double fullness() {
        return Math.max((double) queuedBytes() / maxBytes, behind.getAsDouble());
    }

    /** No more items, what waits is forgotten; a waiting reader is released. */
    @Override
    public void close() {
        onClose.accept(this);
        lock.lock();
        try {
            queue.clear();
            queuedBytes = 0;
        } finally {
            lock.unlock();
        }
        end();
    }

    void offer(FeedItem item) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            switch (item) {
                case AccessUnit unit -> offerUnit(unit);
                case Timeline timeline -> {
                    forgetEmptyTimeline();
                    hasVideo = timeline.video().isPresent();
                    awaitingKeyFrame = false;
                    dropping = false;
                    queuedBytes += configBytes(timeline);
                    queue.add(timeline);
                }
                case Interruption gone -> {
                    forgetEmptyTimeline();
                    if (queue.isEmpty() || !(queue.getLast() instanceof Interruption)) {
                        queue.add(gone);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nothing before the next key frame can be decoded; it is passed over without counting. */
    void awaitKeyFrame() {
        lock.lock();
        try {
            awaitingKeyFrame = true;
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            if (!queue.isEmpty()) {
                filled.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            ended = true;
            filled.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Keeps a reader that stands still from gathering timelines without end. */
    @GuardedBy("lock")
    private void forgetEmptyTimeline() {
        if (dropping && !queue.isEmpty() && queue.getLast() instanceof Timeline empty) {
            queue.removeLast();
            queuedBytes -= configBytes(empty);
        }
    }

    private static long configBytes(Timeline timeline) {
        long bytes = UNIT_BYTES;
        for (Track track : timeline.tracks()) {
            bytes +=
                    switch (track.codec()) {
                        case CodecConfig.Avc(var config) -> config.bytes().byteSize();
                        case CodecConfig.Hevc(var config) -> config.bytes().byteSize();
                        case CodecConfig.Av1(var config) -> config.bytes().byteSize();
                        case CodecConfig.Aac(var config) -> config.bytes().byteSize();
                        case CodecConfig.Opus(var config) -> config.bytes().byteSize();
                        case CodecConfig.Mp3 _ -> 0;
                    };
        }
        return bytes;
    }

    @GuardedBy("lock")
    private void offerUnit(AccessUnit unit) {
        if (awaitingKeyFrame) {
            if (!unit.isKeyFrame()) {
                return;
            }
            awaitingKeyFrame = false;
        }
        long bytes = unit.payload().byteSize() + UNIT_BYTES;
        boolean room = queuedBytes + bytes <= maxBytes;
        if (dropping && room && (unit.isKeyFrame() || !hasVideo)) {
            dropping = false;
        }
        if (dropping || !room) {
            dropping = true;
            droppedUnits++;
            return;
        }
        queuedBytes += bytes;
        queue.add(unit);
    }
}
