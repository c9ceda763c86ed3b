package touchline.api.demo;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.PushTarget;
import touchline.media.ffmpeg.RtmpPush;

/**
 * The work of the pushing thread: connects, publishes what the queue holds, and connects again with
 * growing pauses.
 */
final class MatchPusher {
    private static final Logger log = LoggerFactory.getLogger(MatchPusher.class);
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final long FIRST_PAUSE_MS = 250;
    private static final long LONGEST_PAUSE_MS = 5_000;

    private final PushTarget target;
    private final Supplier<List<Track>> tracks;
    private final MatchQueue queue;
    private final CountDownLatch stopped = new CountDownLatch(1);

    // Counted by the pushing thread, read by any.
    private final AtomicLong unitsPushed = new AtomicLong();
    private final AtomicLong connects = new AtomicLong();

    // cut() and remember() each write one and then read the other, so none is missed.
    private volatile boolean cut;
    private volatile RtmpPush.@Nullable Stopper stopper;

    /**
     * @param tracks may change: a unit of another track makes the pusher connect again
     */
    MatchPusher(PushTarget target, Supplier<List<Track>> tracks, MatchQueue queue) {
        this.target = target;
        this.tracks = tracks;
        this.queue = queue;
    }

    void run() {
        long pauseMs = FIRST_PAUSE_MS;
        try {
            while (!isStopped()) {
                long before = unitsPushed.get();
                publishOnce();
                pauseMs =
                        unitsPushed.get() > before
                                ? FIRST_PAUSE_MS
                                : Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
                if (stopped.await(pauseMs, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("demo match: pushing ended", e);
        }
    }

    private void publishOnce() throws InterruptedException {
        List<Track> announced = tracks.get();
        try (RtmpPush push = RtmpPush.open(target, announced, this::remember)) {
            queue.open();
            connects.incrementAndGet();
            log.info("demo match: publishing to {}", target.server());
            while (!isStopped()) {
                Optional<AccessUnit> unit = queue.take(PATIENCE);
                if (unit.isPresent() && !announced.contains(unit.get().track())) {
                    return;
                }
                if (unit.isPresent()) {
                    push.write(unit.get());
                    unitsPushed.incrementAndGet();
                }
            }
        } catch (FfmpegException e) {
            if (!isStopped()) {
                log.warn("demo match: not publishing to {}: {}", target.server(), e.getMessage());
            }
        } finally {
            queue.shut();
        }
    }

    /** Ends after the unit that is being sent. Any thread. */
    void stop() {
        stopped.countDown();
    }

    /** Ends whatever wait for the network there is. Any thread. */
    void cut() {
        cut = true;
        RtmpPush.Stopper current = stopper;
        if (current != null) {
            current.stop();
        }
    }

    long unitsPushed() {
        return unitsPushed.get();
    }

    long connects() {
        return connects.get();
    }

    private void remember(RtmpPush.Stopper current) {
        stopper = current;
        // A cut before this line did not stop the new connection.
        if (cut) {
            current.stop();
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }
}
