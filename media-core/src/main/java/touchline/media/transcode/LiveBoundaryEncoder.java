package touchline.media.transcode;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.hub.BoundaryEncoder;

/**
 * Encodes boundaries of live programmes in this process, on platform threads that start when they
 * are needed. A request that finds {@value #MAX_WAITING} others waiting fails. Any thread.
 */
public final class LiveBoundaryEncoder implements BoundaryEncoder, AutoCloseable {
    private static final int THREADS = 2;
    private static final int MAX_WAITING = 8;
    private static final int IDLE_SECONDS = 30;

    private final Supplier<List<H264Encoder>> encoders;
    private final ThreadPoolExecutor executor;

    /**
     * @param encoders usable ones, the preferred first; asked on a thread of this
     */
    public LiveBoundaryEncoder(Supplier<List<H264Encoder>> encoders) {
        this.encoders = encoders;
        this.executor =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_WAITING),
                        Thread.ofPlatform().name("boundary-", 0).daemon().factory());
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public CompletableFuture<Frames> encode(Request request) {
        try {
            return CompletableFuture.supplyAsync(() -> encoded(request), executor);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Frames encoded(Request request) {
        FrameRate rate = new FrameRate((int) Math.round(request.frameRate() * 1_000), 1_000);
        RuntimeException failed = new IllegalStateException("no H.264 encoder is usable");
        for (H264Encoder encoder : encoders.get()) {
            try {
                FrameReencoder.Recoded made =
                        FrameReencoder.recode(
                                request.track(),
                                request.gop(),
                                rate,
                                new FrameReencoder.Request(
                                        request.fromPtsTicks(),
                                        Long.MAX_VALUE,
                                        /* parameterSetId= */ 0,
                                        encoder));
                return new Frames(made.track(), made.units());
            } catch (FfmpegException e) {
                failed = e;
            }
        }
        throw failed;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
