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
 * dropped and counted, up to the next key frame that fits (any unit of an audio-only stream).
 * Timelines and interruptions are always queued; if all units between them were dropped, only the
 * newest remain. Written by the feed, read by one thread.
 */
public final class Subscription implements FeedReader {
    /** Memory of a unit in addition to its payload. */
    private static final int UNIT_BYTES = 128;

    private final String name;
    private final long maxBytes;
    private final UnitChoice choice;
    private final Consumer<Subscription> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();

    /**
     * Fill level of the queue that the reader writes to. Set by the reader, read by the publisher.
     */
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

    Subscription(String name, long maxBytes, UnitChoice choice, Consumer<Subscription> onClose) {
        this.name = name;
        this.maxBytes = maxBytes;
        this.choice = choice;
        this.onClose = onClose;
    }

    public String name() {
        return name;
    }

    /**
     * Waits for at least one item, then passes all queued items to the reader, in order.
     *
     * @return false once the feed has ended and the queue is empty, or this subscription was closed
     */
    @Override
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
            batch = takeAll();
        } finally {
            lock.unlock();
        }
        batch.forEach(reader);
        return true;
    }

    /** Passes all queued items to the reader, in order, without waiting for any. */
    public void poll(Consumer<? super FeedItem> reader) {
        List<FeedItem> batch;
        lock.lock();
        try {
            batch = queue.isEmpty() ? List.of() : takeAll();
        } finally {
            lock.unlock();
        }
        batch.forEach(reader);
    }

    @GuardedBy("lock")
    private List<FeedItem> takeAll() {
        List<FeedItem> all = queue;
        queue = new ArrayList<>(all.size());
        queuedBytes = 0;
        return all;
    }

    @Override
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

    @Override
    public void handsOnTo(DoubleSupplier fullness) {
        behind = fullness;
    }

    /**
     * Fill level here or behind the reader, as far as it slows a publisher: 0 to 1. At 1 media is
     * dropped.
     */
    double fullness() {
        if (choice != UnitChoice.ALL) {
            return 0;
        }
        return Math.max((double) queuedBytes() / maxBytes, behind.getAsDouble());
    }

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
                case AccessUnit unit when !choice.includes(unit) -> {}
                case AccessUnit unit -> offerUnit(unit);
                case Timeline timeline -> {
                    dropEmptyTimeline();
                    hasVideo = choice.hasVideo(timeline);
                    awaitingKeyFrame = false;
                    dropping = false;
                    queuedBytes += configBytes(timeline);
                    queue.add(timeline);
                }
                case Interruption gone -> {
                    dropEmptyTimeline();
                    if (queue.isEmpty() || !(queue.getLast() instanceof Interruption)) {
                        queue.add(gone);
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Skips all units before the next key frame, without counting them. */
    void awaitKeyFrame() {
        lock.lock();
        try {
            awaitingKeyFrame = hasVideo;
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

    /** Bounds the timelines that a stuck reader accumulates. */
    @GuardedBy("lock")
    private void dropEmptyTimeline() {
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
        boolean fits = queuedBytes + bytes <= maxBytes;
        if (dropping && fits && (unit.isKeyFrame() || !hasVideo)) {
            dropping = false;
        }
        if (dropping || !fits) {
            dropping = true;
            droppedUnits++;
            return;
        }
        queuedBytes += bytes;
        queue.add(unit);
    }
}
