package touchline.packager.hls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.hub.FeedReader;
import touchline.media.hub.PublishBarrier;

/**
 * Packages one session: access units in, parts and segments out. Runs on a virtual thread of its
 * own until the feed ends or the thread is interrupted. Then it seals the last segment, ends the
 * window and the sinks, and closes its subscription. After a failure it restarts in the same
 * session: it pauses, drops media up to the next key frame, and continues behind a discontinuity.
 *
 * <p>{@link PartCutter} cuts, {@link MissingFrames} lets segments go on when frames stop.
 */
public final class HlsPackager implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(HlsPackager.class);

    /** Between a failure and the next try. */
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(1);

    private final FeedReader subscription;
    private final LiveWindow window;
    private final PartPublisher publisher;
    private final PartCutter cutter;
    private final MissingFrames units;
    private boolean started;

    /**
     * @param subscription taken over; closed by {@link #run}
     * @param memory holds parts and playlists
     * @param window serves the viewers; its settings name the latency profile
     * @param sinks also get every part, in order
     * @param barrier decides whether a part with video is published
     */
    public HlsPackager(
            FeedReader subscription,
            MediaMemory memory,
            LiveWindow window,
            List<PartSink> sinks,
            PublishBarrier barrier) {
        this(subscription, memory, window, sinks, barrier, SegmentNumbers.ALL);
    }

    /**
     * The same at a node of a cluster.
     *
     * @param numbers decides which numbers are published
     */
    public HlsPackager(
            FeedReader subscription,
            MediaMemory memory,
            LiveWindow window,
            List<PartSink> sinks,
            PublishBarrier barrier,
            SegmentNumbers numbers) {
        this.subscription = subscription;
        this.window = window;
        RepeatedFrames repeats = new RepeatedFrames();
        this.publisher = new PartPublisher(memory, window, sinks, barrier, numbers, repeats);
        this.cutter = new PartCutter(publisher, Segmenter.of(window), window.settings().profile());
        this.units = new MissingFrames(window.session(), cutter, repeats);
        List<PartSink> all = List.copyOf(sinks);
        subscription.handsOnTo(() -> all.stream().mapToDouble(PartSink::fullness).max().orElse(0));
    }

    @Override
    public void run() {
        try (subscription) {
            List<FeedItem> batch = new ArrayList<>();
            while (subscription.drain(batch::add)) {
                for (FeedItem item : batch) {
                    acceptOrRestart(item);
                }
                batch.clear();
            }
            endTimeline();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            log.info("session={} packager interrupted", window.session());
        } catch (RuntimeException e) {
            log.error("session={} packager failed", window.session(), e);
        } finally {
            try {
                cutter.seal();
                reportLosses();
            } finally {
                publisher.end();
            }
        }
    }

    private void reportLosses() {
        long late = cutter.lateUnits();
        long dropped = subscription.droppedUnits();
        if (late > 0 || dropped > 0) {
            log.warn("session={} units late={} dropped={}", window.session(), late, dropped);
        }
    }

    private void acceptOrRestart(FeedItem item) throws InterruptedException {
        try {
            accept(item);
        } catch (RuntimeException e) {
            log.error("session={} packager failed and restarts", window.session(), e);
            Thread.sleep(RESTART_PAUSE);
            restart(item);
        }
    }

    /** Continues with the next key frame, behind a discontinuity. */
    private void restart(FeedItem failed) {
        try {
            cutter.seal();
        } catch (RuntimeException e) {
            log.error("session={} a segment is not complete", window.session(), e);
        }
        cutter.reset();
        switch (failed) {
            case Timeline next -> begin(next);
            case Interruption _ -> clearTimeline();
            case AccessUnit _ -> cutter.dropUntilKeyFrame();
        }
    }

    private void accept(FeedItem item) throws InterruptedException {
        switch (item) {
            case Timeline next -> {
                endTimeline();
                begin(next);
            }
            case Interruption _ -> endTimeline();
            case AccessUnit unit -> units.accept(unit);
        }
    }

    private void begin(Timeline next) {
        started = true;
        units.begin(next);
    }

    private void endTimeline() throws InterruptedException {
        if (started) {
            units.end();
        }
        started = false;
    }

    private void clearTimeline() {
        started = false;
        units.clear();
        cutter.clear();
    }
}
