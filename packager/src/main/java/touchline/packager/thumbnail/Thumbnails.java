package touchline.packager.thumbnail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.SessionId;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.decoding.DecodingFailedException;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.FfmpegException;
import touchline.packager.hls.FrameSource;
import touchline.packager.hls.MediaAwayException;
import touchline.packager.thumbnail.KeyFrame.FrameId;
import touchline.packager.thumbnail.KeyFrameFinder.NoFrameException;
import touchline.packager.thumbnail.ThumbnailQuery.Moment;

/**
 * Makes thumbnails: each frame once for all concurrent requests, cached while it fits. One or two
 * platform threads decode, within a share of one core in the long run. Any thread; no call waits.
 */
public final class Thumbnails implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Thumbnails.class);

    /** Maximum of different requests that wait or are in work. */
    static final int MAX_WAITING = 64;

    private static final String UNDECODABLE = "the frame cannot be decoded";
    private static final long PATIENCE_SECONDS = 10;
    private static final int MANY_CORES = 4;
    private static final int IDLE_SECONDS = 10;

    private final CpuBudget budget;
    private final ThumbnailCache kept;
    private final ThumbnailDecoder maker;
    private final ThumbnailCounters counters;
    private final Executor executor;
    private final Runnable closing;
    private final BiConsumer<SessionId, DecodingRefusedException> onRefused;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ThumbnailQuery, CompletableFuture<ThumbnailResult>> waiting = new HashMap<>();

    /** Frames being decoded: another worker may need the same one. */
    @GuardedBy("lock")
    private final Map<FrameId, CompletableFuture<ThumbnailResult>> decoding = new HashMap<>();

    /** The frame for a request without a time. */
    public enum ByDefault {
        /** The newest one: of live media. */
        NEWEST,
        /** The first one that shows something: of what is stored. */
        FIRST
    }

    /**
     * @param cpuPercent of one core, 1 or more
     * @param cacheBytes of frames that are kept
     * @param decoders of key frames; borrowed
     * @param onRefused called when the server refuses to decode a session's video; must not block
     */
    public static Thumbnails of(
            int cpuPercent,
            long cacheBytes,
            GopDecoders decoders,
            BiConsumer<SessionId, DecodingRefusedException> onRefused) {
        int threads = Runtime.getRuntime().availableProcessors() >= MANY_CORES ? 2 : 1;
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().name("thumbnail-", 0).daemon().factory());
        pool.allowCoreThreadTimeOut(true);
        return new Thumbnails(
                new CpuBudget(cpuPercent, System::nanoTime),
                cacheBytes,
                new FfmpegThumbnailDecoder(decoders),
                pool,
                onRefused);
    }

    Thumbnails(
            CpuBudget budget,
            long cacheBytes,
            ThumbnailDecoder maker,
            Executor executor,
            BiConsumer<SessionId, DecodingRefusedException> onRefused) {
        this.onRefused = onRefused;
        this.budget = budget;
        this.kept = new ThumbnailCache(cacheBytes);
        this.maker = maker;
        this.counters = new ThumbnailCounters(kept::bytes);
        this.executor = executor;
        this.closing =
                executor instanceof ExecutorService service ? service::shutdownNow : () -> {};
    }

    public ThumbnailCounters counters() {
        return counters;
    }

    /**
     * The requested frame: at once if it is cached, otherwise completed by a decoding thread; hop
     * before doing work. Fails if stored media cannot be read.
     */
    public CompletionStage<ThumbnailResult> get(
            FrameSource source, ThumbnailRequest request, ByDefault byDefault) {
        Optional<Moment> moment = moment(source, request, byDefault);
        if (moment.isEmpty()) {
            return CompletableFuture.completedFuture(
                    new ThumbnailResult.Missing("no frame is there yet"));
        }
        ThumbnailQuery asked =
                new ThumbnailQuery(source.session(), moment.get(), request.maxWidth());
        Optional<ThumbnailResult> known = kept.answer(asked);
        if (known.isPresent()) {
            counters.wasKept();
            return CompletableFuture.completedFuture(known.get());
        }
        return enqueued(source, asked);
    }

    private static Optional<Moment> moment(
            FrameSource source, ThumbnailRequest request, ByDefault byDefault) {
        if (request.timeUs().isPresent()) {
            return Optional.of(new Moment.At(request.timeUs().getAsLong()));
        }
        return source.newest()
                .map(
                        span ->
                                byDefault == ByDefault.NEWEST
                                        ? new Moment.Newest(span.mediaSequence(), span.parts())
                                        : new Moment.First(span.endUs()));
    }

    private CompletionStage<ThumbnailResult> enqueued(FrameSource source, ThumbnailQuery asked) {
        CompletableFuture<ThumbnailResult> mine;
        lock.lock();
        try {
            CompletableFuture<ThumbnailResult> others = waiting.get(asked);
            if (others != null) {
                return others;
            }
            if (waiting.size() >= MAX_WAITING) {
                return CompletableFuture.completedFuture(busy());
            }
            mine = new CompletableFuture<>();
            waiting.put(asked, mine);
        } finally {
            lock.unlock();
        }
        try {
            executor.execute(() -> work(source, asked, mine));
        } catch (RejectedExecutionException _) {
            settle(asked);
            return CompletableFuture.completedFuture(busy());
        }
        return mine.completeOnTimeout(
                new ThumbnailResult.Busy(), PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private ThumbnailResult busy() {
        counters.wasRefused();
        return new ThumbnailResult.Busy();
    }

    private void settle(ThumbnailQuery asked) {
        lock.lock();
        try {
            waiting.remove(asked);
        } finally {
            lock.unlock();
        }
    }

    /** On a decoding thread; a cancelled request costs nothing. */
    private void work(
            FrameSource source, ThumbnailQuery asked, CompletableFuture<ThumbnailResult> then) {
        if (then.isDone()) {
            settle(asked);
            counters.wasRefused();
            return;
        }
        ThumbnailResult result = new ThumbnailResult.Busy();
        Throwable failure = null;
        try {
            result = answer(source, asked);
        } catch (NoFrameException e) {
            result = new ThumbnailResult.Missing(e.reason());
        } catch (MediaAwayException e) {
            result = new ThumbnailResult.Unavailable(String.valueOf(e.getMessage()));
        } catch (NoSuchFileException _) {
            result = new ThumbnailResult.Missing("not there any more");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (Exception | Error e) {
            failure = e;
        }
        settle(asked);
        if (failure == null) {
            then.complete(result);
        } else {
            then.completeExceptionally(failure);
        }
    }

    private ThumbnailResult answer(FrameSource source, ThumbnailQuery asked) throws Exception {
        FirstFrame.Chosen chosen =
                switch (asked.moment()) {
                    case Moment.At(var timeUs) ->
                            decoded(KeyFrameFinder.at(source, timeUs), asked.maxWidth());
                    case Moment.Newest _ ->
                            decoded(KeyFrameFinder.newest(source), asked.maxWidth());
                    case Moment.First(var endUs) ->
                            FirstFrame.choose(
                                    source, endUs, keyFrame -> decoded(keyFrame, asked.maxWidth()));
                };
        kept.answered(asked, chosen.id());
        return chosen.result();
    }

    /** The thumbnail of a key frame, decoded by the first request for it. */
    private FirstFrame.Chosen decoded(KeyFrame keyFrame, int maxWidth) throws Exception {
        FrameId id = keyFrame.id(maxWidth);
        CompletableFuture<ThumbnailResult> mine = new CompletableFuture<>();
        CompletableFuture<ThumbnailResult> first;
        lock.lock();
        try {
            Optional<ThumbnailResult> known = kept.frame(id);
            if (known.isPresent()) {
                counters.wasKept();
                return new FirstFrame.Chosen(id, known.get());
            }
            first = decoding.putIfAbsent(id, mine);
        } finally {
            lock.unlock();
        }
        if (first != null) {
            return new FirstFrame.Chosen(id, first.get());
        }
        ThumbnailResult result = new ThumbnailResult.Busy();
        try {
            result = decode(keyFrame, maxWidth);
            if (!(result instanceof ThumbnailResult.Unavailable)) {
                kept.keep(id, result);
            }
        } finally {
            lock.lock();
            try {
                decoding.remove(id);
            } finally {
                lock.unlock();
            }
            mine.complete(result);
        }
        return new FirstFrame.Chosen(id, result);
    }

    private ThumbnailResult decode(KeyFrame keyFrame, int maxWidth) throws InterruptedException {
        budget.await();
        LongSupplier clock = cpuClock();
        long startNs = clock.getAsLong();
        long remoteNs = 0;
        try {
            ThumbnailDecoder.Made made = maker.make(keyFrame.session(), keyFrame.unit(), maxWidth);
            remoteNs = made.remoteCpuNs();
            counters.wasDecoded();
            return new ThumbnailResult.Made(made.frame());
        } catch (DecodingRefusedException e) {
            onRefused.accept(keyFrame.session(), e);
            counters.wasUndecodable();
            return switch (e.limit()) {
                case FRAME_SIZE -> new ThumbnailResult.Missing(String.valueOf(e.getMessage()));
                case MEMORY -> new ThumbnailResult.Unavailable("not enough " + e.getMessage());
            };
        } catch (DecodingFailedException e) {
            if (!e.causedByMedia()) {
                counters.wasRefused();
                return new ThumbnailResult.Unavailable(String.valueOf(e.getMessage()));
            }
            undecodable(keyFrame, e);
            return new ThumbnailResult.Missing(UNDECODABLE);
        } catch (MalformedMediaException | FfmpegException | IllegalArgumentException e) {
            // Bytes from outside, or a codec that this build lacks.
            undecodable(keyFrame, e);
            return new ThumbnailResult.Missing(UNDECODABLE);
        } finally {
            long tookNs = clock.getAsLong() - startNs + remoteNs;
            budget.spend(tookNs);
            counters.spent(tookNs);
        }
    }

    private void undecodable(KeyFrame keyFrame, RuntimeException cause) {
        LOG.info(
                "session={} media_sequence={} has no thumbnail: {}",
                keyFrame.session(),
                keyFrame.mediaSequence(),
                cause.getMessage());
        counters.wasUndecodable();
    }

    /** CPU time of the calling thread; elapsed time if the JVM does not measure it. */
    private static LongSupplier cpuClock() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
                ? threads::getCurrentThreadCpuTime
                : System::nanoTime;
    }

    /** Answers waiting requests as busy. Idempotent. */
    @Override
    public void close() {
        closing.run();
    }
}
