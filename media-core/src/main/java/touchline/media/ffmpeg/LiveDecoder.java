package touchline.media.ffmpeg;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.VideoSequence;

/**
 * Decodes the video of a session, on the GPU where it can, else in software; another track gets
 * another decoder. A GPU that fails is not used again in this session. Threads as {@link
 * VideoDecoder}.
 */
public final class LiveDecoder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LiveDecoder.class);

    private static final int LARGE_PIXELS = 1920 * 1088;
    private static final int MAX_THREADS = 4;

    /**
     * Units in a row that a GPU fails to decode before it is given up: a lost packet breaks fewer.
     */
    private static final int MAX_BROKEN = 60;

    private final String session;

    private GpuUse gpu;
    private boolean onGpu;
    private boolean decoded;
    private int broken;
    private @Nullable VideoDecoder decoder;
    private @Nullable Track track;

    /**
     * @param session for logs
     * @param gpu what a GPU may do
     */
    public LiveDecoder(String session, GpuUse gpu) {
        this.session = session;
        this.gpu = gpu;
    }

    /** Takes effect with the next unit; without effect before the first. */
    public void skip(VideoDecoder.Skip skip) {
        VideoDecoder open = decoder;
        if (open != null) {
            open.skip(skip);
        }
    }

    /**
     * Decodes a unit. After an unexpected error the next unit opens a new decoder.
     *
     * @return zero or more frames, which the caller closes
     * @throws MalformedMediaException as {@link VideoDecoder#decode}
     */
    public List<VideoFrame> decode(AccessUnit unit) {
        try {
            List<VideoFrame> frames = framesOf(unit);
            decoded |= !frames.isEmpty();
            broken = 0;
            return frames;
        } catch (MalformedMediaException e) {
            broken++;
            if (onGpu && broken >= MAX_BROKEN) {
                withoutGpu("%d units in a row failed: %s".formatted(broken, e.getMessage()));
            }
            throw e;
        } catch (RuntimeException e) {
            if (onGpu) {
                // Such as a GPU without free memory.
                withoutGpu(String.valueOf(e.getMessage()));
            } else {
                close();
            }
            throw e;
        }
    }

    /** If the GPU fails at a track's first frame, the session goes on in software. */
    private List<VideoFrame> framesOf(AccessUnit unit) {
        try {
            return decoder(unit.track()).decode(unit);
        } catch (MalformedMediaException e) {
            if (!onGpu || decoded || e instanceof DecodingRefusedException) {
                throw e;
            }
            withoutGpu(String.valueOf(e.getMessage()));
            return decoder(unit.track()).decode(unit);
        }
    }

    /**
     * The GPU is not used again in this session. Decoding goes on with a key frame.
     *
     * @param reason for the log
     */
    public void withoutGpu(String reason) {
        log.warn("{} the GPU is not used any more: {}", session, reason);
        gpu = GpuUse.NONE;
        close();
    }

    private VideoDecoder decoder(Track wanted) {
        VideoDecoder open = decoder;
        if (open != null && Objects.equals(wanted, track)) {
            return open;
        }
        close();
        open = gpu != GpuUse.NONE && Gpu.isTried() ? openOnGpu(wanted).orElse(null) : null;
        onGpu = open != null;
        if (open == null) {
            open = VideoDecoder.open(wanted, threads(wanted));
        }
        log.info(
                "{} decoding {} {}",
                session,
                wanted.codec().rfc6381(),
                onGpu ? "on the GPU" : "in software");
        decoder = open;
        track = wanted;
        return open;
    }

    private Optional<VideoDecoder> openOnGpu(Track wanted) {
        return VideoDecoder.openOnGpu(wanted, gpu == GpuUse.FRAMES);
    }

    /** Each additional thread delays by a frame: several only for large frames. */
    private static int threads(Track track) {
        boolean large =
                track.codec().sequences().stream()
                        .mapToLong(VideoSequence::pixels)
                        .anyMatch(pixels -> pixels > LARGE_PIXELS);
        return large ? Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()) : 1;
    }

    /** Returns the remaining frames, which the caller closes; the next unit must be a key frame. */
    public List<VideoFrame> drain() {
        VideoDecoder open = decoder;
        if (open == null) {
            return List.of();
        }
        try {
            return open.drain();
        } catch (MalformedMediaException e) {
            throw e;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Discards buffered data; the next unit must be a key frame. */
    public void flush() {
        VideoDecoder open = decoder;
        if (open != null) {
            open.flush();
        }
    }

    /** Frees the decoder; the next unit, a key frame, opens another. Idempotent. */
    @Override
    public void close() {
        VideoDecoder open = decoder;
        decoder = null;
        decoded = false;
        broken = 0;
        if (open != null) {
            open.close();
        }
    }
}
