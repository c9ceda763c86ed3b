package touchline.overlay.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.StreamId;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.Subscription;
import touchline.overlay.OverlayLayer;
import touchline.overlay.OverlaySpec;

/**
 * An overlay stream that an encoder publishes beside the main stream: a layer for its video, and
 * its audio in {@link ProgramAudio}. Both stay, empty, while no encoder is connected. Any thread.
 */
public final class OverlayStream implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(OverlayStream.class);

    /** Payload that may wait for the decoder: half a second of 60 Mbit/s. */
    public static final long QUEUE_BYTES = 4L << 20;

    private static final Duration CLOSE = Duration.ofSeconds(3);

    private final StreamId stream;
    private final ProgramAudio programAudio;
    private final StreamLayer layer;
    private final OverlayStreamDecoder.Dependencies dependencies;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Subscription source;

    @GuardedBy("lock")
    private @Nullable Thread decoding;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param audio audio of the program, which receives the levels
     * @param nanoTime monotonic clock for arrivals
     */
    public OverlayStream(
            StreamId stream, OverlaySpec.Stream spec, ProgramAudio audio, LongSupplier nanoTime) {
        this.stream = stream;
        programAudio = audio;
        OverlayFrameQueue frames = new OverlayFrameQueue();
        layer =
                new StreamLayer(
                        audio.time(), frames, spec.placement().opacityPercent() / 100, nanoTime);
        dependencies =
                new OverlayStreamDecoder.Dependencies(
                        stream.value(),
                        spec.placement(),
                        layer,
                        frames,
                        audio.audio(),
                        audio.time(),
                        nanoTime);
        audio.mix(spec.audioMix());
    }

    /** The layer for the compositor. */
    public OverlayLayer layer() {
        return layer;
    }

    /** Changes the levels within 10 ms. */
    public void change(OverlaySpec.Stream spec) {
        programAudio.mix(spec.audioMix());
    }

    /**
     * A publisher has connected; stops reading an earlier one.
     *
     * @param feed reading end of its source, closed by this class
     */
    public void attach(Subscription feed) {
        lock.lock();
        try {
            if (closed) {
                feed.close();
                return;
            }
            stopDecoding();
            source = feed;
            Thread thread =
                    Thread.ofPlatform()
                            .name("decode-overlay-" + stream)
                            .daemon()
                            .unstarted(LogContext.stream(stream, () -> decode(feed)));
            decoding = thread;
            thread.start();
        } finally {
            lock.unlock();
        }
    }

    private void decode(Subscription feed) {
        try (feed;
                OverlayStreamDecoder decoder = new OverlayStreamDecoder(dependencies)) {
            boolean more = true;
            while (more) {
                more = feed.drain(decoder::take);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // The program continues without it.
            log.error("stream={} the overlay stream is not shown any more", stream, e);
        }
    }

    @GuardedBy("lock")
    private void stopDecoding() {
        Subscription feed = source;
        Thread thread = decoding;
        source = null;
        decoding = null;
        if (feed == null || thread == null) {
            return;
        }
        feed.close();
        try {
            if (!thread.join(CLOSE)) {
                log.warn("stream={} {} is still busy", stream, thread.getName());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops reading. The layer may still be called; the main audio continues alone. */
    @Override
    public void close() {
        programAudio.mainOnly();
        lock.lock();
        try {
            closed = true;
            stopDecoding();
        } finally {
            lock.unlock();
        }
    }
}
