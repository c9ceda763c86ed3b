package touchline.media.standby;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.decoding.GopDecoder;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.StandbyMaker;
import touchline.media.hub.StandbyMedia;
import touchline.media.hub.StandbyRequest;
import touchline.media.hub.StandbySettings;

/**
 * Makes standby media: decodes the last frame of a GOP, or has a slate painted, and encodes it
 * once. Slates and silence are kept for each format, the most recent ones. A few platform threads,
 * which end when there is nothing to do. Any thread.
 */
public final class StandbyEncoding implements StandbyMaker, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StandbyEncoding.class);

    /** Encoded slates and silent frames that are kept. */
    private static final int MAX_KEPT = 32;

    /** Requests that wait; more of them fail. */
    private static final int MAX_WAITING = 512;

    private static final double MAX_NOMINAL_RATE = 120;
    private static final long IDLE_SECONDS = 10;

    /** What determines an encoded slate. */
    private record SlateKey(
            Optional<String> image, String title, int width, int height, double frameRate) {}

    private final GopDecoders decoders;
    private final Slates slates;
    private final Supplier<List<H264Encoder>> encoders;
    private final ThreadPoolExecutor executor;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock. Keys are slates and audio tracks.
    private final Map<Object, StandbyMedia.Loop> kept =
            new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

    /**
     * @param decoders open the decoder of the last GOP; borrowed
     * @param encoders usable encoders, the preferred first; asked for each frame
     */
    public StandbyEncoding(
            GopDecoders decoders, Slates slates, Supplier<List<H264Encoder>> encoders) {
        this.decoders = decoders;
        this.slates = slates;
        this.encoders = encoders;
        int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
        ThreadFactory factory = Thread.ofPlatform().name("standby-", 0).daemon().factory();
        this.executor =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(MAX_WAITING),
                        factory);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public CompletableFuture<StandbyMedia> make(StandbyRequest request) {
        try {
            return CompletableFuture.supplyAsync(() -> made(request), executor);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The image of this id has changed or is gone: it is read again. */
    public void forget(String image) {
        lock.lock();
        try {
            kept.keySet()
                    .removeIf(
                            key ->
                                    key instanceof SlateKey slate
                                            && slate.image().equals(Optional.of(image)));
        } finally {
            lock.unlock();
        }
    }

    private StandbyMedia made(StandbyRequest request) {
        List<StandbyMedia.Loop> loops = new ArrayList<>(2);
        for (Track track : request.tracks()) {
            loops.add(track.isVideo() ? video(request, track) : audio(track));
        }
        return new StandbyMedia(loops);
    }

    private StandbyMedia.Loop audio(Track track) {
        return kept(track, () -> SilentAudio.like(track));
    }

    private StandbyMedia.Loop video(StandbyRequest request, Track track) {
        List<AccessUnit> frames =
                request.gop().stream().filter(unit -> unit.track().equals(track)).toList();
        if (!frames.isEmpty()) {
            try (VideoFrame frame = last(track, frames)) {
                if (frame != null) {
                    return StillVideo.encode(frame, frameRate(request, track), encoders.get());
                }
            } catch (RuntimeException e) {
                log.warn("standby: no last frame, the slate is shown: {}", e.getMessage());
            }
        }
        return slate(request, track);
    }

    private @Nullable VideoFrame last(Track track, List<AccessUnit> frames) {
        try (GopDecoder decoder = decoders.open(track, "standby")) {
            return decoder.last(frames).orElse(null);
        }
    }

    private StandbyMedia.Loop slate(StandbyRequest request, Track track) {
        int width = even(width(track.codec()));
        int height = even(height(track.codec()));
        StandbySettings settings = request.settings();
        double rate = frameRate(request, track);
        SlateKey key = new SlateKey(settings.image(), settings.title(), width, height, rate);
        return kept(
                key,
                () -> {
                    try (VideoFrame frame =
                            RgbFrames.frame(slates.slate(settings, width, height))) {
                        return StillVideo.encode(frame, rate, encoders.get());
                    }
                });
    }

    /** As the parameter sets say, which does not depend on when it was measured. */
    private static double frameRate(StandbyRequest request, Track track) {
        double nominal =
                switch (track.codec()) {
                    case CodecConfig.Avc(var config) -> config.frameRate();
                    case CodecConfig.Hevc(var config) -> config.frameRate();
                    case CodecConfig.Av1(var config) -> config.frameRate();
                    case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> 0;
                };
        return nominal > 0 && nominal <= MAX_NOMINAL_RATE ? nominal : request.frameRate();
    }

    private static int width(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc(var config) -> config.width();
            case CodecConfig.Hevc(var config) -> config.width();
            case CodecConfig.Av1(var config) -> config.width();
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> 0;
        };
    }

    private static int height(CodecConfig codec) {
        return switch (codec) {
            case CodecConfig.Avc(var config) -> config.height();
            case CodecConfig.Hevc(var config) -> config.height();
            case CodecConfig.Av1(var config) -> config.height();
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> 0;
        };
    }

    private static int even(int side) {
        return Math.max(2, side & ~1);
    }

    private StandbyMedia.Loop kept(Object key, Supplier<StandbyMedia.Loop> make) {
        lock.lock();
        try {
            StandbyMedia.Loop before = kept.get(key);
            if (before != null) {
                return before;
            }
        } finally {
            lock.unlock();
        }
        StandbyMedia.Loop made = make.get();
        lock.lock();
        try {
            kept.put(key, made);
            if (kept.size() > MAX_KEPT) {
                Object eldest = kept.keySet().iterator().next();
                kept.remove(eldest);
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
