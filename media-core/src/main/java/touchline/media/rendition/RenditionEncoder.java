package touchline.media.rendition;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.concurrent.LogContext;
import touchline.media.concurrent.ThreadPriority;
import touchline.media.ffmpeg.FrameQueue;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.Feed;
import touchline.media.hub.FeedReader;

/**
 * Encodes one rendition to a feed of its own, on a platform thread of its own. The feed has one
 * timeline for each of the program, with the same sequence, start and wall clock. If its queue is
 * full, the rendition cannot go on without a gap: it fails.
 *
 * <p>The scaling thread calls; {@link #codecs} by any thread.
 */
final class RenditionEncoder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RenditionEncoder.class);

    static final int NICENESS = 5;

    /** Frames that may wait for it. */
    static final int MAX_FRAMES = 16;

    /** Timelines and interruptions besides frames. */
    private static final int MAX_ITEMS = 64;

    /** Units of about ten seconds: the packaging of a rendition is never so late. */
    private static final long FEED_BYTES = 16L << 20;

    private static final Duration CLOSE = Duration.ofSeconds(5);

    private final RenditionCounters counters;
    private final RenditionCounters.ByHeight counted;
    private final FrameQueue<EncodingItem> queue =
            new FrameQueue<>(MAX_FRAMES, MAX_ITEMS, new EncodingItem.End());
    private final Feed feed = new Feed();
    private final Thread thread;

    // Used by the scaling thread only.
    private RenditionFormat format;
    private long nextDueTicks = Long.MIN_VALUE;

    // Used by the encoding thread only.
    private final ArrayDeque<FrameTimes.Times> inside = new ArrayDeque<>();
    private @Nullable VideoEncoder encoder;
    private @Nullable EncodedStream opened;
    private @Nullable Timeline begun;
    private boolean keyFrameNext;
    private long lastPtsTicks = Long.MIN_VALUE;

    // Written by the encoding thread, read by any.
    private volatile @Nullable String codecs;

    // Written by both threads, read by the scaling thread.
    private volatile @Nullable String failure;

    /**
     * @param session for logs and the thread's name
     */
    RenditionEncoder(String session, RenditionFormat format, RenditionCounters counters) {
        this.format = format;
        this.counters = counters;
        this.counted = counters.of(format.shorterSide());
        this.thread =
                Thread.ofPlatform()
                        .name("encode-" + format.name() + "-" + session)
                        .daemon()
                        .unstarted(LogContext.carried(this::run));
    }

    /** Starts encoding. The reader gets everything from the first timeline on. */
    FeedReader start() {
        FeedReader reader = feed.subscribe("rendition", FEED_BYTES);
        counted.started();
        thread.start();
        return reader;
    }

    RenditionFormat format() {
        return format;
    }

    /** RFC 6381 text; empty before the first frame. */
    Optional<String> codecs() {
        return Optional.ofNullable(codecs);
    }

    /** Why it must be dropped: its queue was full, or the encoder failed. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** A timeline of the program has its first frame. */
    void begin(Timeline program, RenditionFormat newFormat, EncodedStream stream)
            throws InterruptedException {
        format = newFormat;
        nextDueTicks = Long.MIN_VALUE;
        FrameQueue.Outcome _ =
                queue.put(new EncodingItem.Begin(program, stream), /* patienceNs= */ 0);
    }

    void interruption() throws InterruptedException {
        FrameQueue.Outcome _ = queue.put(new EncodingItem.Gap(), /* patienceNs= */ 0);
    }

    /** Whether the rendition has a frame at this time: with a lower frame rate not at each. */
    boolean isDue(FrameTimes.Times times) {
        if (format.frameRate() == 0) {
            return true;
        }
        long stepTicks = Math.round(90_000 / format.frameRate());
        // Half a tick of a millisecond clock: source times are rounded.
        boolean first = nextDueTicks == Long.MIN_VALUE;
        boolean due = first || times.key() || times.ptsTicks() >= nextDueTicks - 45;
        if (due) {
            boolean steady = !first && !times.key() && times.ptsTicks() - nextDueTicks < stepTicks;
            nextDueTicks = (steady ? nextDueTicks : times.ptsTicks()) + stepTicks;
        }
        return due;
    }

    /**
     * @param frame passed on, and closed
     * @param patienceNs wait no longer for space in the queue
     */
    void encode(EncodingItem.Frame frame, long patienceNs) throws InterruptedException {
        if (queue.put(frame, patienceNs) == FrameQueue.Outcome.FULL) {
            counted.countQueueDrop();
            failure = "its encoder does not keep up";
        }
    }

    /** The program has ended: encodes what waits, then ends the feed. */
    void finish() throws InterruptedException {
        FrameQueue.Outcome _ = queue.put(new EncodingItem.End(), /* patienceNs= */ 0);
    }

    private void run() {
        try {
            ThreadPriority.lower(NICENESS);
            boolean more = true;
            while (more) {
                more = accept(queue.take());
            }
        } catch (InterruptedException _) {
            // Closed.
        } catch (RuntimeException | Error e) {
            log.error("{} failed", thread.getName(), e);
            failure = "its encoder failed: " + e.getMessage();
        } finally {
            queue.close();
            VideoEncoder open = encoder;
            if (open != null) {
                open.close();
            }
            feed.end();
            feed.flush();
            counted.ended();
        }
    }

    private boolean accept(EncodingItem item) {
        switch (item) {
            case EncodingItem.Frame frame -> {
                try {
                    encode(frame.frame(), frame.times());
                } finally {
                    frame.frame().close();
                }
            }
            case EncodingItem.Begin begin -> begin(begin);
            case EncodingItem.Gap _ -> {
                begun = null;
                feed.offer(Interruption.PUBLISHER_GONE);
                feed.flush();
            }
            case EncodingItem.End _ -> {
                VideoEncoder open = encoder;
                if (open != null) {
                    offer(open.finish());
                }
                return false;
            }
        }
        return true;
    }

    private void begin(EncodingItem.Begin begin) {
        VideoEncoder open = encoder;
        if (open == null || !begin.stream().equals(opened)) {
            if (open != null) {
                offer(open.finish());
                encoder = null;
                open.close();
            }
            inside.clear();
            open = begin.stream().open();
            encoder = open;
            opened = begin.stream();
            log.info(
                    "{} encodes {}x{} with {} at {} kbit/s",
                    thread.getName(),
                    begin.stream().format().width(),
                    begin.stream().format().height(),
                    open.settings().encoder().configName(),
                    begin.stream().bitrateBps() / 1_000);
        }
        Track track = open.track();
        codecs = track.codec().rfc6381();
        Timeline program = begin.program();
        begun =
                new Timeline(
                        program.sequence(), List.of(track), program.startUs(), program.startedAt());
        feed.offer(begun);
        keyFrameNext = true;
    }

    private void encode(VideoFrame frame, FrameTimes.Times times) {
        VideoEncoder open = encoder;
        if (open == null || begun == null || times.ptsTicks() <= lastPtsTicks) {
            return;
        }
        long startNs = System.nanoTime();
        lastPtsTicks = times.ptsTicks();
        frame.ptsTicks(times.ptsTicks());
        inside.add(times);
        List<AccessUnit> units = open.encode(frame, times.key() || keyFrameNext);
        keyFrameNext = false;
        counters.spent(RenditionCounters.Stage.ENCODE, startNs);
        counted.countFrame();
        offer(units);
    }

    /** Gives each unit the decode time of its frame. An encoder may skip frames. */
    private void offer(List<AccessUnit> units) {
        for (AccessUnit unit : units) {
            FrameTimes.Times times = inside.poll();
            while (times != null && times.ptsTicks() < unit.ptsTicks()) {
                times = inside.poll();
            }
            if (times != null) {
                int offset = Math.toIntExact(times.ptsTicks() - times.dtsTicks());
                feed.offer(unit.at(unit.track(), times.dtsTicks(), offset));
            }
        }
        feed.flush();
    }

    /** Waits until everything is encoded, after {@link #finish}. */
    void awaitEnd() throws InterruptedException {
        if (!thread.join(CLOSE)) {
            log.warn("{} is still busy", thread.getName());
        }
    }

    /** Stops at once. Idempotent. */
    @Override
    public void close() {
        queue.close();
        if (Thread.currentThread().equals(thread)) {
            return;
        }
        boolean interrupted = false;
        boolean waits = true;
        while (waits) {
            try {
                if (!thread.join(CLOSE)) {
                    log.warn("{} is still busy", thread.getName());
                }
                waits = false;
            } catch (InterruptedException _) {
                // Its encoder is closed before the caller goes on.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
