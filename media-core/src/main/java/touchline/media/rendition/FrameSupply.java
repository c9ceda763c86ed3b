package touchline.media.rendition;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.ffmpeg.LiveDecoder;
import touchline.media.ffmpeg.VideoFrame;

/**
 * The frames of the program, one for each of its video units, in presentation order: those of the
 * compositor where one runs, else decoded ones. Where a frame is missing, the one before is passed
 * again. One thread.
 */
final class FrameSupply implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FrameSupply.class);

    private static final long WARN_EVERY_NS = 1_000_000_000L;

    /** Receives the frames. */
    @FunctionalInterface
    interface Output {
        /**
         * @param frame borrowed for the call
         * @param times of the rendition's unit
         */
        void frame(VideoFrame frame, FrameTimes.Times times) throws InterruptedException;
    }

    private final String session;
    private final CompositedFrames composited;
    private final RenditionCounters counters;
    private final Output output;
    private final FrameTimes times = new FrameTimes();

    private final LiveDecoder decoder;

    private boolean gpuFailed;
    private @Nullable VideoFrame last;
    private boolean usesComposited;
    private boolean compositedSinceKey;
    private boolean waitsForKeyFrame = true;
    private long warnedNs;

    /**
     * @param composited borrowed
     * @param gpuAllowed whether a GPU may decode; frames stay in its memory then
     */
    FrameSupply(
            String session,
            CompositedFrames composited,
            RenditionCounters counters,
            boolean gpuAllowed,
            Output output) {
        this.session = session;
        this.composited = composited;
        this.counters = counters;
        this.decoder =
                new LiveDecoder("session=" + session, gpuAllowed ? GpuUse.FRAMES : GpuUse.NONE);
        this.output = output;
    }

    /** Whether the frames are the compositor's. */
    boolean usesComposited() {
        return usesComposited;
    }

    /**
     * A video unit of the program.
     *
     * @throws DecodingRefusedException the frames are too large, or the memory for decoders is used
     *     up
     */
    void accept(AccessUnit unit) throws InterruptedException {
        if (waitsForKeyFrame && !unit.isKeyFrame()) {
            return;
        }
        waitsForKeyFrame = false;
        // In 1/90 000 s, as all video tracks.
        long pts = unit.ptsTicks();
        Optional<VideoFrame> drawn = composited.take(pts).flatMap(this::usable);
        try {
            if (unit.isKeyFrame()) {
                choose(drawn.isPresent());
            }
            compositedSinceKey |= drawn.isPresent();
            times.add(unit.dtsTicks(), pts, unit.idr());
        } catch (RuntimeException | InterruptedException e) {
            drawn.ifPresent(VideoFrame::close);
            throw e;
        }
        if (usesComposited) {
            if (drawn.isPresent()) {
                show(drawn.get());
            } else {
                repeatUpTo(pts);
            }
        } else {
            drawn.ifPresent(VideoFrame::close);
            decode(unit);
        }
        while (times.isFull()) {
            repeat(times.oldest());
        }
    }

    /** At key frames: a compositor may have taken over, or have ended. */
    private void choose(boolean drawn) throws InterruptedException {
        boolean now = drawn || (usesComposited && compositedSinceKey);
        if (now && !usesComposited) {
            drain();
            decoder.close();
        }
        usesComposited = now;
        compositedSinceKey = false;
    }

    /** The timeline is over. */
    void end() throws InterruptedException {
        drain();
        while (!times.isEmpty()) {
            repeat(times.oldest());
        }
        clear();
    }

    /** No frames are needed until {@link #accept} is called again, at a key frame. */
    void pause() {
        clear();
        decoder.close();
    }

    /**
     * A frame in the memory of the GPU could not be used: goes on with a key frame, in software.
     */
    void withoutGpu(String reason) {
        gpuFailed = true;
        decoder.withoutGpu(reason);
        clear();
    }

    /**
     * A composited frame, in main memory where the GPU has failed; empty if it cannot be copied.
     */
    private Optional<VideoFrame> usable(VideoFrame drawn) {
        if (!gpuFailed || !drawn.isOnGpu()) {
            return Optional.of(drawn);
        }
        try (drawn) {
            return Optional.of(Gpu.download(drawn));
        } catch (FfmpegException e) {
            broken(e);
            return Optional.empty();
        }
    }

    private void clear() {
        times.clear();
        closeLast();
        waitsForKeyFrame = true;
    }

    private void decode(AccessUnit unit) throws InterruptedException {
        long startNs = System.nanoTime();
        List<VideoFrame> frames;
        try {
            frames = decoder.decode(unit);
        } catch (DecodingRefusedException e) {
            throw e;
        } catch (RuntimeException e) {
            broken(e);
            return;
        } finally {
            counters.spent(RenditionCounters.Stage.DECODE, startNs);
        }
        showAll(frames);
    }

    private void showAll(List<VideoFrame> frames) throws InterruptedException {
        int next = 0;
        try {
            while (next < frames.size()) {
                next++;
                show(frames.get(next - 1));
            }
        } finally {
            frames.subList(next, frames.size()).forEach(VideoFrame::close);
        }
    }

    /** Passes a frame, and the one before it for those that are missing between them. */
    private void show(VideoFrame frame) throws InterruptedException {
        try {
            for (FrameTimes.Times due : times.upTo(frame.ptsTicks())) {
                VideoFrame before = last;
                if (before == null || due.ptsTicks() == frame.ptsTicks()) {
                    output.frame(frame, due);
                } else {
                    output.frame(before, due);
                }
            }
        } finally {
            closeLast();
            last = frame;
        }
    }

    private void repeatUpTo(long pts) throws InterruptedException {
        for (FrameTimes.Times due : times.upTo(pts)) {
            repeat(due);
        }
    }

    private void repeat(FrameTimes.Times due) throws InterruptedException {
        VideoFrame before = last;
        if (before != null) {
            output.frame(before, due);
        }
    }

    private void drain() throws InterruptedException {
        List<VideoFrame> frames;
        try {
            frames = decoder.drain();
        } catch (RuntimeException e) {
            broken(e);
            return;
        }
        showAll(frames);
    }

    /** One frame never ends the renditions. */
    private void broken(RuntimeException cause) {
        counters.countBrokenUnit();
        long now = System.nanoTime();
        if (warnedNs == 0 || now - warnedNs > WARN_EVERY_NS) {
            warnedNs = now;
            log.info("session={} a frame cannot be decoded: {}", session, cause.getMessage());
        }
    }

    private void closeLast() {
        VideoFrame before = last;
        last = null;
        if (before != null) {
            before.close();
        }
    }

    @Override
    public void close() {
        closeLast();
        decoder.close();
    }
}
