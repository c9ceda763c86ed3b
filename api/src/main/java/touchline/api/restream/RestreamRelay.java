package touchline.api.restream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import touchline.ingest.rtmp.RtmpPushException;
import touchline.ingest.rtmp.RtmpSender;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.hub.Feed;
import touchline.media.hub.Subscription;

/**
 * Reads the media of a session and sends it over one connection. A target that is more than {@link
 * #MAX_LAG_NS} late continues with the newest key frame; what waits longer is not sent. One thread;
 * {@link #close} any.
 */
final class RestreamRelay implements AutoCloseable {
    /** Media that may wait, besides what is being sent: some seconds of 10 Mbit/s. */
    static final long QUEUE_BYTES = 8L << 20;

    static final long MAX_LAG_NS = TimeUnit.SECONDS.toNanos(5);

    private final Supplier<Feed> source;
    private final LongSupplier nanoTime;
    private final RestreamCounters counters;
    private final Progress progress;

    /** Items that were read and not sent yet. */
    private final List<FeedItem> batch = new ArrayList<>();

    private Feed feed;
    private boolean hasVideo;
    private boolean awaitsKeyFrame;
    private boolean isBehind;
    private boolean everRead;
    private long readNs;
    private long waitedNs;
    private long newestUs;
    private long sentUs = Long.MIN_VALUE;
    private long notBeforeUs = Long.MIN_VALUE;
    private long droppedBefore;

    // Replaced by the reading thread.
    private volatile Subscription media;
    private volatile boolean closed;

    /** Receives the progress; the reading thread calls it. */
    interface Progress {
        /** The target takes media. */
        void live();

        /** Everything read is sent, or dropped. */
        void sent();

        /** Units were not sent because the target is too slow. */
        void dropped(long units);
    }

    /**
     * @param source where the media is now; asked often
     */
    RestreamRelay(
            Supplier<Feed> source,
            LongSupplier nanoTime,
            RestreamCounters counters,
            Progress progress) {
        this.source = source;
        this.nanoTime = nanoTime;
        this.counters = counters;
        this.progress = progress;
        this.feed = source.get();
        this.media = feed.subscribe("restream", QUEUE_BYTES);
    }

    /** Waits until there is media to send; false if the session has ended. */
    boolean awaitMedia() throws InterruptedException {
        while (batch.stream().noneMatch(AccessUnit.class::isInstance)) {
            if (!read()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Sends until the session ends, or this is closed.
     *
     * @throws RtmpPushException the connection has ended, or the target does not take a codec
     */
    void run(RtmpSender push) throws InterruptedException, RtmpPushException {
        push.onEnd(() -> media.close());
        do {
            send(push);
            push.check();
            progress.sent();
        } while (read());
        push.check();
    }

    /** Reads what there is; false if the session has ended. Media of another source is dropped. */
    private boolean read() throws InterruptedException {
        boolean more = media.drain(batch::add);
        if (closed) {
            return false;
        }
        countDrops(media.droppedUnits() - droppedBefore);
        droppedBefore = media.droppedUnits();
        readAt(nanoTime.getAsLong());
        Feed now = source.get();
        if (now == feed) {
            return more;
        }
        batch.clear();
        media.close();
        feed = now;
        // Media behind a gate is older: what was sent is not sent again.
        notBeforeUs = sentUs;
        droppedBefore = 0;
        media = feed.subscribe("restream", QUEUE_BYTES);
        return !closed;
    }

    private void send(RtmpSender push) throws InterruptedException, RtmpPushException {
        int next = isBehind ? newestStart(0) : 0;
        while (next < batch.size()) {
            int start = isLate(batch.get(next)) ? newestStart(next) : next;
            if (start < batch.size()) {
                send(push, batch.get(start));
            }
            next = start + 1;
        }
        batch.clear();
        push.flush();
    }

    /** Notes how long the oldest unit may have waited: since the read before. */
    private void readAt(long now) {
        waitedNs = everRead ? now - readNs : 0;
        everRead = true;
        readNs = now;
        newestUs = Long.MIN_VALUE;
        for (FeedItem item : batch) {
            if (item instanceof AccessUnit unit) {
                newestUs = Math.max(newestUs, unit.dtsUs());
            }
        }
    }

    /**
     * Whether a unit arrived too long ago. Units behind it arrived later by their media time, or
     * faster, so it came at most that long before the newest.
     */
    private boolean isLate(FeedItem item) {
        if (!(item instanceof AccessUnit unit)) {
            return false;
        }
        long beforeNewestNs = TimeUnit.MICROSECONDS.toNanos(newestUs - unit.dtsUs());
        long ageNs = nanoTime.getAsLong() - readNs + Math.min(waitedNs, beforeNewestNs);
        return ageNs > MAX_LAG_NS;
    }

    private void send(RtmpSender push, FeedItem item)
            throws InterruptedException, RtmpPushException {
        switch (item) {
            case Timeline timeline -> {
                hasVideo = timeline.video().isPresent();
                awaitsKeyFrame = hasVideo;
                push.begin(timeline);
                progress.live();
            }
            case Interruption _ -> push.flush();
            case AccessUnit unit -> {
                boolean canStart = unit.isKeyFrame() && unit.dtsUs() > notBeforeUs;
                if (!awaitsKeyFrame || canStart) {
                    awaitsKeyFrame = false;
                    isBehind = false;
                    notBeforeUs = Long.MIN_VALUE;
                    sentUs = Math.max(sentUs, unit.dtsUs());
                    push.write(unit);
                }
            }
        }
    }

    /**
     * Where a late target continues: with the newest timeline or key frame from here on, or behind
     * everything. Units before it are dropped.
     */
    private int newestStart(int from) {
        int start = batch.size();
        for (int i = from; i < batch.size(); i++) {
            boolean canStart =
                    switch (batch.get(i)) {
                        case Timeline _ -> true;
                        case AccessUnit unit -> unit.isKeyFrame();
                        case Interruption _ -> false;
                    };
            start = canStart ? i : start;
        }
        countDrops(
                batch.subList(from, start).stream().filter(AccessUnit.class::isInstance).count());
        isBehind = true;
        awaitsKeyFrame = hasVideo;
        return start;
    }

    private void countDrops(long units) {
        if (units > 0) {
            counters.dropped(units);
            progress.dropped(units);
        }
    }

    /** Ends {@link #awaitMedia} and {@link #run}. */
    @Override
    public void close() {
        closed = true;
        media.close();
    }
}
